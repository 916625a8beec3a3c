#include "engine/reports/touched_nodes.h"

#include <utility>

namespace maui {

Touched TouchedNodes::take(const Cluster& cluster) {
  auto nodes =
      cluster.changed_nodes().since(std::exchange(nodes_read_, cluster.changed_nodes().revision()));
  const auto jobs =
      cluster.placed_jobs().since(std::exchange(jobs_read_, cluster.placed_jobs().revision()));
  // Nodes that jobs have left are those with more free resources.
  auto left = cluster.roomier().since(std::exchange(room_read_, cluster.roomier().revision()));
  Touched touched;
  touched.all = !std::exchange(begun_, true) || !nodes || !jobs || !left;
  if (touched.all) return touched;
  touched.reported = *std::move(nodes);
  touched.used = *std::move(left);
  for (const JobId id : *jobs)
    for (const Placement::Part& part : cluster.job(id).placement.parts())
      touched.used.push_back(part.nodes);
  return touched;
}

}  // namespace maui
