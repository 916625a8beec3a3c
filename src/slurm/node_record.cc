#include "slurm/node_record.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "slurm/gres.h"
#include "slurm/lists.h"
#include "slurm/shape.h"

namespace maui::slurm {
namespace {

// A node that does not answer takes no jobs; what runs there may well go on.
maui::NodeState state_of(const Node& node) {
  using Told = maui::NodeState;
  if (!node.powered) return Told::down;
  const bool occupied =
      node.state == NodeState::allocated || node.state == NodeState::mixed || node.completing;
  switch (node.state) {
    case NodeState::unknown:
    case NodeState::down:
      return Told::down;
    case NodeState::idle:
    case NodeState::allocated:
    case NodeState::mixed:
      break;
  }
  if (node.closed || node.silent) return occupied ? Told::draining : Told::drained;
  if (node.state == NodeState::allocated) return Told::busy;
  return node.state == NodeState::mixed ? Told::running : Told::idle;
}

Resources::Quantity amount(std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<Resources::Quantity>::max();
  return static_cast<Resources::Quantity>(std::clamp<std::int64_t>(value, 0, kMost));
}

using Classes = std::map<std::string, std::vector<std::string>>;

// The partitions that are up, by node.
Classes classes_of(const std::vector<Partition>& partitions) {
  Classes classes;
  for (const Partition& partition : partitions) {
    if (!partition.up) continue;
    for (const auto& name : host_names(partition.nodes)) classes[name].push_back(partition.name);
  }
  return classes;
}

// Slurm starts nothing on a node that it clears.  What takes a moment is not told: what is started
// meanwhile begins when that is over, sooner than by way of another poll.
constexpr Seconds kMoment{5};

std::set<std::string> nodes_slow_to_clear(const Cluster& cluster, Time now) {
  std::set<std::string> nodes;
  for (const Job& job : cluster.jobs)
    if (job.completing && job.ended > Time(0) && now - job.ended > kMoment)
      for (const auto& name : host_names(job.nodes)) nodes.insert(name);
  return nodes;
}

NodeReport tell(const Node& node, const Classes& classes, bool slow_to_clear) {
  NodeReport told;
  told.node.name = node.name;
  told.node.reported = state_of(node);
  const bool open =
      told.node.reported == maui::NodeState::idle || told.node.reported == maui::NodeState::running;
  if (open && node.completing && slow_to_clear) told.node.reported = maui::NodeState::busy;
  told.node.architecture = node.architecture;
  told.node.operating_system = node.system.substr(0, node.system.find(' '));
  told.node.configured = Resources(node.cpus, amount(node.memory), 0, amount(node.disk));
  told.node.load = node.load;
  for (const auto feature : split(node.features, ','))
    if (!trimmed(feature).empty()) told.features.emplace_back(trimmed(feature));
  told.generic = generic_resources(node.gres);
  if (const auto at = classes.find(node.name); at != classes.end())
    for (const auto& name : at->second) told.classes.emplace_back(name, node.cpus);
  return told;
}

// Whole nodes, or an even share of the cores where it has fewer than they have.
std::vector<std::pair<std::string, int>> share_of_nodes(const Reservation& one,
                                                        const Cluster& cluster) {
  std::vector<std::pair<std::string, int>> shares;
  for (auto& name : host_names(one.nodes)) shares.emplace_back(std::move(name), -1);
  if (one.cores == 0) return shares;
  std::unordered_map<std::string_view, int*> places;
  for (auto& [name, cpus] : shares) places.emplace(name, &cpus);
  std::int64_t cores = 0;
  for (const Node& node : cluster.nodes)
    if (places.contains(node.name)) cores += node.cores;
  if (one.cores >= cores) return shares;
  const int each = ceiling(one.cores, static_cast<int>(shares.size()));
  for (const Node& node : cluster.nodes)
    if (const auto at = places.find(node.name); at != places.end() && each < node.cores)
      *at->second = each * (node.cpus / node.cores);
  return shares;
}

}  // namespace

std::vector<ReservationReport> told_reservations(const Cluster& cluster) {
  std::vector<ReservationReport> told;
  for (const Reservation& one : cluster.reservations) {
    ReservationReport& report = told.emplace_back();
    report.name = one.name;
    report.start = one.start;
    report.end = one.end;
    report.nodes = one.cpus.empty() ? share_of_nodes(one, cluster) : one.cpus;
  }
  return told;
}

std::vector<NodeReport> told_nodes(const Cluster& cluster, Time now) {
  const auto classes = classes_of(cluster.partitions);
  const auto slow = nodes_slow_to_clear(cluster, now);
  std::vector<NodeReport> told;
  told.reserve(cluster.nodes.size());
  for (const Node& node : cluster.nodes)
    told.push_back(tell(node, classes, slow.contains(node.name)));
  return told;
}

}  // namespace maui::slurm
