// What load keeps from jobs (guide 10, 12.3, appendix F: NODELOADPOLICY,
// NODEMAXLOAD, RESOURCEAVAILABILITYPOLICY).
#include "engine/node_loads.h"

#include <algorithm>
#include <cmath>

namespace maui {
namespace {

// Processors that are neither promised nor, by the load, used (case study A.3).
int open_procs(const Node& node, const NodeParameters& policy, int held) {
  const double most = node.policy.max_load > 0 ? node.policy.max_load : node.configured.procs();
  // Load that no job explains comes and goes: the factor leaves room for it to grow.
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

void mind_loads(Cluster& cluster, const NodeParameters& policy,
                const std::vector<std::string>& silent) {
  for (const Node& node : cluster.nodes()) {
    const Occupancy& here = cluster.occupancy(node.id);
    const bool cut_off =
        std::find(silent.begin(), silent.end(), node.resource_manager) != silent.end();
    const bool idle = node.load <= 0 && node.utilised.zero() && !cut_off;
    if (idle && here.withheld.zero() && !here.closed) continue;
    Resources held;
    for (const Occupant& one : here.occupants) held.add(one.amount);
    cluster.withhold(node.id, withheld_on(node, held, policy), cut_off || too_busy(node, policy));
  }
}

}  // namespace maui
