// The scores of nodes by MACHINEPRIO and CPULOAD (guide 5.2.2.1, 5.2.2.4): the
// higher the better.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// The free part of a node's processors, memory, swap and disk, and how many jobs are there, at the
/// moment of the choice.
struct NodeStanding {
  Resources free;
  int jobs = 0;
};

/// Idle processor power: processors that are neither promised nor used.
double idle_power(const Node& node, const NodeStanding& standing);

/// The priorities of all nodes; the functions that NODECFG gives them are looked up once.
class NodePriorities {
 public:
  NodePriorities(const Cluster& cluster, const Settings& settings);
  double of(NodeId node, const NodeStanding& standing) const;

 private:
  struct Function {
    const PriorityFunction* source;
    std::vector<FeatureId> features;  // by step: what FEATURE[...] names
  };
  double value(const Function& function, const Node& node, const NodeStanding& standing) const;

  const Cluster& cluster_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> function_of_;  // by node; past the end: PRIORITY alone
};

}  // namespace maui
