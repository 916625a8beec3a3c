// checknode and showstate.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "cmd/facts.h"

namespace maui {
namespace {

Resources held_on(const Occupancy& here) {
  Resources held;
  for (const Occupant& one : here.occupants) held.add(one.amount);
  return held;
}

NodeReservation administrative(const Cluster& cluster, const Node& node, const Reservation& r,
                               Time now) {
  NodeReservation shown{
      r.name, r.kind == ReservationKind::job ? "Job" : "User", 0, raw(r.start), raw(r.end), {}};
  std::int64_t procs = 0;
  for (const NodeTasks& share : r.nodes) {
    if (share.node != node.id) continue;
    shown.tasks += share.tasks;
    procs += cluster.reserved_on(r, share).procs();
  }
  if (r.kind != ReservationKind::job)
    shown.blocked = {{std::max(r.start, now).raw(), procs, node.configured.procs()}};
  return shown;
}

std::vector<NodeReservation> reservations_on(const Cluster& cluster, const Node& node, Time now) {
  const Occupancy& here = cluster.occupancy(node.id);
  std::vector<NodeReservation> all;
  for (const Occupant& one : here.occupants) {
    const Job& job = cluster.job(one.job);
    all.push_back({job.name, "Job", one.tasks, raw(job.started), raw(one.ends), {}});
  }
  for (const ReservationId id : here.reservations)
    all.push_back(administrative(cluster, node, cluster.reservation(id), now));
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  return all;
}

std::vector<std::string> alerts_of(const Node& node, const Occupancy& here) {
  std::vector<std::string> alerts;
  if (here.free.procs() < 0)
    alerts.push_back(fmt::format("node is overcommitted (P: {})", here.free.procs()));
  if (!node.available() && node.reported == NodeState::down && !here.occupants.empty())
    alerts.push_back(fmt::format("node is down but {} jobs hold it", here.occupants.size()));
  return alerts;
}

}  // namespace

Answer checknode(const Context& context) {
  const Cluster& cluster = context.cluster();
  const auto id = node_named(context, context.request.operands.front());
  if (!id) return id.error();
  const Node& node = cluster.node(*id);
  const Occupancy& here = cluster.occupancy(*id);
  NodeReply reply;
  reply.now = context.now().raw();
  reply.verbose = context.has("v");
  reply.name = node.name;
  reply.state = state_name(cluster.state(*id));
  reply.state_since = node.state_since.raw();
  reply.configured = amounts_of(cluster, node.configured);
  reply.utilised = amounts_of(cluster, node.utilised);
  reply.dedicated = amounts_of(cluster, held_on(here));
  reply.opsys = or_none(node.operating_system);
  reply.arch = or_none(node.architecture);
  reply.partition = cluster.partitions[node.partition];
  reply.speed = node.speed;
  reply.load = node.load;
  reply.frame = node.frame;
  reply.slot = node.slot;
  reply.features = feature_names(cluster, node.features);
  reply.networks = node.networks;
  reply.classes = classes_of(cluster, here.free, node.configured);
  const NodeUse use = cluster.node_use(*id, context.now());
  reply.total_time = use.total.raw();
  reply.up_time = use.up.raw();
  reply.active_time = use.active.raw();
  reply.reservations = reservations_on(cluster, node, context.now());
  for (const Occupant& one : here.occupants) reply.jobs.push_back(cluster.job(one.job).name);
  reply.alerts = alerts_of(node, here);
  return Reply(std::move(reply));
}

Answer showstate(const Context& context) {
  const Cluster& cluster = context.cluster();
  StateReply reply;
  reply.now = context.now().raw();
  std::unordered_map<JobId, std::int64_t> index;
  for (const Active& line : cluster.active()) {
    const Job& job = cluster.job(line.job);
    index[line.job] = static_cast<std::int64_t>(reply.jobs.size());
    reply.jobs.push_back(
        {job.name, std::string(state_name(job.state)), cluster.users[job.credentials.user],
         cluster.groups[job.credentials.group], cluster.request(job.request).total_procs(),
         raw(job.ends - context.now()), raw(job.started)});
  }
  for (const Node& node : cluster.nodes()) {
    const Occupancy& here = cluster.occupancy(node.id);
    const bool occupied = !here.occupants.empty();
    reply.active_nodes += occupied ? 1 : 0;
    const std::string state(state_name(cluster.state(node.id)));
    reply.nodes.push_back({node.name, state, node.frame, node.slot, node.slots_used,
                           occupied ? index[here.occupants.front().job] : -1});
    if (!occupied && node.reported == NodeState::busy)
      reply.alerts.push_back(fmt::format("Node {} is Busy but Has No Job Scheduled", node.name));
    for (const auto& alert : alerts_of(node, here))
      reply.alerts.push_back(fmt::format("Node {}: {}", node.name, alert));
  }
  return Reply(std::move(reply));
}

}  // namespace maui
