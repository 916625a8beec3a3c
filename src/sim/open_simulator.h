// From recorded nodes and jobs to a simulated resource manager.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maui/result.h"
#include "maui/settings.h"
#include "sim/simulator.h"
#include "sim/trace_summary.h"

namespace maui {

/// The files that a simulation replays, of whatever format (sim/input_format.h).
struct ReplayFiles {
  std::vector<std::string> workload;  // of one format; several are one workload
  std::string machine;                // empty: the machine that the workload shows
  std::uint64_t resample = 0;         // the seed of a workload drawn from it; 0: as it is
  bool keep_classes = false;          // report classes that no node offers (TraceSummary)
  bool as_they_ran = false;           // jobs of a trace run for as long as they did, and wait for
                                      // no class or partition that none of these nodes has
};

/// Reads the files.  Fails when nothing remains.
Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings,
                                                  const ReplayFiles& files, TraceSummary& summary);

/// Reads the traces that `settings` names, relative to `home`.  Fails when nothing remains.
Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings, const std::string& home,
                                                  TraceSummary& summary);

}  // namespace maui
