#include "engine/node_sync.h"

#include <algorithm>

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

void NodeSync::look(const Cluster& cluster, const NodeParameters& policy, Time now) {
  since_.resize(cluster.nodes().size(), kForever);
  closed_.resize(cluster.nodes().size());
  for (const Node& node : cluster.nodes()) {
    Time& since = since_[node.id.index()];
    since = unexpected(cluster, node) ? std::min(since, now) : kForever;
    const bool believed = node.reported != NodeState::busy && now - since >= policy.sync_time;
    closed_[node.id.index()] = since < kForever && !believed;
  }
}

}  // namespace maui
