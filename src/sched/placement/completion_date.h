// The date by which a job must end (guide 16.3.1, End Date): the scheduler neither starts nor
// reserves a job whose limit would pass the date, and holds a job that can no longer meet it.
#pragma once
#include "maui/cluster.h"

namespace maui {

/// Returns the last time at which a run of that length may begin; kForever: at any time.
inline Time latest_start(const Job& job, Seconds length) {
  if (job.deadline >= kForever) return kForever;
  return length < job.deadline - Time(0) ? job.deadline - length : Time(0);
}
/// Returns the last start on these nodes, whose speed may stretch the limit.
Time latest_start(const Cluster& cluster, const Job& job, const Request& shape,
                  const Placement& placement);
/// Returns the last start on the fastest nodes.
Time latest_start(const Cluster& cluster, const Job& job, const Request& shape);
/// True if no shape of the waiting job would end in time even if it started now.
bool too_late(const Cluster& cluster, const Job& job, Time now);

/// Returns the reason of the hold: "CompletionDate: ...".
std::string passes_completion_date(const Cluster& cluster, const Job& job);

}  // namespace maui
