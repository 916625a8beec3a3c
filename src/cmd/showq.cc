// showq: the queue in three parts, or one part in detail (guide G).
#include <algorithm>

#include "cmd/access.h"
#include "cmd/facts.h"
#include "model/placement.h"
#include "sched/job_flags.h"
#include "sched/priority.h"

namespace maui {
namespace {

bool shows(const Context& context, DisplayFlag flag) {
  return has(context.settings().display.flags, flag);
}

DisplayChoice display_of(const Context& context) {
  return {shows(context, DisplayFlag::node_centric), shows(context, DisplayFlag::account_centric)};
}

/// Which jobs are asked for, and which the user may see in detail.
struct Filter {
  const Context& context;
  PartitionId partition;
  std::string user;
  bool admits(const Job& job) const {
    const Cluster& cluster = context.cluster();
    return (user.empty() || cluster.users[job.credentials.user] == user) &&
           uses_partition(cluster, job, partition);
  }
  /// Blocked jobs of others are hidden from ordinary users under HIDEBLOCKED.
  bool admits_blocked(const Job& job) const {
    if (!admits(job)) return false;
    return !shows(context, DisplayFlag::hide_blocked) || is_admin(context, 3) || owns(context, job);
  }
};

std::string account_of(const Cluster& cluster, const Job& job) {
  return or_none(job.credentials.account.valid() ? cluster.accounts[job.credentials.account] : "");
}

WaitingRow waiting_row(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  return {job.name,
          cluster.users[job.credentials.user],
          std::string(queue_state(job)),
          request.total_procs(),
          raw(request.limit),
          raw(job.submitted),
          nodes_of(request)};
}

QueueReply everything(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  QueueReply reply{context.now().raw(), use_of(cluster, filter.partition), {}, {}, {},
                   display_of(context)};
  for (const Active& line : cluster.active()) {
    const Job& job = cluster.job(line.job);
    if (!filter.admits(job)) continue;
    reply.active.push_back(
        {job.name, cluster.users[job.credentials.user], std::string(state_name(job.state)),
         cluster.request(job.request).total_procs(), raw(job.ends - context.now()),
         raw(job.started), static_cast<std::int64_t>(node_count(job.placement))});
  }
  const auto eligible = eligible_jobs(context);
  for (const auto& ranked : eligible)
    if (const Job& job = cluster.job(ranked.job); filter.admits(job))
      reply.idle.push_back(waiting_row(cluster, job));
  for (const JobId id : blocked_jobs(context, eligible))
    if (filter.admits_blocked(cluster.job(id)))
      reply.blocked.push_back(waiting_row(cluster, cluster.job(id)));
  return reply;
}

ActiveDetail active_detail(const Context& context, const JobFlags& flags, const Job& job) {
  const Cluster& cluster = context.cluster();
  const Request& request = cluster.request(job.request);
  ActiveDetail row;
  row.name = job.name;
  row.user = cluster.users[job.credentials.user];
  row.group = cluster.groups[job.credentials.group];
  row.account = account_of(cluster, job);
  row.state = state_name(job.state);
  row.partition = partition_of(cluster, job);
  row.qos = job.credentials.qos.valid() ? cluster.qos[job.credentials.qos] : "DEFAULT";
  row.main_host = job.placement.empty() ? "-" : cluster.node(job.placement.front().node).name;
  row.efficiency = 100 * efficiency_of(cluster, job);
  const auto limit = static_cast<double>(std::max<std::int64_t>(request.limit.raw(), 1));
  row.xfactor = 1 + static_cast<double>((job.started - job.queued).raw()) / limit;
  row.priority = job.priority;
  row.procs = request.total_procs();
  row.nodes = static_cast<std::int64_t>(node_count(job.placement));
  row.remaining = raw(job.ends - context.now());
  row.started = raw(job.started);
  row.backfilled = has(job.flags, JobFlag::backfill);
  row.preemptible = flags.has(job, JobFlag::preemptee);
  return row;
}

ActiveQueueReply active_queue(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  ActiveQueueReply reply{context.now().raw(),
                         context.has("v"),
                         use_of(cluster, filter.partition),
                         {},
                         display_of(context)};
  const JobFlags flags(cluster, context.settings());
  for (const Active& line : cluster.active())
    if (const Job& job = cluster.job(line.job); filter.admits(job))
      reply.jobs.push_back(active_detail(context, flags, job));
  return reply;
}

IdleQueueReply idle_queue(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  IdleQueueReply reply;
  reply.now = context.now().raw();
  reply.display = display_of(context);
  reply.procs_up = use_of(cluster, filter.partition).procs_up;
  for (const auto& ranked : eligible_jobs(context)) {
    const Job& job = cluster.job(ranked.job);
    if (!filter.admits(job)) continue;
    const Request& request = cluster.request(job.request);
    const int procs = request.total_procs();
    reply.jobs.push_back(
        {job.name, cluster.users[job.credentials.user], cluster.groups[job.credentials.group],
         job.credentials.qos.valid() ? cluster.qos[job.credentials.qos] : "DEFAULT",
         cluster.classes[job.credentials.job_class],
         expansion_factor(cluster, context.settings(), context.now(), ranked.job), ranked.priority,
         procs, raw(request.limit), raw(job.queued), job.reservation.valid(),
         account_of(cluster, job), nodes_of(request)});
    reply.backlog_proc_hours += procs * static_cast<double>(request.limit.raw()) / 3600;
  }
  return reply;
}

BlockedQueueReply blocked_queue(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  BlockedQueueReply reply{context.now().raw(), {}};
  for (auto& [id, reason] : blocked_with_reasons(context, Strictness::hard)) {
    const Job& job = cluster.job(id);
    if (filter.admits_blocked(job))
      reply.jobs.push_back({job.name, cluster.users[job.credentials.user], std::move(reason)});
  }
  return reply;
}

}  // namespace

Answer showq(const Context& context) {
  const auto partition = partition_named(context, context.value("p"));
  if (!partition) return partition.error();
  const int parts = static_cast<int>(context.has("i")) + static_cast<int>(context.has("r")) +
                    static_cast<int>(context.has("b"));
  if (parts > 1) return Error{"showq: only one of -b, -i and -r at a time"};
  Filter filter{context, *partition, context.value("u")};
  // In detail, ordinary users see their own jobs (guide G: -i and -r are for administrators).
  if (parts == 1 && !is_admin(context, 3)) filter.user = context.request.user;
  if (context.has("r")) return Reply(active_queue(filter));
  if (context.has("i")) return Reply(idle_queue(filter));
  if (context.has("b")) return Reply(blocked_queue(filter));
  return Reply(everything(filter));
}

}  // namespace maui
