// checknode and showstate.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/state_names.h"
#include "base/text.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/node_claims.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"
#include "model/job_dates.h"

namespace maui {
namespace {

std::vector<std::string> alerts_of(const Context& context, const Node& node,
                                   const Occupancy& here) {
  std::vector<std::string> alerts;
  if (!node.available() && node.reported == NodeState::down && !here.occupants.empty())
    alerts.push_back("node is down but has " + counted(here.occupants.size(), "active job"));
  if (here.closed) alerts.push_back("the node accepts no new jobs: " + why_closed(context, node));
  const auto& kept = here.withheld;
  if (!kept.zero())
    alerts.push_back(
        fmt::format("withheld because of other load than that of its jobs: {}, {} MB memory, {} MB "
                    "swap, {} MB disk",
                    counted(kept.procs(), "proc"), kept.memory(), kept.swap(), kept.disk()));
  return alerts;
}

std::vector<std::string> policies_of(const NodePolicy& policy) {
  std::vector<std::string> said;
  if (policy.access) said.push_back(fmt::format("ACCESS={}", access_name(*policy.access)));
  if (policy.max_jobs > 0) said.push_back(fmt::format("MAXJOB={}", policy.max_jobs));
  if (policy.max_jobs_per_user > 0)
    said.push_back(fmt::format("MAXJOBPERUSER={}", policy.max_jobs_per_user));
  if (policy.max_load > 0) said.push_back(fmt::format("MAXLOAD={}", policy.max_load));
  if (policy.priority != 0) said.push_back(fmt::format("PRIORITY={}", policy.priority));
  return said;
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
  reply.pairs = context.has("A");
  reply.name = node.name;
  reply.state = state_name(cluster.state(*id));
  reply.state_since = std::min(cluster.state_since(*id), context.now()).raw();
  reply.configured = amounts_of(cluster, node.configured);
  const Utilisation used = utilisation_of(context, node);
  reply.utilised = amounts_of(cluster, used.amount);
  reply.dedicated = amounts_of(cluster, held_on(here));
  reply.opsys = or_none(node.operating_system);
  reply.arch = or_none(node.architecture);
  reply.partition = cluster.partitions[node.partition];
  reply.speed = node.speed;
  reply.load = used.load;
  reply.frame = node.frame;
  reply.slot = node.slot;
  reply.node_type = node.type.empty() ? "[DEFAULT]" : node.type;
  reply.proc_speed = node.proc_speed;
  reply.policies = policies_of(node.policy);
  reply.features = feature_names(cluster, node.features);
  reply.networks = node.networks;
  reply.classes = classes_of(cluster, here.free, node.configured);
  const NodeUse use = cluster.node_use(*id, context.now());
  reply.total_time = use.total.raw();
  reply.up_time = use.up.raw();
  reply.active_time = use.active.raw();
  reply.reservations = reservations_on(context, node);
  for (const Occupant& occupant : here.occupants)
    reply.jobs.push_back(cluster.job(occupant.job).name);
  if (reply.verbose)
    for (const UnusedAttribute& attribute : context.engine.unused_attributes(*id))
      reply.told.push_back(fmt::format("{}={}", attribute.name, attribute.value));
  reply.alerts = overcommitments(node, reply.reservations, context.now());
  for (const RmRecord& manager : silent_managers(context))
    if (manager.name == node.resource_manager) reply.alerts.push_back(old_news(context, manager));
  for (auto& alert : alerts_of(context, node, here)) reply.alerts.push_back(std::move(alert));
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
         remaining_of(cluster, job, context.now()), raw(dates_of(job).started),
         raw(cluster.request(job.request).limit), raw(dates_of(job).submitted),
         qos_of(cluster, job)});
    for (const NodeTasks& share : job.placement)
      reply.jobs.back().nodes.push_back(cluster.node(share.node).name);
  }
  for (const Node& node : listed_nodes(cluster)) {
    const Occupancy& here = cluster.occupancy(node.id);
    const bool occupied = !here.occupants.empty();
    reply.active_nodes += occupied ? 1 : 0;
    const std::string state(state_name(cluster.state(node.id)));
    reply.nodes.push_back({node.name, state, node.frame, node.slot, node.slots_used,
                           occupied ? index[here.occupants.front().job] : -1});
    if (!occupied && node.reported == NodeState::busy)
      reply.alerts.push_back(fmt::format("Node {} is Busy but Has No Job Scheduled", node.name));
    if (here.free.procs() < 0)
      reply.alerts.push_back(
          fmt::format("Node {}: node is overcommitted (P: {})", node.name, here.free.procs()));
    for (const auto& alert : alerts_of(context, node, here))
      reply.alerts.push_back(fmt::format("Node {}: {}", node.name, alert));
  }
  return Reply(std::move(reply));
}

}  // namespace maui
