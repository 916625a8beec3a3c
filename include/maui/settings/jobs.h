// Settings about jobs: preemption, deferral, limits on jobs, programs to notify about jobs
// (guide 8.4, 11.1, 14.4, 17.1; appendix F).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

/// BFPRIORITYPOLICY: the backfilled job to preempt first.
enum class BackfillVictim : std::uint8_t {
  least_harm,   // the choice with the fewest jobs, then the least lost work
  random,       // an arbitrary job
  duration,     // the job that has run for the shortest time
  hw_duration,  // the job that has used the fewest processor-seconds
};

enum class OverrunAction : std::uint8_t { cancel, preempt };

/// When the scheduler acts on a job that uses more than it asked for (RESOURCELIMITPOLICY).
enum class ViolationPolicy : std::uint8_t {
  never,
  always,            // at once
  extended,          // after more than JOBSYNCTIME of overuse
  blocked_workload,  // while an eligible job waits for resources
};
enum class ViolationAction : std::uint8_t { cancel, requeue, suspend };

/// Resources whose use is limited to the amount that a job asked for, as bits of
/// ResourceLimits::resources.
enum class LimitedResource : std::uint8_t { procs = 1, memory = 2, disk = 4, swap = 8 };

struct ResourceLimits {
  ViolationPolicy policy = ViolationPolicy::never;
  ViolationAction action = ViolationAction::cancel;
  std::uint8_t resources = 0;
  friend bool operator==(const ResourceLimits&, const ResourceLimits&) = default;
};

struct JobSettings {
  Preemption preemption = Preemption::requeue;                  // PREEMPTIONPOLICY
  BackfillVictim backfill_victim = BackfillVictim::least_harm;  // BFPRIORITYPOLICY

  Seconds defer_time{3600};   // DEFERTIME; 0: jobs are not deferred
  int defer_count = 24;       // DEFERCOUNT
  int defer_start_count = 1;  // DEFERSTARTCOUNT

  Seconds max_start_time{-1};                            // JOBMAXSTARTTIME; negative: no limit
  OverrunAction overrun_action = OverrunAction::cancel;  // WCVIOLATIONACTION
  std::vector<ResourceLimits> limits;                    // RESOURCELIMITPOLICY
  bool enforce_limits = false;                           // ENFORCERESOURCELIMITS
  ViolationPolicy use_policy = ViolationPolicy::never;   // RESOURCEUTILIZATIONPOLICY
  ViolationAction use_action = ViolationAction::cancel;  // RESOURCEUTILIZATIONACTION
  Seconds sync_time{600};                                // JOBSYNCTIME
  Seconds purge_time{0};                                 // PURGETIME, JOBPURGETIME

  bool multi_node = true;          // ENABLEMULTINODEJOBS
  bool multi_requirement = false;  // ENABLEMULTIREQJOBS

  std::string feedback_program;      // FEEDBACKPROGRAM; empty: none
  std::string notification_program;  // NOTIFICATIONPROGRAM; empty: none
  friend bool operator==(const JobSettings&, const JobSettings&) = default;
};

}  // namespace maui
