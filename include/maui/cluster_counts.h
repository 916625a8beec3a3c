// Totals over the nodes and jobs of a cluster.
#pragma once
#include <array>
#include <cstdint>

#include "maui/node.h"

namespace maui {

/// Processors of all, of available and of open nodes, processors that active jobs hold, occupied
/// nodes, the queue.
struct ClusterCounts {
  std::int64_t configured_procs = 0, available_procs = 0, held_procs = 0;
  std::int64_t open_procs = 0;              // free processors of open nodes
  std::int64_t held_unavailable_procs = 0;  // of held_procs: on nodes that are not available
  std::int64_t available_nodes = 0, occupied_nodes = 0;
  std::int64_t waiting_proc_seconds = 0;  // of the queue: processors times limit, if limited
  std::int64_t special_waiting = 0;       // special entries of the queue
  std::int64_t waiting_for_sets = 0;      // jobs in the queue with node sets
  std::int64_t waiting_particular = 0;    // jobs in the queue that do not take any processors
  std::int64_t waiting_preemptors = 0;    // preemptors in the queue
  std::array<std::int64_t, kNodeStateCount>
      nodes_reported{};  // by reported NodeState; without purged nodes
  std::array<std::int64_t, kNodeStateCount> procs_reported{};  // of those nodes

  /// The processors that jobs have or could have: nodes that take no more jobs count with those
  /// that their jobs hold.
  std::int64_t procs_up() const { return available_procs + held_unavailable_procs; }
  friend bool operator==(const ClusterCounts&, const ClusterCounts&) = default;
};

}  // namespace maui
