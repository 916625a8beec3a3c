// The scores of nodes by MACHINEPRIO and CPULOAD (guide 5.2.2.1, 5.2.2.4): higher is better.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
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

/// The priorities of nodes.  The function of a node (NODECFG) is looked up when the node is first
/// asked for: a job that may use few nodes of a large cluster costs little.
class NodePriorities {
 public:
  /// Both must outlive it and stay as they are.
  NodePriorities(const Cluster& cluster, const Settings& settings);
  double of(NodeId node, const NodeStanding& standing);

 private:
  struct Function {
    const PriorityFunction* source;
    std::vector<FeatureId> features;  // by step: the feature in FEATURE[...]
  };
  using Number = std::uint32_t;  // index into functions_, or one of:
  static constexpr Number kNotLookedUp = ~Number{0}, kNoFunction = kNotLookedUp - 1;
  /// Returns the function that NODECFG gives this name, or `otherwise`.
  Number function_named(std::string_view name, Number otherwise);
  Function resolved(const PriorityFunction& source) const;
  double value(const Function& function, const Node& node, const NodeStanding& standing) const;

  const Cluster& cluster_;
  const Settings& settings_;
  std::vector<Function> functions_;  // of the nodes asked for, and that of DEFAULT
  std::map<const PriorityFunction*, Number> numbers_;
  Number common_;                    // that of DEFAULT
  std::vector<Number> function_of_;  // by node; kNoFunction: PRIORITY counts
};

}  // namespace maui
