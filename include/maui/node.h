// A compute node (guide 3.2.1.2): resources, attributes, state.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/request.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

enum class NodeState : std::uint8_t {
  unknown,
  idle,      // up, no job on it
  running,   // up, jobs on it, resources left
  busy,      // up, no processors left
  drained,   // no new jobs
  draining,  // no new jobs, some still running
  down,
};
inline constexpr std::size_t kNodeStateCount = 7;

/// The policies that NODECFG sets for one node, besides attributes (guide 12.3); 0: no limit.
struct NodePolicy {
  std::optional<NodeAccess> access;
  int max_jobs = 0;
  int max_jobs_per_user = 0;
  double max_load = 0;
  int priority = 0;  // for MACHINEPRIO
  friend bool operator==(const NodePolicy&, const NodePolicy&) = default;
};

/// Time a node spent detected, up and busy since statistics began (checknode).
struct NodeUse {
  Seconds total{0}, up{0}, active{0};
};

struct Node {
  NodeId id;  // also its position in the resource manager's order
  std::string name;
  NodeState reported =
      NodeState::unknown;  // as the resource manager reports it: available, drained or down
  Time state_since{0};
  Resources configured;
  Resources utilised;
  double load = 0;
  PartitionId partition;
  std::vector<FeatureId> features;  // sorted
  std::vector<std::string> networks;
  std::string architecture, operating_system, type, resource_manager;
  double speed = 1.0;
  int proc_speed = 0;  // MHz
  int frame = -1, slot = -1, slots_used = 1;
  NodePolicy policy;
  NodeUse use;
  bool purged = false;  // not reported for NODEPURGETIME; no command shows it

  /// True if the node may start jobs: the resource manager reports it as up.
  bool available() const {
    return reported == NodeState::idle || reported == NodeState::running ||
           reported == NodeState::busy;
  }
  bool has(FeatureId feature) const {
    return std::binary_search(features.begin(), features.end(), feature);
  }
  /// True if the node is in service, with or without new jobs: the guide's Non-Down (checknode).
  bool up() const {
    return available() || reported == NodeState::drained || reported == NodeState::draining;
  }
};

}  // namespace maui
