// Resources that load other than the scheduler's keeps from jobs (guide 12.3, appendix F:
// NODELOADPOLICY, NODEMAXLOAD, NODEUNTRACKEDLOADFACTOR,
// RESOURCEAVAILABILITYPOLICY).
//
// docs/decisions/node-loads.md says what was chosen where the guide contradicts
// itself.
#pragma once
#include <vector>

#include "engine/reports/node_sync.h"
#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// ADJUSTSTATE: over its own MAXLOAD, or at NODEMAXLOAD, a node takes no new jobs.
bool too_busy(const Node& node, const NodeParameters& policy);

/// Resources of a node that cannot be given to jobs although the jobs there hold only `held`.
Resources withheld_on(const Node& node, const Resources& held, const NodeParameters& policy);

/// The resources that jobs on the node hold which asked for `asked`: where the policy is UTILIZED,
/// those in use, shared out in proportion.  Where no use is known, as asked.
std::vector<Resources> held_on(const Node& node, std::vector<Resources> asked,
                               const NodeParameters& policy);

/// Says so to the cluster, and looks at no node again on which nothing has changed since.
class NodeLoads {
 public:
  /// Nodes of a resource manager that is `silent`, and those that `sync` closes, take no new jobs;
  /// `closed_anew` are those of which it says something else than before.
  void apply(Cluster& cluster, const NodeParameters& policy, const std::vector<std::string>& silent,
             const NodeSync& sync, const Touched& touched,
             const std::vector<NodeId>& closed_anew = {});

 private:
  void look(Cluster& cluster, NodeId id, const NodeSync& sync, bool by_use);

  bool begun_ = false;
  NodeParameters policy_;
  std::vector<std::string> silent_;
  std::vector<char> marked_;  // by node: a load is reported there, or something is kept from jobs
  std::size_t marks_ = 0;
};

}  // namespace maui
