// With several resource managers, jobs run on the nodes of their own: nodes and jobs have the
// feature "rm:NAME" of their manager.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/resource_manager.h"

namespace maui {

inline constexpr std::string_view kManagerPrefix = "rm:";

/// Returns the name of the feature of a resource manager.
std::string manager_feature(std::string_view manager);
/// Adds a manager's feature to all requirements of the job.
void bind_to_manager(JobReport& job, const std::string& feature);
/// Returns the feature of the node's resource manager; an invalid id if there is only one manager.
FeatureId manager_feature_of(const Cluster& cluster, const Node& node);
/// Returns the features of the resource managers that have nodes, those with most processors first;
/// none if there is only one manager.
std::vector<FeatureId> manager_features(const Cluster& cluster);

}  // namespace maui
