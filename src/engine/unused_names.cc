// Names that nobody uses any more are given up, so that whoever tells of ever new ones takes no
// more memory than those do that are in use together.
#include <algorithm>

#include "engine/state.h"

namespace maui {
namespace {

/// Which of them something refers to, by id.
class Used {
 public:
  explicit Used(std::size_t size) : used_(size, 0) {}
  template <class Ids>
  void note(const Ids& ids) {
    for (const auto id : ids) used_[id.index()] = 1;
  }
  void note_nodes(const Placement& placement) {
    for (const NodeTasks& share : placement) used_[share.node.index()] = 1;
  }
  bool holds(std::size_t index) const { return used_[index] != 0; }

 private:
  std::vector<char> used_;
};

template <class Call>
void each_request(const Cluster& cluster, Call call) {
  for (std::size_t i = 0; i < cluster.request_slots(); ++i)
    if (const RequestId id(i); cluster.request_used(id)) call(cluster.request(id));
}

Used nodes_used(const Cluster& cluster) {
  Used used(cluster.nodes().size());
  each_request(cluster, [&](const Request& request) {
    used.note(request.host_list);
    used.note(request.excluded);
  });
  for (const JobId id : cluster.jobs()) used.note_nodes(cluster.job(id).placement);
  for (const ReservationId id : cluster.reservations())
    used.note_nodes(cluster.reservation(id).nodes);
  return used;
}

}  // namespace

void Engine::State::give_up_names() {
  give_up_nodes();
  give_up_features();
}

/// Those that were purged; where something still refers to one, that is looked at again later.
void Engine::State::give_up_nodes() {
  constexpr Seconds kAgain{600};
  const bool later = purged_nodes.size() <= purged_before && now() < purged_looked_at + kAgain;
  if (purged_nodes.empty() || later) return;
  purged_looked_at = now();
  const Used used = nodes_used(cluster);
  std::erase_if(purged_nodes, [&](NodeId id) {
    if (!cluster.node(id).purged || cluster.node(id).name.empty()) return true;
    const Occupancy& here = cluster.occupancy(id);
    if (used.holds(id.index()) || !here.occupants.empty() || !here.reservations.empty())
      return false;
    reports[id.index()] = {};
    cluster.give_up_node(id);
    return true;
  });
  purged_before = purged_nodes.size();
}

/// Whenever there are twice as many as were in use.
void Engine::State::give_up_features() {
  constexpr std::size_t kLeast = 1000;
  auto& features = cluster.features;
  if (features.known() < std::max(kLeast, 2 * features_in_use)) return;
  Used used(features.size());
  for (const Node& node : cluster.nodes()) used.note(node.features);
  each_request(cluster, [&](const Request& request) {
    used.note(request.qos_features);
    for (const Requirement& one : request.requirements) used.note(one.features);
  });
  for (const ReservationId id : cluster.reservations()) used.note(cluster.reservation(id).features);
  for (const ReservationMemory& one : remembered_reservations) used.note(one.terms.features);
  for (std::size_t i = 0; i < features.size(); ++i)
    if (!used.holds(i)) features.give_up(FeatureId(i));
  features_in_use = features.known();
}

}  // namespace maui
