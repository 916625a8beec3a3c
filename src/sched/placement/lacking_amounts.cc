#include "sched/placement/lacking_amounts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/comparison_names.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "model/manager_features.h"
#include "model/partition_names.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/requirement_fit.h"

namespace maui {
namespace {

/// "procs", "MB of memory", "of generic resource 'tape'".
std::string unit_of(const Cluster& cluster, ConsumableId what, Resources::Quantity amount) {
  if (what == kProcs) return std::string(by_number(amount, "proc", "procs"));
  if (what == kMemory) return "MB of memory";
  if (what == kSwap) return "MB of swap";
  if (what == kDisk) return "MB of disk";
  const std::string_view name = cluster.consumables[what];
  if (name.starts_with(kInitiatorPrefix))
    return fmt::format("{} of class '{}'", by_number(amount, "initiator", "initiators"),
                       name.substr(kInitiatorPrefix.size()));
  return fmt::format("of generic resource '{}'", name);
}

std::vector<Resources::Extra> amounts_in(const Resources& task) {
  std::vector<Resources::Extra> all;
  for (const ConsumableId what : {kProcs, kMemory, kSwap, kDisk})
    if (task.get(what) > 0) all.emplace_back(what, task.get(what));
  all.insert(all.end(), task.extra().begin(), task.extra().end());
  return all;
}

struct BoundedAmount {
  std::string_view name, unit;
  Bound bound;
  ConsumableId what;
};

std::vector<BoundedAmount> bounds_of(const Requirement& requirement) {
  std::vector<BoundedAmount> all{{"memory", " MB", requirement.memory, kMemory},
                                 {"disk", " MB", requirement.disk, kDisk},
                                 {"swap", " MB", requirement.swap, kSwap},
                                 {"procs", "", requirement.procs, kProcs}};
  std::erase_if(all, [](const BoundedAmount& one) { return one.bound.compare == Comparison::any; });
  return all;
}

std::string words_for(const BoundedAmount& one) {
  return fmt::format("{} {} {}{}", one.name,
                     name_of<Comparison>(kComparisonSigns, one.bound.compare), one.bound.amount,
                     one.unit);
}

/// "with class 'batch' and feature 'fast'"; empty: any node will do.
std::string needs_of_nodes(const Cluster& cluster, const Request& request,
                           const Requirement& requirement) {
  std::vector<std::string> all;
  const auto add = [&](std::string_view what, std::string_view name) {
    if (!name.empty()) all.push_back(fmt::format("{} '{}'", what, name));
  };
  if (requirement.job_class.valid()) add("class", cluster.classes[requirement.job_class]);
  for (const auto* features : {&requirement.features, &request.qos_features})
    for (const FeatureId id : *features) all.push_back(feature_words(cluster, id));
  add("network", requirement.network);
  add("architecture", requirement.architecture);
  add("operating system", requirement.operating_system);
  return all.empty() ? std::string() : "with " + join(all, " and ");
}

/// True unless the node lacks something other than amounts.
bool differs_in_amounts(NodeReason reason) {
  return reason == NodeReason::none || reason == NodeReason::cpu || reason == NodeReason::memory ||
         reason == NodeReason::swap || reason == NodeReason::disk ||
         reason == NodeReason::resources;
}

/// The nodes that can hold a task of a requirement, in one partition.
struct TaskRoom {
  long long nodes = 0, procs = 0, tasks = 0;
  bool met = false;
};

TaskRoom offer_of(const Cluster& cluster, const Request& request, const Requirement& requirement,
                  PartitionId partition) {
  TaskRoom offer;
  Need need(requirement);
  std::vector<std::pair<int, int>> rooms;  // tasks on a node, and the number of such nodes
  const auto add = [&](NodeId node, int count) {
    if (count <= 0 || !in_reach(request, cluster.node(node).partition, partition)) return;
    const int tasks = capacity(cluster, node, request, requirement);
    if (tasks <= 0) return;
    need.offer(tasks, count);
    rooms.emplace_back(tasks, count);
    offer.nodes += count;
    offer.procs += static_cast<long long>(count) * cluster.node(node).configured.procs();
  };
  if (const auto host = requirement.host; host.valid()) {
    if (request.may_use(host)) add(host, 1);
  } else {
    const auto nodes = nodes_to_ask(cluster, request);
    for (std::uint32_t kind = 0; kind < nodes.size(); ++kind)
      if (nodes[kind] > 0) add(cluster.sample_of_kind(kind), nodes[kind]);
  }
  offer.met = need.met();
  std::sort(rooms.rbegin(), rooms.rend());
  long long left = requirement.nodes > 0 ? requirement.nodes : offer.nodes;
  for (const auto& [tasks, count] : rooms) {
    const long long used = std::min<long long>(left, count);
    offer.tasks += used * tasks;
    left -= used;
  }
  return offer;
}

/// Returns how many nodes the requirement needs at least, as far as it says so.
int nodes_needed(const Requirement& requirement) {
  if (requirement.tasks_per_node > 0)
    return (requirement.tasks + requirement.tasks_per_node - 1) / requirement.tasks_per_node;
  return std::max(requirement.least_nodes, requirement.exact_nodes ? requirement.nodes : 0);
}

/// "20 procs", "5 nodes", "16 tasks with 1 proc and 4000 MB of memory each", and how many there
/// are.
struct Shortage {
  std::string words;
  long long asked = 0, found = 0;
  enum class Of { procs, nodes, tasks } of = Of::procs;
};

Shortage shortage_of(const Cluster& cluster, const Requirement& requirement,
                     const TaskRoom& offer) {
  if (const int needed = nodes_needed(requirement); offer.nodes < needed)
    return {counted(needed, "node"), needed, offer.nodes, Shortage::Of::nodes};
  const auto per_task = amounts_in(requirement.per_task);
  const auto own_class = [&](const Resources::Extra& amount) {
    return cluster.consumables[amount.first].starts_with(kInitiatorPrefix);
  };
  const bool only_procs =
      bounds_of(requirement).empty() &&
      std::all_of(per_task.begin(), per_task.end(), [&](const Resources::Extra& amount) {
        return amount.first == kProcs || own_class(amount);
      });
  const long long procs = std::int64_t{requirement.tasks} * requirement.per_task.procs();
  if (only_procs && procs > offer.procs && requirement.nodes == 0)
    return {counted(procs, "proc"), procs, offer.procs};
  std::vector<std::string> parts;
  for (const auto& [what, amount] : per_task)
    if (!own_class({what, amount}))
      parts.push_back(fmt::format("{} {}", amount, unit_of(cluster, what, amount)));
  std::string words = counted(requirement.tasks, "task");
  if (!parts.empty()) words += fmt::format(" with {} each", join(parts, " and "));
  if (requirement.nodes > 0)
    words += fmt::format(" on {}{}", requirement.exact_nodes ? "" : "at most ",
                         counted(requirement.nodes, "node"));
  return {words, requirement.tasks, offer.tasks, Shortage::Of::tasks};
}

/// "the cluster has 16", "there are 4 on nodes with class 'debug' in partition 'fast'".
std::string words_for(const Cluster& cluster, const Request& request,
                      const Requirement& requirement, const Shortage& shortage, bool choice) {
  const std::string_view room = shortage.of == Shortage::Of::tasks ? "room for " : "";
  std::string where;
  if (requirement.host.valid())
    where = fmt::format(" on host '{}'", cluster.node(requirement.host).name);
  else if (request.host_list_use == HostListUse::some_of)
    where = " on the hosts that it names";
  else if (!request.excluded.empty())
    where = " on the nodes that it may use";
  if (const auto needs = needs_of_nodes(cluster, request, requirement);
      where.empty() && !needs.empty())
    where = (shortage.of == Shortage::Of::nodes ? " " : " on nodes ") + needs;
  if (choice && where.empty() && request.partitions.empty())
    return fmt::format("no partition has {}more than {}", room, shortage.found);
  if (!request.partitions.empty())
    where += fmt::format(" in {} '{}'",
                         choice                           ? "one of the partitions"
                         : request.partitions.size() > 1U ? "the partitions"
                                                          : "partition",
                         partition_names(cluster, request.partitions));
  else if (choice)
    where += " in one partition";
  if (where.empty()) return fmt::format("the cluster has {}{}", room, shortage.found);
  if (!room.empty()) return fmt::format("there is room for {}{}", shortage.found, where);
  return fmt::format("there {} {}{}", by_number(shortage.found, "is", "are"), shortage.found,
                     where);
}

}  // namespace

std::string feature_words(const Cluster& cluster, FeatureId feature) {
  constexpr std::string_view kHost = "host=";
  const std::string_view name = cluster.features[feature];
  if (name.starts_with(kHost)) return fmt::format("host name '{}'", name.substr(kHost.size()));
  if (name.starts_with(kManagerPrefix))
    return fmt::format("resource manager '{}'", name.substr(kManagerPrefix.size()));
  return fmt::format("feature '{}'", name);
}

std::string lacking_amounts(const Cluster& cluster, const Request& request,
                            const Requirement& requirement) {
  std::vector<const Resources*> there;
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind) {
    if (cluster.nodes_of_kind(kind) == 0) continue;
    const NodeId node = cluster.sample_of_kind(kind);
    if (differs_in_amounts(mismatch(cluster, node, request, requirement)))
      there.push_back(&cluster.node(node).configured);
  }
  if (there.empty()) return {};
  const auto most = [&](ConsumableId what) {
    Resources::Quantity found = 0;
    for (const Resources* node : there) found = std::max(found, node->get(what));
    return found;
  };
  std::vector<std::string> lacking;
  for (const auto& [what, amount] : amounts_in(requirement.per_task)) {
    const auto found = most(what);
    if (amount <= found) continue;
    const auto unit = unit_of(cluster, what, amount);
    if (found == 0 && what.index() >= kElementary && unit.starts_with("of "))
      lacking.push_back(unit.substr(3));
    else
      lacking.push_back(fmt::format("{} {} (at most {})", amount, unit, found));
  }
  for (const BoundedAmount& one : bounds_of(requirement))
    if (std::none_of(there.begin(), there.end(),
                     [&](const Resources* node) { return one.bound.admits(node->get(one.what)); }))
      lacking.push_back(words_for(one));
  if (lacking.empty() && requirement.tasks_per_node > 0) {
    Resources::Quantity found = 0;
    for (const Resources* node : there)
      found = std::max(found, node->tasks_of(requirement.per_task));
    const int wanted = fewest_on_a_node(requirement);
    if (found < wanted)
      lacking.push_back(fmt::format("room for {} of its tasks (at most {})", wanted, found));
  }
  if (lacking.empty()) return {};
  std::string where = needs_of_nodes(cluster, request, requirement);
  if (!where.empty()) where.insert(0, " ");
  if (!request.partitions.empty())
    where += fmt::format(" in partition '{}'", partition_names(cluster, request.partitions));
  return fmt::format("no node{} has {}", where, fmt::join(lacking, " or "));
}

std::optional<std::string> excess_of(const Cluster& cluster, const Request& request) {
  const auto partitions = usable_partitions(cluster, request);
  for (const Requirement& requirement : request.requirements) {
    TaskRoom best;
    for (const PartitionId partition : partitions)
      if (const auto offer = offer_of(cluster, request, requirement, partition);
          offer.met || offer.tasks >= best.tasks) {
        best = offer;
        if (best.met) break;
      }
    if (best.met) continue;
    const auto shortage = shortage_of(cluster, requirement, best);
    if (shortage.found >= shortage.asked) continue;  // it is their distribution that does not fit
    return fmt::format("{} asks for {}, of which {}",
                       request.requirements.size() > 1 ? "one requirement of the job" : "the job",
                       shortage.words,
                       words_for(cluster, request, requirement, shortage, partitions.size() > 1));
  }
  return std::nullopt;
}

}  // namespace maui
