#include "engine/reports/node_sync.h"

#include <algorithm>
#include <utility>

namespace maui {

bool unexpected(const Cluster& cluster, const Node& node, const std::vector<std::string>& up_only) {
  const Occupancy& here = cluster.occupancy(node.id);
  if (node.reported != NodeState::busy &&
      std::find(up_only.begin(), up_only.end(), node.resource_manager) != up_only.end())
    return false;
  switch (node.reported) {
    case NodeState::idle:
      return std::any_of(here.occupants.begin(), here.occupants.end(),
                         [&](const Occupant& occupant) {
                           return cluster.job(occupant.job).state == JobState::running;
                         });
    case NodeState::running:
      return here.occupants.empty();
    case NodeState::busy:
      return !here.exclusive() && here.free.procs() > 0;
    case NodeState::unknown:
    case NodeState::drained:
    case NodeState::draining:
    case NodeState::down:
      break;
  }
  return false;
}

std::vector<std::string> up_only_of(const std::vector<RmRecord>& managers) {
  std::vector<std::string> names;
  for (const RmRecord& manager : managers)
    if (manager.nodes_up_only) names.push_back(manager.name);
  return names;
}

void NodeSync::judge(const Cluster& cluster, NodeId id, const std::vector<std::string>& up_only,
                     Time now) {
  Time& since = since_[id.index()];
  const bool doubted = since < kForever || closed_[id.index()] != 0;
  since = unexpected(cluster, cluster.node(id), up_only) ? std::min(since, now) : kForever;
  if (!doubted && since < kForever) doubted_.push_back(id);
}

std::vector<NodeId> NodeSync::look(const Cluster& cluster, const NodeParameters& policy,
                                   const std::vector<std::string>& up_only, Time now,
                                   const Touched& touched) {
  since_.resize(cluster.nodes().size(), kForever);
  closed_.resize(cluster.nodes().size());
  if (touched.all) {
    for (const Node& node : cluster.nodes()) judge(cluster, node.id, up_only, now);
  } else {
    for (const auto* runs : {&touched.reported, &touched.used})
      each_node(*runs, [&](NodeId id) { judge(cluster, id, up_only, now); });
  }
  std::vector<NodeId> changed;
  std::erase_if(doubted_, [&](NodeId id) {
    const Time since = since_[id.index()];
    const bool believed =
        cluster.node(id).reported != NodeState::busy && now - since >= policy.sync_time;
    const char closed = since < kForever && !believed ? 1 : 0;
    if (std::exchange(closed_[id.index()], closed) != closed) changed.push_back(id);
    return since == kForever;
  });
  return changed;
}

}  // namespace maui
