// The scores of nodes by MACHINEPRIO and CPULOAD (guide 5.2.2.1, 5.2.2.4): higher is better.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// The free processors, memory, swap and disk of a node, and the number of its jobs, when nodes are
/// chosen.
struct NodeStanding {
  Resources free;
  int jobs = 0;
};

/// Returns the idle processor power: processors that are neither allocated nor under load.
double idle_power(const Node& node, const NodeStanding& standing);

/// The priorities of all nodes; the functions of NODECFG are looked up only once.
class NodePriorities {
 public:
  NodePriorities(const Cluster& cluster, const Settings& settings);
  double of(NodeId node, const NodeStanding& standing) const;

 private:
  struct Function {
    const PriorityFunction* source;
    std::vector<FeatureId> features;  // by step: the feature in FEATURE[...]
  };
  static constexpr std::uint32_t kNoFunction = ~std::uint32_t{0};
  Function resolved(const PriorityFunction& source) const;
  double value(const Function& function, const Node& node, const NodeStanding& standing) const;

  const Cluster& cluster_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> function_of_;  // by node; kNoFunction: PRIORITY counts
};

}  // namespace maui
