// Job priority (guide 5.1): a weighted sum of components, each a weighted sum
// of subcomponents, caps before weights, bounded to 0 .. one billion;
// ENABLENEGJOBPRIORITY takes away the lower bound.
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

/// The priority of a job; of an active one as when it started, with its use since (USAGE).
PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job);
/// The subcomponent that drives a sum up (or down) most; nullptr if none does.
const SubcomponentInfo* driver_of(const PriorityBreakdown& breakdown, bool up);
/// The priorities of these jobs, which may be active.
std::vector<PriorityBreakdown> breakdowns_of(const Cluster& cluster, const Settings& settings,
                                             Time now, std::span<const JobId> jobs);
std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs);

/// When the next of the waiting jobs reaches its target of queue time or expansion factor, where
/// these count (guide 5.1.2.5); kForever: none will.
Time next_target(const Cluster& cluster, const Settings& settings, Time now,
                 const StalledJobs& stalled);

/// Expansion factor: 1 + queue time / max(XFMINWCLIMIT, limit) (guide 5.1.2.4.2).
double expansion_factor(const Cluster& cluster, const Settings& settings, Time now, JobId job);
/// Processor equivalents of a request on this cluster (guide 3.2.1.7).
double processor_equivalents(const Cluster& cluster, const Request& request);

/// Reason::none if the job may be considered: it is eligible, and not rejected for its priority.
Reason why_not_considered(const Cluster& cluster, const Settings& settings, Time now, JobId job);

/// RUNTIMELEARNING PRIORITY: the job has waited for longer than is fair, and goes before all
/// others.
bool waits_too_long(const Cluster& cluster, const Settings& settings, Time now, Time queued,
                    JobId job);

/// Fills `order` with the jobs that may be considered (sched/eligibility.h), highest priority
/// first; ties go by queue time, then by order of arrival.
void prioritise(const Cluster& cluster, const Settings& settings, Time now,
                std::vector<Plan::Ranked>& order);

}  // namespace maui
