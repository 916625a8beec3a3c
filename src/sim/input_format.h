// Which format a file of a simulation's input has, told by its content.
#pragma once
#include <cstdint>
#include <string>

#include "maui/result.h"

namespace maui {

enum class WorkloadFormat : std::uint8_t {
  swf,    // sim/swf.h
  trace,  // sim/workload_trace.h, also our own statistics
  sacct,  // sim/sacct.h
  pbs,    // sim/pbs_accounting.h
};
/// Judges by the first lines what a workload is.  A file without lines is a log by its name (.swf),
/// else a trace; lines that are damaged are those of a trace, whose reader says what is wrong.  An
/// error if the file cannot be read, or looks like nothing known.
Result<WorkloadFormat> workload_format(const std::string& path);

enum class MachineFormat : std::uint8_t {
  trace,     // sim/resource_trace.h, also schedctl -n
  scontrol,  // sim/listed_machine.h
  pbsnodes,
};
/// Judges as above what a list of nodes is; a file without lines is a trace.
Result<MachineFormat> machine_format(const std::string& path);

}  // namespace maui
