// The SIM* parameters (guide 16, appendix F).
#pragma once
#include <cstdint>
#include <string>

#include "maui/units.h"

namespace maui {

enum class StepPolicy : std::uint8_t { interval, event };
enum class SubmissionPolicy : std::uint8_t { normal, constant_job_depth, constant_ps_depth };
enum class NodeConfiguration : std::uint8_t { normal, uniform };

struct SimulationSettings {
  std::string resource_trace =
      "traces/resource.trace";  // SIMRESOURCETRACEFILE; [NONE]: from the SWF header
  std::string workload_trace = "traces/workload.trace";                // SIMWORKLOADTRACEFILE
  SubmissionPolicy submission = SubmissionPolicy::constant_job_depth;  // SIMJOBSSUBMISSIONPOLICY
  int initial_queue_depth = 16;                                        // SIMINITIALQUEUEDEPTH
  int cpu_scaling_percent = 100;                                       // SIMCPUSCALINGPERCENT
  std::uint16_t default_job_flags = 0;  // SIMDEFAULTJOBFLAGS, bits of JobFlag
  std::uint16_t ignore_job_flags = 0;   // SIMIGNOREJOBFLAGS
  bool ignore_host_list = false, ignore_class = false, ignore_qos = false, ignore_mode = false,
       ignore_features = false;                                      // SIMFLAGS
  int node_count = 0;                                                // SIMNODECOUNT; 0: all
  NodeConfiguration node_configuration = NodeConfiguration::normal;  // SIMNODECONFIGURATION
  int random_delay = 0;                                              // SIMMRRANDOMDELAY, seconds
  std::int64_t stop_iteration = 0;         // SIMSTOPITERATION; 0, -1: none
  std::int64_t exit_iteration = 0;         // SIMEXITITERATION; 0, -1: none
  int time_ratio = 0;                      // SIMTIMERATIO; 0: as fast as possible
  bool auto_shutdown = true;               // SIMAUTOSHUTDOWN
  StepPolicy step = StepPolicy::interval;  // SIMSTEPPOLICY
  Time start_time{-1};                     // SIMSTARTTIME; negative: the first submission
  friend bool operator==(const SimulationSettings&, const SimulationSettings&) = default;
};

}  // namespace maui
