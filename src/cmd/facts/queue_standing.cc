#include "cmd/facts/queue_standing.h"

#include <unordered_map>

#include "sched/priority/eligibility.h"
#include "sched/query/reason_words.h"
#include "sched/selection.h"

namespace maui {

std::vector<Plan::Ranked> eligible_jobs(const Context& context, Strictness level,
                                        std::vector<Throttling::Blocked>* limited) {
  return considered(context.cluster(), context.settings(), context.now(), level,
                    context.engine.feasible_requests(), limited);
}

std::vector<JobId> blocked_jobs(const Context& context, const std::vector<Plan::Ranked>& eligible) {
  const Cluster& cluster = context.cluster();
  std::vector<bool> not_blocked(cluster.job_slots());
  for (const auto& ranked : eligible) not_blocked[ranked.job.index()] = true;
  std::vector<JobId> blocked;
  for (const JobId id : cluster.jobs())
    if (!cluster.job(id).active() && !not_blocked[id.index()]) blocked.push_back(id);
  return blocked;
}

std::vector<BlockedJob> blocked_with_reasons(const Context& context, Strictness level) {
  std::vector<Throttling::Blocked> limited;
  const auto eligible = eligible_jobs(context, level, &limited);
  std::unordered_map<JobId, const Violation*> limits;
  for (const auto& limited_job : limited) limits.emplace(limited_job.job, &limited_job.why);
  std::vector<BlockedJob> blocked;
  const Eligibility eligibility(context.cluster(), context.settings(), context.now());
  for (const JobId id : blocked_jobs(context, eligible)) {
    const auto limit = limits.find(id);
    blocked.push_back({id, limit == limits.end()
                               ? blocked_reason(eligibility, context.cluster(), context.settings(),
                                                context.cluster().job(id))
                               : describe(context.cluster(), *limit->second)});
  }
  return blocked;
}

}  // namespace maui
