// Job priority (guide 5.1): a weighted sum of components, each a weighted sum of subcomponents,
// with caps applied before weights, bounded to 0 .. one billion. ENABLENEGJOBPRIORITY removes the
// lower bound.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/priority/priority_components.h"
#include "sched/priority/stalled_jobs.h"

namespace maui {

/// Returns a job's priority; for an active job, as at its start plus its use since then (USAGE).
PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job);
/// Returns the subcomponent that raises (or lowers) the sum most; nullptr if there is none.
const SubcomponentInfo* driver_of(const PriorityBreakdown& breakdown, bool up);
/// Returns the priorities of these jobs, which may be active.
std::vector<PriorityBreakdown> breakdowns_of(const Cluster& cluster, const Settings& settings,
                                             Time now, std::span<const JobId> jobs);
std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs);
/// Returns the priorities that these jobs, most of them active, would have in the queue: as if they
/// had waited ever since they were queued.
std::vector<std::int64_t> priorities_in_queue(const Cluster& cluster, const Settings& settings,
                                              Time now, std::span<const JobId> jobs);

/// True if `a` goes before `b` in the queue where their priorities are equal: by queue time, then
/// by arrival.
inline bool earlier_in_queue(const Job& a, const Job& b) {
  return a.queued != b.queued ? a.queued < b.queued : a.arrival < b.arrival;
}

/// Returns when the next waiting job reaches its target of queue time or expansion factor, where
/// these count (guide 5.1.2.5); kForever if none will.
Time next_target(const Cluster& cluster, const Settings& settings, Time now,
                 const StalledJobs& stalled);

/// Returns the processor equivalents of a request on this cluster (guide 3.2.1.7).
double processor_equivalents(const Cluster& cluster, const Request& request);

/// Returns Reason::none if the job is eligible and is not rejected for its priority.
Reason why_not_considered(const Cluster& cluster, const Settings& settings, Time now, JobId job);

/// True if, under RUNTIMELEARNING PRIORITY, the job has waited longer than its fair wait and goes
/// before all others.
bool waits_too_long(const Cluster& cluster, const Settings& settings, Time now, Time queued,
                    JobId job);

/// Fills `order` with the jobs that may be considered (sched/priority/eligibility.h), highest
/// priority first; ties are broken by queue time, then by order of arrival.
void prioritise(const Cluster& cluster, const Settings& settings, Time now,
                std::vector<Plan::Ranked>& order);

}  // namespace maui
