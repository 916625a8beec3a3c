// How past use is measured and what it does (guide 6.3).
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
  double percent = 0;  // of what is delivered
  TargetType type = TargetType::target;
  friend bool operator==(const FairshareTarget&, const FairshareTarget&) = default;
};

enum class FairshareMetric : std::uint8_t {
  none,
  dedicated_proc_seconds,
  dedicated_pe_seconds,
  utilised_proc_seconds,
};

/// Which targets only adjust priority and which block jobs (docs/decisions/fairshare.md).
enum class FairshareEnforcement : std::uint8_t {
  by_type,   // caps block, the others adjust priority
  priority,  // none blocks: a cap adjusts priority as a ceiling does
  hard,      // ceilings and plain targets block as well
};

struct FairshareSettings {
  FairshareMetric metric = FairshareMetric::none;  // FSPOLICY
  bool machine_speed = false;                      // USEMACHINESPEEDFORFS
  bool relative = false;    // FSPOLICY with a %: deviation in parts of the target
  Seconds interval{86400};  // FSINTERVAL
  int depth = 7;            // FSDEPTH
  double decay = 1.0;       // FSDECAY
  FairshareEnforcement enforcement = FairshareEnforcement::by_type;  // FSENFORCEMENT
  std::string config_file = "fs.cfg";                                // FSCONFIGFILE
  friend bool operator==(const FairshareSettings&, const FairshareSettings&) = default;
};

}  // namespace maui
