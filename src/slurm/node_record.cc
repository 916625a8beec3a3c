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

// A node that does not respond accepts no jobs, but its present jobs may still run.
maui::NodeState state_of(const Node& node) {
  using Reported = maui::NodeState;
  if (!node.powered) return Reported::down;
  const bool occupied =
      node.state == NodeState::allocated || node.state == NodeState::mixed || node.completing;
  switch (node.state) {
    case NodeState::unknown:
    case NodeState::down:
      return Reported::down;
    case NodeState::idle:
    case NodeState::allocated:
    case NodeState::mixed:
      break;
  }
  if (node.closed || node.silent) return occupied ? Reported::draining : Reported::drained;
  if (node.state == NodeState::allocated) return Reported::busy;
  return node.state == NodeState::mixed ? Reported::running : Reported::idle;
}

Resources::Quantity amount(std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<Resources::Quantity>::max();
  return static_cast<Resources::Quantity>(std::clamp<std::int64_t>(value, 0, kMost));
}

using Classes = std::map<std::string, std::vector<std::string>>;

// Returns the partitions that are up, by node.
Classes classes_of(const std::vector<Partition>& partitions) {
  Classes classes;
  for (const Partition& partition : partitions) {
    if (!partition.up) continue;
    for (const auto& name : host_names(partition.nodes)) classes[name].push_back(partition.name);
  }
  return classes;
}

// Slurm starts no job on a node that it clears.  Short delays are not reported: a job that is
// started in that time begins right after it, sooner than after another poll.
constexpr Seconds kShortDelay{5};

std::set<std::string> nodes_slow_to_clear(const Cluster& cluster, Time now) {
  std::set<std::string> nodes;
  for (const Job& job : cluster.jobs)
    if (job.completing && job.ended > Time(0) && now - job.ended > kShortDelay)
      for (const auto& name : host_names(job.nodes)) nodes.insert(name);
  return nodes;
}

NodeReport report_of(const Node& node, const Classes& classes, bool slow_to_clear) {
  NodeReport report;
  report.node.name = node.name;
  report.node.reported = state_of(node);
  const bool open = report.node.reported == maui::NodeState::idle ||
                    report.node.reported == maui::NodeState::running;
  if (open && node.completing && slow_to_clear) report.node.reported = maui::NodeState::busy;
  report.node.architecture = node.architecture;
  report.node.operating_system = node.system.substr(0, node.system.find(' '));
  report.node.configured = Resources(node.cpus, amount(node.memory), 0, amount(node.disk));
  report.node.load = node.load;
  for (const auto feature : split(node.features, ','))
    if (!trimmed(feature).empty()) report.features.emplace_back(trimmed(feature));
  report.generic = generic_resources(node.gres);
  if (const auto at = classes.find(node.name); at != classes.end())
    for (const auto& name : at->second) report.classes.emplace_back(name, node.cpus);
  return report;
}

// Returns whole nodes (-1), or an even share of the cores if the reservation has only some.
std::vector<std::pair<std::string, int>> share_of_nodes(const Reservation& reservation,
                                                        const Cluster& cluster) {
  std::vector<std::pair<std::string, int>> shares;
  for (auto& name : host_names(reservation.nodes)) shares.emplace_back(std::move(name), -1);
  if (reservation.cores == 0) return shares;
  std::unordered_map<std::string_view, int*> places;
  for (auto& [name, cpus] : shares) places.emplace(name, &cpus);
  std::int64_t cores = 0;
  for (const Node& node : cluster.nodes)
    if (places.contains(node.name)) cores += node.cores;
  if (reservation.cores >= cores) return shares;
  const int each = ceiling(reservation.cores, static_cast<int>(shares.size()));
  for (const Node& node : cluster.nodes)
    if (const auto at = places.find(node.name); at != places.end() && each < node.cores)
      *at->second = each * (node.cpus / node.cores);
  return shares;
}

}  // namespace

std::vector<ReservationReport> reservation_reports(const Cluster& cluster) {
  std::vector<ReservationReport> reports;
  for (const Reservation& reservation : cluster.reservations) {
    ReservationReport& report = reports.emplace_back();
    report.name = reservation.name;
    report.start = reservation.start;
    report.end = reservation.end;
    report.nodes =
        reservation.cpus.empty() ? share_of_nodes(reservation, cluster) : reservation.cpus;
  }
  return reports;
}

std::vector<NodeReport> node_reports(const Cluster& cluster, Time now) {
  const auto classes = classes_of(cluster.partitions);
  const auto slow = nodes_slow_to_clear(cluster, now);
  std::vector<NodeReport> reports;
  reports.reserve(cluster.nodes.size());
  for (const Node& node : cluster.nodes)
    reports.push_back(report_of(node, classes, slow.contains(node.name)));
  return reports;
}

}  // namespace maui::slurm
