// The traits of a node: everything in which nodes can differ for requests, except their names.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maui/node.h"

namespace maui {

/// Nodes with equal traits are of one kind.
struct NodeTraits {
  NodeTraits(const Node& node, Resources all)
      : configured(std::move(all)),
        partition(node.partition),
        features(node.features),
        networks(node.networks),
        architecture(node.architecture),
        operating_system(node.operating_system),
        type(node.type),
        speed(node.speed),
        proc_speed(node.proc_speed),
        access(node.policy.access),
        max_jobs(node.policy.max_jobs),
        max_jobs_per_user(node.policy.max_jobs_per_user),
        max_load(node.policy.max_load) {}
  explicit NodeTraits(const Node& node) : NodeTraits(node, node.configured) {}

  Resources configured;
  PartitionId partition;
  std::vector<FeatureId> features;
  std::vector<std::string> networks;
  std::string architecture, operating_system, type;
  double speed;
  int proc_speed;
  std::optional<NodeAccess> access;
  int max_jobs, max_jobs_per_user;
  double max_load;

  friend bool operator==(const NodeTraits&, const NodeTraits&) = default;
};

struct NodeTraitsHash {
  std::size_t operator()(const NodeTraits& traits) const;
};

}  // namespace maui
