#include "sched/placement/variants.h"

#include <algorithm>
#include <utility>

#include "base/sorted.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

double speed_of_kind(const Cluster& cluster, std::uint32_t kind) {
  return cluster.node(cluster.sample_of_kind(kind)).speed;
}

Seconds longest_stay(const Cluster& cluster, const Request& request,
                     const std::vector<KindMask>& kinds) {
  if (!request.by_speed) return request.limit;
  double slowest = 0;
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind) {
    const bool serves = std::any_of(kinds.begin(), kinds.end(),
                                    [&](const KindMask& mask) { return mask[kind] != 0; });
    const double speed = speed_of_kind(cluster, kind);
    if (serves) slowest = slowest == 0 ? speed : std::min(slowest, speed);
  }
  return request.limit_at(slowest);
}

// Returns variants on all of these kinds, then without the slowest ones, which shortens the run.
std::vector<Variant> by_speed(const Cluster& cluster, const Request& request,
                              std::vector<KindMask> kinds) {
  std::vector<double> speeds;
  for (std::uint32_t kind = 0; kind < cluster.kinds() && request.by_speed; ++kind)
    for (const auto& mask : kinds)
      if (mask[kind]) speeds.push_back(speed_of_kind(cluster, kind));
  sort_unique(speeds);
  std::vector<Variant> variants;
  variants.push_back({kinds, longest_stay(cluster, request, kinds)});
  for (std::size_t i = 1; i < speeds.size(); ++i) {
    for (auto& mask : kinds)
      for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
        if (speed_of_kind(cluster, kind) < speeds[i]) mask[kind] = 0;
    variants.push_back({kinds, longest_stay(cluster, request, kinds)});
  }
  return variants;
}

}  // namespace

Variants variants_of(const Cluster& cluster, const Request& request) {
  std::vector<KindMask> kinds;
  for (const auto& requirement : request.requirements) {
    kinds.push_back(serving_kinds(cluster, request, requirement));
    for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
      if (cluster.nodes_of_kind(kind) == 0) kinds.back()[kind] = 0;
  }
  Variants made;
  made.anywhere = by_speed(cluster, request, kinds);
  if (!request.node_set) return made;
  KindMask any(cluster.kinds(), 0);
  for (const auto& mask : kinds)
    for (std::size_t kind = 0; kind < any.size(); ++kind)
      any[kind] = static_cast<char>(any[kind] | mask[kind]);
  for (const auto& set : node_sets(cluster, *request.node_set, any)) {
    auto within = kinds;
    for (auto& mask : within)
      for (std::size_t kind = 0; kind < any.size(); ++kind)
        mask[kind] = static_cast<char>(mask[kind] & set.kinds[kind]);
    made.sets.push_back({by_speed(cluster, request, std::move(within)), set.fastest});
  }
  return made;
}

std::optional<Request> on_fast_nodes(const Cluster& cluster, const Request& request, Seconds most) {
  if (!request.by_speed) return std::nullopt;
  Request faster = request;
  for (const Node& node : cluster.nodes())
    if (request.limit_at(node.speed) > most) faster.excluded.push_back(node.id);
  sort_unique(faster.excluded);
  return faster.excluded.size() > request.excluded.size() ? std::optional(std::move(faster))
                                                          : std::nullopt;
}

Seconds shortest_stay(const Cluster& cluster, const Request& request) {
  if (!request.by_speed) return request.limit;
  double fastest = 0;
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
    if (cluster.nodes_of_kind(kind) > 0) fastest = std::max(fastest, speed_of_kind(cluster, kind));
  return request.limit_at(fastest);
}

Seconds shortest_stay(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  if (job.alternatives.empty()) return shortest_stay(cluster, request);
  Seconds shortest = kUnlimited;
  for (const auto& shape : job.alternatives)
    shortest = std::min(shortest, shortest_stay(cluster, in_shape(request, shape)));
  return shortest;
}

}  // namespace maui
