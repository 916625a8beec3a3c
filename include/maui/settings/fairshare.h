// How past use is measured, and its effect (guide 6.3).
#pragma once
#include <cstdint>
#include <string>

#include "maui/units.h"

namespace maui {

/// The meaning of an FSTARGET (paper, table 3).
enum class TargetType : std::uint8_t {
  target,   // priority goes up below it and down above it
  floor,    // "+": priority goes up below it
  ceiling,  // "-": priority goes down above it
  cap,      // "^": above it, jobs are not considered
};

struct FairshareTarget {
  double percent = 0;  // of all delivered use
  TargetType type = TargetType::target;
  friend bool operator==(const FairshareTarget&, const FairshareTarget&) = default;
};

enum class FairshareMetric : std::uint8_t {
  none,
  dedicated_proc_seconds,
  dedicated_pe_seconds,
  utilised_proc_seconds,
};

/// The targets that only adjust priority, and those that block jobs (docs/decisions/fairshare.md).
enum class FairshareEnforcement : std::uint8_t {
  by_type,   // caps block jobs, other targets adjust priority
  priority,  // no target blocks jobs: a cap works as a ceiling
  hard,      // ceilings and plain targets block jobs as well
};

struct FairshareSettings {
  FairshareMetric metric = FairshareMetric::none;  // FSPOLICY
  bool machine_speed = false;                      // USEMACHINESPEEDFORFS
  bool relative = false;    // FSPOLICY with %: deviation relative to the target
  Seconds interval{86400};  // FSINTERVAL
  int depth = 7;            // FSDEPTH
  double decay = 1.0;       // FSDECAY
  FairshareEnforcement enforcement = FairshareEnforcement::by_type;  // FSENFORCEMENT
  std::string config_file = "fs.cfg";                                // FSCONFIGFILE
  friend bool operator==(const FairshareSettings&, const FairshareSettings&) = default;
};

}  // namespace maui
