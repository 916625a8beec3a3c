#include "model/placement.h"

#include <algorithm>
#include <utility>

#include "base/sorted.h"

namespace maui {

void Placement::add(const Part& part) {
  size_ += static_cast<std::size_t>(part.nodes.size());
  if (extend(part)) return;
  parts_.push_back(part);
  if (part.nodes.size() == 1) parts_.back().downwards = false;
}

/// Extends the last part by these nodes, as if they had been added one by one; false if impossible.
bool Placement::extend(const Part& part) {
  if (parts_.empty()) return false;
  Part& last = parts_.back();
  if (last.tasks != part.tasks || last.requirement != part.requirement) return false;
  const bool last_single = last.nodes.size() == 1, part_single = part.nodes.size() == 1;
  const bool up = (last_single || !last.downwards) && (part_single || !part.downwards);
  const bool down = (last_single || last.downwards) && (part_single || part.downwards);
  if (up && part.nodes.first == last.nodes.end) {
    last.nodes.end = part.nodes.end;
    last.downwards = false;
  } else if (down && part.nodes.end == last.nodes.first) {
    last.nodes.first = part.nodes.first;
    last.downwards = true;
  } else {
    return false;
  }
  return true;
}

std::vector<NodeId> nodes_of(const Placement& placement) {
  std::vector<NodeId> nodes;
  nodes.reserve(placement.size());
  for (const NodeTasks& share : placement) nodes.push_back(share.node);
  sort_unique(nodes);
  return nodes;
}

std::int64_t task_count(const Placement& placement) {
  std::int64_t count = 0;
  for (const Placement::Part& part : placement.parts())
    count += std::int64_t{part.tasks} * part.nodes.size();
  return count;
}

std::size_t node_count(const Placement& placement) {
  const auto parts = placement.parts();
  if (std::all_of(parts.begin(), parts.end(), [&](const Placement::Part& part) {
        return part.requirement == parts.front().requirement;
      }))
    return placement.size();
  std::vector<NodeRun> runs;
  for (const Placement::Part& part : parts) runs.push_back(part.nodes);
  std::sort(runs.begin(), runs.end(),
            [](const NodeRun& a, const NodeRun& b) { return a.first < b.first; });
  std::size_t count = 0;
  std::uint32_t end = 0;
  for (const NodeRun& run : runs) {
    if (run.end <= end) continue;
    count += run.end - std::max(run.first, end);
    end = run.end;
  }
  return count;
}

PartitionId partition_of(const Cluster& cluster, const Placement& placement) {
  return placement.empty() ? PartitionId(0U) : cluster.node(placement.front().node).partition;
}

bool in_one_partition(const Cluster& cluster, const Placement& placement) {
  const PartitionId first = partition_of(cluster, placement);
  return std::all_of(placement.begin(), placement.end(), [&](const NodeTasks& share) {
    return cluster.node(share.node).partition == first;
  });
}

void sort_by_node(Placement& nodes) {
  std::uint32_t end = 0;
  const auto parts = nodes.parts();
  if (std::all_of(parts.begin(), parts.end(), [&end](const Placement::Part& part) {
        return part.nodes.first >= std::exchange(end, part.nodes.end) && !part.downwards;
      }))
    return;
  std::vector<NodeTasks> shares(nodes.begin(), nodes.end());
  std::stable_sort(shares.begin(), shares.end(),
                   [](const NodeTasks& a, const NodeTasks& b) { return a.node < b.node; });
  nodes = Placement(shares.begin(), shares.end());
}

Resources amount_on(NodeId node, const Placement& placement, const Request& request) {
  Resources amount;
  for (const Placement::Part& part : placement.parts())
    if (part.nodes.contains(node))
      amount.add(request.requirements[part.requirement].per_task, part.tasks);
  return amount;
}

}  // namespace maui
