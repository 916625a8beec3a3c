// How a cluster changes the occupancy of its nodes.
#pragma once
#include "maui/cluster.h"

namespace maui {

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
