// The date by which a job must have ended (guide 16.3.1, End Date): it neither starts nor is
// reserved where its limit would pass it, and is held once it could not start in time any more.
#pragma once
#include "maui/cluster.h"

namespace maui {

/// The last moment at which a run of that length may begin; kForever: at any time.
inline Time latest_start(const Job& job, Seconds length) {
  if (job.deadline >= kForever) return kForever;
  return length < job.deadline - Time(0) ? job.deadline - length : Time(0);
}
/// The same on these nodes, whose speed may stretch the limit.
Time latest_start(const Cluster& cluster, const Job& job, const Request& shape,
                  const Placement& placement);
/// No shape of the waiting job ends in time any more, though it started now.
bool too_late(const Cluster& cluster, const Job& job, Time now);

/// The reason of the hold: "CompletionDate: ...".
std::string passes_completion_date(const Cluster& cluster, const Job& job);

}  // namespace maui
