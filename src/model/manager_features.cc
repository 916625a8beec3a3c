#include "model/manager_features.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace maui {

std::string manager_feature(std::string_view manager) {
  return std::string(kManagerPrefix).append(manager);
}

void bind_to_manager(JobReport& job, const std::string& feature) {
  job.features.resize(std::max<std::size_t>(1, job.features.size()));
  for (auto& list : job.features) list.push_back(feature);
}

FeatureId manager_feature_of(const Cluster& cluster, const Node& node) {
  if (node.resource_manager.empty()) return {};
  const FeatureId id = cluster.features.find(manager_feature(node.resource_manager));
  return id.valid() && node.has(id) ? id : FeatureId();
}

std::vector<FeatureId> manager_features(const Cluster& cluster) {
  std::vector<std::pair<std::int64_t, FeatureId>> managers;
  // All nodes of a kind have the same features.
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind) {
    const auto nodes = static_cast<std::int64_t>(cluster.nodes_of_kind(kind));
    if (nodes == 0) continue;
    const Node& node = cluster.node(cluster.sample_of_kind(kind));
    const FeatureId id = manager_feature_of(cluster, node);
    if (!id.valid()) continue;
    auto at = std::find_if(managers.begin(), managers.end(),
                           [id](const auto& known) { return known.second == id; });
    if (at == managers.end()) at = managers.insert(at, {0, id});
    at->first += nodes * node.configured.procs();
  }
  std::stable_sort(managers.begin(), managers.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<FeatureId> features;
  for (const auto& [procs, id] : managers) features.push_back(id);
  return features;
}

}  // namespace maui
