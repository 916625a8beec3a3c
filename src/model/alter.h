// Changes of the occupancy of a cluster's nodes.
#pragma once
#include "maui/cluster.h"

namespace maui {

/// Computes what is free on a node with these resources in all.  Nothing is added back to what was
/// free before: sums that were too large to be counted have lost a part.
inline void count_free(Occupancy& here, const Resources& configured) {
  here.free = configured;
  here.free.add(here.withheld, -1);
  for (const Occupant& occupant : here.occupants) here.free.add(occupant.amount, -1);
}

template <class Change>
void Cluster::alter(NodeRun nodes, Change change) {
  occupancy_.change(nodes, [&](NodeRun run, Occupancy& here) {
    const bool was_open = here.open();
    count(here, -run.size());
    change(run, here);
    count(here, run.size());
    open_nodes_stale_ = open_nodes_stale_ || was_open != here.open();
  });
}

}  // namespace maui
