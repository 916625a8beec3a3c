#include "sched/placement/lack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/partition_names.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/lacking_amounts.h"

namespace maui {
namespace {

template <class Test>
bool no_node(const Cluster& cluster, Test test) {
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
    if (cluster.nodes_of_kind(kind) > 0 && test(cluster.node(cluster.sample_of_kind(kind))))
      return false;
  return true;
}

/// Returns the names of the features in `wanted` that no node has.
std::vector<std::string> missing_features(const Cluster& cluster,
                                          const std::vector<FeatureId>& wanted) {
  std::vector<std::string> names;
  for (const FeatureId id : wanted)
    if (no_node(cluster, [id](const Node& node) { return node.has(id); }))
      names.push_back(feature_words(cluster, id));
  return names;
}

/// Returns the requested things that no node has, each taken by itself.
std::vector<std::string> missing(const Cluster& cluster, const Request& request,
                                 const Requirement& requirement) {
  std::vector<std::string> names = missing_features(cluster, requirement.features);
  const auto more = missing_features(cluster, request.qos_features);
  names.insert(names.end(), more.begin(), more.end());
  const auto want = [&](bool asked, auto there, std::string_view what, std::string_view name) {
    if (asked && no_node(cluster, there)) names.push_back(fmt::format("{} '{}'", what, name));
  };
  Requirement of_class;
  of_class.job_class = requirement.job_class;
  want(
      requirement.job_class.valid(),
      [&](const Node& node) {
        return mismatch(cluster, node.id, {}, of_class) != NodeReason::job_class;
      },
      "class", cluster.classes[requirement.job_class]);
  want(
      !requirement.network.empty(),
      [&](const Node& node) {
        return std::find(node.networks.begin(), node.networks.end(), requirement.network) !=
               node.networks.end();
      },
      "network", requirement.network);
  want(
      !requirement.architecture.empty(),
      [&](const Node& node) { return node.architecture == requirement.architecture; },
      "architecture", requirement.architecture);
  want(
      !requirement.operating_system.empty(),
      [&](const Node& node) { return node.operating_system == requirement.operating_system; },
      "operating system", requirement.operating_system);
  return names;
}

}  // namespace

std::string lack_of(const Cluster& cluster, const Request& request) {
  if (!request.partitions.empty() &&
      no_node(cluster, [&](const Node& node) { return in_partition(request, node); })) {
    return fmt::format("no node is in partition '{}'",
                       partition_names(cluster, request.partitions));
  }
  for (const auto& requirement : request.requirements) {
    if (const auto names = missing(cluster, request, requirement); !names.empty())
      return fmt::format("no node has {}", fmt::join(names, " or "));
    if (no_node(cluster, [&](const Node& node) {
          return mismatch(cluster, node.id, request, requirement) == NodeReason::none;
        })) {
      auto amounts = lacking_amounts(cluster, request, requirement);
      return amounts.empty() ? "no node has everything that one of its tasks requests" : amounts;
    }
  }
  Request anywhere = request;
  anywhere.node_set.reset();
  if (request.node_set && ever_feasible(cluster, anywhere))
    return "no node set has all that the job asks for";
  if (auto excess = excess_of(cluster, request)) return *std::move(excess);
  anywhere.span = true;
  if (!request.span && ever_feasible(cluster, anywhere))
    return "the job asks for more than any partition has";
  return "no nodes together have all that the job asks for";
}

HoldReason no_resources(const Cluster& cluster, const Request& request) {
  return {"NoResources: " + lack_of(cluster, request), HoldCause::no_resources};
}

}  // namespace maui
