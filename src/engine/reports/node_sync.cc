#include "engine/reports/node_sync.h"

#include <algorithm>
#include <utility>

namespace maui {

bool unexpected(const Cluster& cluster, const Node& node) {
  const Occupancy& here = cluster.occupancy(node.id);
  switch (node.reported) {
    case NodeState::idle:
      return std::any_of(here.occupants.begin(), here.occupants.end(), [&](const Occupant& one) {
        return cluster.job(one.job).state == JobState::running;
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

void NodeSync::judge(const Cluster& cluster, NodeId id, Time now) {
  Time& since = since_[id.index()];
  const bool doubted = since < kForever || closed_[id.index()] != 0;
  since = unexpected(cluster, cluster.node(id)) ? std::min(since, now) : kForever;
  if (!doubted && since < kForever) doubted_.push_back(id);
}

std::vector<NodeId> NodeSync::look(const Cluster& cluster, const NodeParameters& policy, Time now,
                                   const Touched& touched) {
  since_.resize(cluster.nodes().size(), kForever);
  closed_.resize(cluster.nodes().size());
  if (touched.all) {
    for (const Node& node : cluster.nodes()) judge(cluster, node.id, now);
  } else {
    for (const auto* runs : {&touched.reported, &touched.used})
      each_node(*runs, [&](NodeId id) { judge(cluster, id, now); });
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
