// Detects the format of a simulation's input file from its content.
#pragma once
#include <cstdint>
#include <string>

#include "maui/result.h"

namespace maui {

enum class WorkloadFormat : std::uint8_t {
  swf,    // sim/swf.h
  trace,  // sim/workload_trace.h, also the statistics of this scheduler
  sacct,  // sim/sacct.h
  pbs,    // sim/pbs_accounting.h
};
/// Detects the format of a workload from its first lines.  A file without lines is a log if its
/// name ends in .swf, else a trace; damaged lines count as lines of a trace, whose reader reports
/// the damage. Returns an error if the file cannot be read or its format is unknown.
Result<WorkloadFormat> workload_format(const std::string& path);

enum class MachineFormat : std::uint8_t {
  trace,     // sim/resource_trace.h, also schedctl -n
  scontrol,  // sim/listed_machine.h
  pbsnodes,
};
/// Detects the format of a list of nodes in the same way; a file without lines is a trace.
Result<MachineFormat> machine_format(const std::string& path);

}  // namespace maui
