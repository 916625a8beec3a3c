// Resources that are kept from jobs because of load that is not the scheduler's own (guide
// 12.3, appendix F: NODELOADPOLICY, NODEMAXLOAD, NODEUNTRACKEDLOADFACTOR,
// RESOURCEAVAILABILITYPOLICY).
//
// docs/decisions/node-loads.md explains the choices where the guide contradicts
// itself.
#pragma once
#include <vector>

#include "engine/reports/node_sync.h"
#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// ADJUSTSTATE: a node over its own MAXLOAD, or at NODEMAXLOAD, takes no new jobs.
bool too_busy(const Node& node, const NodeParameters& policy);

/// Returns the resources of a node that are kept from jobs, although its jobs hold only `held`.
Resources withheld_on(const Node& node, const Resources& held, const NodeParameters& policy);

/// Returns what jobs on the node that asked for `asked` hold: under policy UTILIZED the resources
/// in use, divided in proportion; `asked` if use is unknown.
std::vector<Resources> held_on(const Node& node, std::vector<Resources> asked,
                               const NodeParameters& policy);

/// Applies these rules to the cluster; skips nodes on which nothing has changed.
class NodeLoads {
 public:
  /// Closes nodes of `silent` resource managers, and those that `sync` closes, to new jobs.
  /// `closed_anew` are the nodes that `sync` has closed or opened since the last call.
  void apply(Cluster& cluster, const NodeParameters& policy, const std::vector<std::string>& silent,
             const NodeSync& sync, const Touched& touched, const std::vector<NodeId>& closed_anew,
             Time now);

 private:
  void look(Cluster& cluster, NodeId id, const NodeSync& sync, bool by_use, Time now);

  bool begun_ = false;
  NodeParameters policy_;
  std::vector<std::string> silent_;
  std::vector<char> marked_;  // by node: load is reported there, or resources are withheld
  std::size_t marks_ = 0;
};

}  // namespace maui
