#include "cmd/facts/suspension.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "cmd/facts/reply_values.h"
#include "sched/limits/throttling.h"
#include "sched/suspended.h"

namespace maui {

Suspension suspension_of(const Cluster& cluster, const Settings& settings, Time now,
                         const Job& job) {
  if (job.holds != 0) return {kForever, "is suspended and has a hold in place"};
  const SuspensionReason& reason = job.suspension_reason;
  if (reason.cause == SuspensionCause::by_hand)
    return {kForever, "is suspended until it is resumed by hand (mjobctl -r)"};
  const bool violator = reason.cause == SuspensionCause::violation;
  const std::string suspended = violator ? std::string("is suspended for exceeding its limits")
                                : reason.preemptor.empty()
                                    ? std::string("is suspended")
                                    : fmt::format("is suspended for job '{}'", reason.preemptor);
  const Time start = resumption_of(cluster, settings, now, job.id);
  if (start < kForever && violator)
    return {start, fmt::format("{}, and resumes after the jobs that wait, in {} at the earliest",
                               suspended, format_duration(start - now))};
  if (start < kForever)
    return {start, fmt::format("{}, and is expected to resume in {}", suspended,
                               format_duration(start - now))};
  Throttling throttling(cluster, settings, now);
  const Request rest = rest_of(cluster, job);
  if (const auto limit = throttling.violated(job, rest, Strictness::hard, &job.placement))
    return {kForever,
            fmt::format("{}, and cannot resume: it {}", suspended, describe(cluster, *limit))};
  return {kForever, suspended + ", and no time is known at which its nodes are free"};
}

}  // namespace maui
