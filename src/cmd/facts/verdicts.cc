#include "cmd/facts/verdicts.h"

#include <string>

#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/suspension.h"
#include "sched/priority/eligibility.h"
#include "sched/query/reason_words.h"

namespace maui {

JobVerdict verdict_of(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
                      const Explanation& why) {
  JobVerdict verdict;
  const std::string own = partition_of(cluster, job);
  const auto partitions = cluster.partitions_with_nodes();
  verdict.partition =
      own == "ALL" && partitions.size() == 1 ? cluster.partitions[partitions.front()] : own;
  verdict.reason = detailed_reason(Eligibility(cluster, settings, now), cluster, job, why.reason);
  if (why.reason == Reason::state && job.suspended())
    verdict.reason += ": it " + suspension_of(cluster, settings, now, job).words;
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
