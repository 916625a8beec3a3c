// How commands display information (guide appendix F: DISPLAYFLAGS, PLOT*).
#pragma once
#include <cstdint>

#include "maui/units.h"

namespace maui {

/// Bits of DisplaySettings::flags.
enum class DisplayFlag : std::uint8_t {
  node_centric = 1,     // showq counts nodes instead of processors
  account_centric = 2,  // showq names accounts instead of groups
  hide_blocked = 4,     // ordinary users see only their own blocked jobs
};

/// The rows and columns of showgrid.
struct PlotSettings {
  int min_procs = 1, max_procs = 512;          // PLOTMINPROC, PLOTMAXPROC
  int proc_scale = 9;                          // PLOTPROCSCALE
  Seconds min_time{120}, max_time{68 * 3600};  // PLOTMINTIME, PLOTMAXTIME
  int time_scale = 11;                         // PLOTTIMESCALE
  friend bool operator==(const PlotSettings&, const PlotSettings&) = default;
};

struct DisplaySettings {
  std::uint8_t flags = 0;  // DISPLAYFLAGS
  PlotSettings plot;
  friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;
};

}  // namespace maui
