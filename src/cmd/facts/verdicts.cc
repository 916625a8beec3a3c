#include "cmd/facts/verdicts.h"

#include <fmt/format.h>

#include <string>

#include "base/duration.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "sched/priority/eligibility.h"
#include "sched/query/reason_words.h"
#include "sched/suspended.h"

namespace maui {

namespace {

/// Says for whom the job is suspended, and when it can go on.
std::string suspension_words(const Cluster& cluster, const Settings& settings, Time now,
                             const Job& job) {
  if (job.stays_suspended) return "it is suspended until it is resumed by hand (mjobctl -r)";
  if (job.holds != 0) return "it is suspended and has a hold in place";
  const std::string suspended =
      job.suspended_for.empty() ? std::string("it is suspended")
                                : fmt::format("it is suspended for job '{}'", *job.suspended_for);
  const Time start = resumption_of(cluster, settings, now, job.id);
  if (start >= kForever) return suspended + ", and no time is known at which its nodes are free";
  return fmt::format("{}, and resumes in {} at the earliest", suspended,
                     format_duration(start - now));
}

}  // namespace

JobVerdict verdict_of(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
                      const Explanation& why) {
  JobVerdict verdict;
  const std::string own = partition_of(cluster, job);
  const auto partitions = cluster.partitions_with_nodes();
  verdict.partition =
      own == "ALL" && partitions.size() == 1 ? cluster.partitions[partitions.front()] : own;
  verdict.reason = detailed_reason(Eligibility(cluster, settings, now), cluster, job, why.reason);
  if (why.reason == Reason::state && job.suspended())
    verdict.reason += ": " + suspension_words(cluster, settings, now, job);
  if (!why.blocker.empty()) verdict.reason += ": " + why.blocker;
  if (why.limit) verdict.limit = describe(cluster, *why.limit);
  verdict.idle_procs = why.idle_procs;
  verdict.feasible_procs = why.feasible_procs;
  verdict.needed_procs = why.needed_procs;
  for (const auto& [reason, nodes] : why.rejections)
    if (reason != NodeReason::none)
      verdict.rejections.push_back({std::string(reason_words(reason)), nodes});
  for (const auto& node : why.nodes)
    verdict.nodes.push_back(
        {cluster.node(node.node).name, std::string(reason_words(node.reason)), node.tasks});
  return verdict;
}

}  // namespace maui
