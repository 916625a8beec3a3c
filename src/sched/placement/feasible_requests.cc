#include "sched/placement/feasible_requests.h"

#include <algorithm>

#include "sched/placement/feasibility.h"

namespace maui {

FeasibleRequests::Judgement& FeasibleRequests::judgement_of(const Cluster& cluster, RequestId id) {
  if (id.index() >= judgements_.size()) judgements_.resize(cluster.request_slots());
  auto& known = judgements_[id.index()];
  const Judged now{cluster.request_serial(id), node_changes_};
  if (known.of != now) known = {now, {}, {}};
  return known;
}

std::optional<bool> FeasibleRequests::judge(const Cluster& cluster, const Request& request) {
  if (effort_left_ <= 0 && request.node_set && request.node_set->delay >= kUnlimited) {
    put_off_ = true;
    return std::nullopt;
  }
  const auto judged = judge_feasibility(cluster, request);
  effort_left_ -= judged.effort;
  return judged.feasible;
}

bool FeasibleRequests::serves(const Cluster& cluster, RequestId id) {
  auto& known = judgement_of(cluster, id).feasible;
  if (!known) known = judge(cluster, cluster.request(id));
  return known.value_or(true);
}

std::optional<bool> FeasibleRequests::serves(const Cluster& cluster, RequestId id, int tasks) {
  auto& known = judgement_of(cluster, id).with_tasks;
  const auto at = std::find_if(known.begin(), known.end(),
                               [tasks](const auto& entry) { return entry.first == tasks; });
  if (at != known.end()) return at->second;
  const Request& request = cluster.request(id);
  const auto feasible = judge(cluster, in_shape(request, {tasks, request.limit}));
  if (feasible) known.emplace_back(tasks, *feasible);
  return feasible;
}

bool FeasibleRequests::serves(const Cluster& cluster, const Job& job) {
  return serves(cluster, job.request) ||
         std::any_of(job.alternatives.begin(), job.alternatives.end(), [&](const auto& shape) {
           return serves(cluster, job.request, shape.first).value_or(true);
         });
}

std::vector<JobId> FeasibleRequests::leave_out(const Cluster& cluster,
                                               std::vector<Plan::Ranked>& order) {
  std::vector<JobId> never;
  const Judged now{cluster.newest_request(), node_changes_};
  if (all_serve_ == now) return never;
  // There are fewer requests than jobs, and those that all served before do so still.
  const bool same_nodes = all_serve_ && all_serve_->node_changes == node_changes_;
  const std::uint64_t judged = same_nodes ? all_serve_->serial : 0;
  bool all = true;
  put_off_ = false;
  for (std::size_t i = 0; all && i < cluster.request_slots(); ++i)
    if (const RequestId id(i); cluster.request_used(id) && cluster.request_serial(id) > judged)
      all = serves(cluster, id);
  if (all) {
    if (!put_off_) all_serve_ = now;
    return never;
  }
  std::erase_if(order, [&](const Plan::Ranked& ranked) {
    if (serves(cluster, ranked.request) || serves(cluster, cluster.job(ranked.job))) return false;
    never.push_back(ranked.job);
    return true;
  });
  return never;
}

}  // namespace maui
