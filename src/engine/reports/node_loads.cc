// Resources kept from jobs because of load (guide 10, 12.3, appendix F: NODELOADPOLICY,
// NODEMAXLOAD, RESOURCEAVAILABILITYPOLICY, NODESYNCTIME).
#include "engine/reports/node_loads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/placement.h"

namespace maui {
namespace {

// Returns the processors that are neither held by jobs nor, by the load, in use (case study A.3).
int open_procs(const Node& node, const NodeParameters& policy, int held) {
  const double most = node.policy.max_load > 0 ? node.policy.max_load : node.configured.procs();
  // Load that no job explains fluctuates: the factor leaves space for it to grow.
  const double untracked = std::max(0.0, node.load - held);
  const double load = node.load + (policy.untracked_load_factor - 1) * untracked;
  const int left = static_cast<int>(std::floor(std::max(0.0, most - load) + 1e-9));
  return std::min(node.configured.procs() - held, left);
}

}  // namespace

bool too_busy(const Node& node, const NodeParameters& policy) {
  if (policy.load_policy != NodeLoadPolicy::adjust_state) return false;
  return (node.policy.max_load > 0 && node.load > node.policy.max_load) ||
         (policy.max_load > 0 && node.load >= policy.max_load);
}

Resources withheld_on(const Node& node, const Resources& held, const NodeParameters& policy) {
  Resources withheld;
  for (std::size_t i = 0; i < policy.availability.size(); ++i) {
    const ConsumableId what(i);
    if (policy.availability[i] == Availability::dedicated) continue;
    const int more = node.utilised.get(what) - held.get(what);
    const int left = node.configured.get(what) - held.get(what);
    if (more > 0) withheld.set(what, std::clamp(more, 0, std::max(0, left)));
  }
  if (policy.load_policy != NodeLoadPolicy::adjust_procs || node.load <= 0) return withheld;
  const int left = node.configured.procs() - held.procs();
  const int kept = left - open_procs(node, policy, held.procs());
  if (kept > withheld.procs()) withheld.set(kProcs, kept);
  return withheld;
}

std::vector<Resources> held_on(const Node& node, std::vector<Resources> asked,
                               const NodeParameters& policy) {
  for (std::size_t i = 0; i < policy.availability.size(); ++i) {
    const ConsumableId what(i);
    if (policy.availability[i] != Availability::utilised) continue;
    if (node.utilised.get(what) == 0) continue;  // not measured, or not yet
    std::int64_t promised = 0;
    for (const Resources& amount : asked) promised += amount.get(what);
    const std::int64_t used = std::min<std::int64_t>(node.utilised.get(what), promised);
    std::int64_t before = 0;  // running sums are rounded, so that nothing is lost
    for (Resources& amount : asked) {
      const std::int64_t until = before + amount.get(what);
      const auto part = [&](std::int64_t sum) { return promised > 0 ? sum * used / promised : 0; };
      amount.set(what, static_cast<int>(part(until) - part(before)));
      before = until;
    }
  }
  return asked;
}

namespace {

void revise_held(Cluster& cluster, const Node& node, const NodeParameters& policy, Time now) {
  std::vector<JobId> jobs;
  std::vector<Resources> asked;
  for (const Occupant& occupant : cluster.occupancy(node.id).occupants) {
    const Job& job = cluster.job(occupant.job);
    jobs.push_back(occupant.job);
    const Request& request = cluster.request(job.request);
    if (request.requirements.size() == 1)
      asked.emplace_back(0).add(request.requirements.front().per_task, occupant.tasks);
    else
      asked.push_back(amount_on(node.id, job.placement, request));
  }
  const auto held = held_on(node, std::move(asked), policy);
  for (std::size_t i = 0; i < jobs.size(); ++i) cluster.revise_held(node.id, jobs[i], held[i], now);
}

}  // namespace

void NodeLoads::look(Cluster& cluster, NodeId id, const NodeSync& sync, bool by_use, Time now) {
  const Node& node = cluster.node(id);
  if (by_use && !cluster.occupancy(id).occupants.empty()) revise_held(cluster, node, policy_, now);
  const bool cut_off =
      std::find(silent_.begin(), silent_.end(), node.resource_manager) != silent_.end();
  const bool doubtful = cut_off || sync.closes(id);
  const bool loaded = node.load > 0 || !node.utilised.zero();
  const auto plain = [&] {
    const Occupancy& here = cluster.occupancy(id);
    return !loaded && here.withheld.zero() && !here.closed && !doubtful;
  };
  if (!plain()) {
    Resources held;
    for (const Occupant& occupant : cluster.occupancy(id).occupants) held.add(occupant.amount);
    cluster.withhold(id, withheld_on(node, held, policy_), doubtful || too_busy(node, policy_),
                     now);
  }
  const char mark = plain() ? 0 : 1;
  const char before = std::exchange(marked_[id.index()], mark);
  if (mark > before) ++marks_;
  if (mark < before) --marks_;
}

void NodeLoads::apply(Cluster& cluster, const NodeParameters& policy,
                      const std::vector<std::string>& silent, const NodeSync& sync,
                      const Touched& touched, const std::vector<NodeId>& closed_anew, Time now) {
  const bool same = std::exchange(begun_, true) && policy == policy_ && silent == silent_;
  if (!same) {
    policy_ = policy;
    silent_ = silent;
  }
  marked_.resize(cluster.nodes().size());
  const auto& kinds = policy.availability;
  const bool by_use = cluster.held_revised() ||
                      std::find(kinds.begin(), kinds.end(), Availability::utilised) != kinds.end();
  if (!same || touched.all) {
    for (const Node& node : cluster.nodes()) look(cluster, node.id, sync, by_use, now);
    return;
  }
  each_node(touched.reported, [&](NodeId id) { look(cluster, id, sync, by_use, now); });
  for (const NodeId id : closed_anew) look(cluster, id, sync, by_use, now);
  if (!by_use && marks_ == 0) return;
  each_node(touched.used, [&](NodeId id) {
    if (by_use || marked_[id.index()] != 0) look(cluster, id, sync, by_use, now);
  });
}

}  // namespace maui
