// The node sets of a request (guide 8.3), as sets of kinds of nodes.
//
// All that a set can be about - features, networks, classes, memory, processor
// speed - is the same for all nodes of a kind, so a set of nodes is a mask over
// kinds.
#pragma once
#include <vector>

#include "maui/cluster.h"

namespace maui {

using KindMask = std::vector<char>;

struct KindSet {
  KindMask kinds;
  double fastest = 0;  // the highest processor speed in it, for PROCSPEED
};

/// The sets to choose from, in the order of choice among equals: that of the list, else fastest
/// first, or the order of names.  Sets without a node that `serves` are left out.  With ANYOF there
/// is one, of all together.  A tolerance makes every range of speeds within it a set.
std::vector<KindSet> node_sets(const Cluster& cluster, const NodeSet& wanted,
                               const KindMask& serves);

/// Processor power that a job loses by running no faster than its slowest node (MINLOSS).
double loss_of(const Cluster& cluster, const Request& request, const Placement& nodes);

/// The job may not yet run outside of its node set (NODESETDELAY).
bool waits_for_set(const Job& job, const Request& request, Time now);

}  // namespace maui
