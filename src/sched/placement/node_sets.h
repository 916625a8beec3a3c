// The node sets of a request (guide 8.3), as sets of kinds of nodes.
//
// All attributes that a set can refer to - features, networks, classes, memory,
// processor speed - are equal for all nodes of a kind, so a set of nodes is a mask over
// kinds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maui/cluster.h"

namespace maui {

using KindMask = std::vector<char>;

struct KindSet {
  KindMask kinds;
  double fastest = 0;  // the highest processor speed in the set, for PROCSPEED
};

/// Returns the sets to choose from, in the order that breaks ties: that of the list, else fastest
/// first, or names in the order in which they became known.  Omits sets without a node that
/// `serves`.  With ANYOF there is one set, the union.  With a tolerance, every range of speeds
/// within it is a set.
std::vector<KindSet> node_sets(const Cluster& cluster, const NodeSet& wanted,
                               const KindMask& serves);

/// Returns the effort of making and trying that many sets, in kinds of nodes examined; few sets of
/// few kinds cost nothing.
std::int64_t effort_of_sets(const NodeSet& wanted, std::size_t sets, std::size_t kinds);

/// Returns the processor power that a job loses at the speed of its slowest node (MINLOSS).
double loss_of(const Cluster& cluster, const Request& request, const Placement& nodes);

/// True if the job may not run outside of its node set yet (NODESETDELAY).
bool waits_for_set(const Job& job, const Request& request, Time now);

}  // namespace maui
