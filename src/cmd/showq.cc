// showq: the queue in three parts, or one part in detail (guide G).
#include <fmt/format.h>

#include <algorithm>

#include "base/state_names.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts/cluster_walk.h"
#include "cmd/facts/ended_job_facts.h"
#include "cmd/facts/expectations.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/queue_standing.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"
#include "model/job_dates.h"
#include "model/keys.h"
#include "model/placement.h"
#include "sched/priority/priority.h"
#include "sched/priority/priority_judge.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

bool shows(const Context& context, DisplayFlag flag) {
  return has(context.settings().display.flags, flag);
}

DisplayChoice display_of(const Context& context) {
  return {shows(context, DisplayFlag::node_centric), shows(context, DisplayFlag::account_centric)};
}

/// Selects the requested jobs that the user may see in detail.
struct Filter {
  const Context& context;
  PartitionId partition;
  std::string user, group = {}, account = {}, job_class = {}, qos = {};  // empty: any
  bool admits(const Job& job) const {
    if (asks_for_more() && !sees_all_of(context, job)) return false;
    const Cluster& cluster = context.cluster();
    const Credentials& job_of = job.credentials;
    const auto fits = [](const std::string& wanted, const std::string& name) {
      return wanted.empty() || wanted == name;
    };
    return fits(user, cluster.users[job_of.user]) && fits(group, cluster.groups[job_of.group]) &&
           fits(account, cluster.accounts[job_of.account]) &&
           fits(job_class, cluster.classes[job_of.job_class]) && fits(qos, qos_of(cluster, job)) &&
           uses_partition(cluster, job, partition);
  }
  /// Blocked jobs of others are hidden from ordinary users under HIDEBLOCKED.
  bool admits_blocked(const Job& job) const {
    if (!admits(job)) return false;
    return !shows(context, DisplayFlag::hide_blocked) || sees_all_of(context, job);
  }

 private:
  /// True if it selects by what open_to() hides.
  bool asks_for_more() const {
    return !group.empty() || !account.empty() || !job_class.empty() || !qos.empty();
  }
};

std::string account_of(const Cluster& cluster, const Job& job) {
  return or_none(job.credentials.account.valid() ? cluster.accounts[job.credentials.account] : "");
}

/// Parses -w user=amy,class=long into the filter.
Status constrain(const Context& context, Filter& filter) {
  constexpr std::pair<std::string_view, std::string Filter::*> kNames[] = {
      {"user", &Filter::user},       {"group", &Filter::group},     {"acct", &Filter::account},
      {"account", &Filter::account}, {"class", &Filter::job_class}, {"qos", &Filter::qos}};
  const auto [first, last] = context.request.flags.equal_range("w");
  for (auto flag = first; flag != last; ++flag)
    for (const auto pair : split(flag->second, ',')) {
      const auto equals = std::min(pair.find('='), pair.size());
      const auto name = std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& known) {
        return same_word(known.first, pair.substr(0, equals));
      });
      if (name == std::end(kNames) || equals + 1 >= pair.size())
        return Error{fmt::format(
            "showq: invalid -w '{}': expected user, group, acct, class or qos, = and a name",
            pair)};
      filter.*name->second = pair.substr(equals + 1);
    }
  return Done{};
}

WaitingRow waiting_row(const Cluster& cluster, const Job& job, std::int64_t priority) {
  const Request& request = cluster.request(job.request);
  return {job.name,
          cluster.users[job.credentials.user],
          std::string(queue_state(job)),
          request.total_procs(),
          raw(request.limit),
          raw(job.submitted),
          nodes_of(request),
          priority,
          cluster.groups[job.credentials.group],
          cluster.accounts[job.credentials.account],
          cluster.classes[job.credentials.job_class],
          qos_of(cluster, job)};
}

std::string main_host(const Cluster& cluster, const Job& job) {
  return job.placement.empty() ? "-" : cluster.node(job.placement.front().node).name;
}

ActiveRow active_row(const Context& context, const Job& job) {
  const Cluster& cluster = context.cluster();
  const Request& request = cluster.request(job.request);
  return {job.name,
          cluster.users[job.credentials.user],
          std::string(state_name(job.state)),
          request.total_procs(),
          remaining_of(cluster, job, context.now()),
          raw(dates_of(job).started),
          static_cast<std::int64_t>(node_count(job.placement)),
          raw(request.limit),
          raw(dates_of(job).submitted),
          job.priority,
          cluster.groups[job.credentials.group],
          cluster.accounts[job.credentials.account],
          cluster.classes[job.credentials.job_class],
          qos_of(cluster, job),
          main_host(cluster, job),
          std::max(job.run_so_far(context.now()), Seconds(0)).raw()};
}

/// Returns the row as the user may see it: whom a job is charged to, and how it is treated, is not
/// everybody's to know (guide G: -i and -r, which show that, are for administrators).
template <class Row>
Row open_to(const Context& context, const Job& job, Row row) {
  if (!sees_all_of(context, job)) row.group = row.account = row.job_class = row.qos = {};
  return row;
}

/// Builds all three parts of the queue, some rows at a time.
class QueueWalk final : public ClusterWalk {
 public:
  QueueWalk(const Context& of, const Filter& filter)
      : ClusterWalk(of), filter_{context(),      filter.partition, filter.user, filter.group,
                                 filter.account, filter.job_class, filter.qos} {}

  void complete(Reply& reply) const override { reply = std::move(*made_); }

 private:
  static constexpr std::size_t kRows = 500;
  enum class Part : std::uint8_t { active, idle, blocked };
  struct Line {
    JobId job;
    Part part;
    std::int64_t priority = 0;  // of an idle job
  };

  void begin() override {
    at_ = 0;
    jobs_.clear();
    const Cluster& cluster = context().cluster();
    *made_ = {context().now().raw(), use_of(cluster, filter_.partition), {}, {}, {},
              display_of(context())};
    for (const Active& line : cluster.active()) jobs_.push_back({line.job, Part::active, 0});
    const auto eligible = eligible_jobs(context());
    for (const auto& ranked : eligible) jobs_.push_back({ranked.job, Part::idle, ranked.priority});
    for (const JobId id : blocked_jobs(context(), eligible))
      jobs_.push_back({id, Part::blocked, 0});
  }
  bool go_on() override {
    const auto end = std::min(jobs_.size(), at_ + kRows);
    std::vector<JobId> blocked;
    for (; at_ < end; ++at_) {
      const Line& line = jobs_[at_];
      if (!shows(line)) continue;
      if (line.part == Part::blocked)
        blocked.push_back(line.job);
      else
        add(line);
    }
    add_blocked(blocked);
    return at_ < jobs_.size();
  }
  bool shows(const Line& line) const {
    const Job& job = context().engine.counted().job(line.job);
    return line.part == Part::blocked ? filter_.admits_blocked(job) : filter_.admits(job);
  }
  void add(const Line& line) {
    const Cluster& cluster = context().engine.counted();
    const Job& job = cluster.job(line.job);
    if (line.part == Part::active)
      made_->active.push_back(open_to(context(), job, active_row(context(), job)));
    else
      made_->idle.push_back(open_to(context(), job, waiting_row(cluster, job, line.priority)));
  }
  void add_blocked(const std::vector<JobId>& jobs) {
    if (jobs.empty()) return;
    const Cluster& cluster = context().engine.counted();
    const auto priorities = priorities_of(cluster, context().settings(), context().now(), jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Job& job = cluster.job(jobs[i]);
      made_->blocked.push_back(open_to(context(), job, waiting_row(cluster, job, priorities[i])));
    }
  }

  Filter filter_;
  std::vector<Line> jobs_;
  std::size_t at_ = 0;  // position in jobs_
  std::unique_ptr<QueueReply> made_ = std::make_unique<QueueReply>();
};

ActiveDetail active_detail(const Context& context, const JobFlags& flags,
                           const PriorityJudge& judge, const Job& job) {
  const Cluster& cluster = context.cluster();
  const Request& request = cluster.request(job.request);
  ActiveDetail row;
  row.name = job.name;
  row.user = cluster.users[job.credentials.user];
  row.group = cluster.groups[job.credentials.group];
  row.account = account_of(cluster, job);
  row.state = state_name(job.state);
  row.partition = partition_of(cluster, job);
  row.qos = qos_of(cluster, job);
  row.main_host = main_host(cluster, job);
  row.efficiency = 100 * efficiency_of(cluster, job);
  row.xfactor = judge.xfactor(job);
  row.priority = job.priority;
  row.procs = request.total_procs();
  row.nodes = static_cast<std::int64_t>(node_count(job.placement));
  row.remaining = remaining_of(cluster, job, context.now());
  row.started = raw(dates_of(job).started);
  row.backfilled = has(job.flags, JobFlag::backfill);
  row.preemptible = flags.has(job, JobFlag::preemptee);
  row.expected_end = expected_end(context, job);
  return row;
}

ActiveQueueReply active_queue(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  ActiveQueueReply reply{
      context.now().raw(), context.has("v"), use_of(cluster, filter.partition), {},
      display_of(context), context.has("e")};
  const JobFlags flags(cluster, context.settings());
  const PriorityJudge judge(cluster, context.settings(), context.now());
  for (const Active& line : cluster.active())
    if (const Job& job = cluster.job(line.job); filter.admits(job))
      reply.jobs.push_back(active_detail(context, flags, judge, job));
  return reply;
}

IdleQueueReply idle_queue(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  IdleQueueReply reply;
  reply.now = context.now().raw();
  reply.display = display_of(context);
  reply.procs_up = use_of(cluster, filter.partition).procs_up;
  const PriorityJudge judge(cluster, context.settings(), context.now());
  for (const auto& ranked : eligible_jobs(context)) {
    const Job& job = cluster.job(ranked.job);
    if (!filter.admits(job)) continue;
    const Request& request = cluster.request(job.request);
    const int procs = request.total_procs();
    reply.jobs.push_back({job.name, cluster.users[job.credentials.user],
                          cluster.groups[job.credentials.group], qos_of(cluster, job),
                          cluster.classes[job.credentials.job_class], judge.xfactor(job),
                          ranked.priority, procs, raw(request.limit), raw(job.queued),
                          job.reservation.valid(), account_of(cluster, job), nodes_of(request)});
    reply.backlog_proc_hours += static_cast<double>(backlog_of(request)) / 3600;
  }
  return reply;
}

BlockedQueueReply blocked_queue(const Filter& filter) {
  const Context& context = filter.context;
  const Cluster& cluster = context.cluster();
  BlockedQueueReply reply{context.now().raw(), {}};
  auto blocked = blocked_with_reasons(context, Strictness::hard);
  std::erase_if(blocked, [&](const BlockedJob& known) {
    return !filter.admits_blocked(cluster.job(known.job));
  });
  std::vector<JobId> jobs;
  for (const BlockedJob& known : blocked) jobs.push_back(known.job);
  const auto priorities = priorities_of(cluster, context.settings(), context.now(), jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    WaitingRow row = waiting_row(cluster, cluster.job(jobs[i]), priorities[i]);
    std::string& reason = blocked[i].reason;
    reply.jobs.push_back({std::move(row.name), std::move(row.user), std::move(reason),
                          std::move(row.state), std::move(row.group), std::move(row.account),
                          std::move(row.job_class), std::move(row.qos), row.procs, row.limit,
                          row.queued, row.priority});
  }
  return reply;
}

/// True if an ended job, which is known by names only, matches the filter.
bool admits(const Filter& filter, const EndedJob& job) {
  const auto fits = [](const std::string& wanted, const std::string& name) {
    return wanted.empty() || wanted == name;
  };
  const std::string partition =
      filter.partition.valid() ? filter.context.cluster().partitions[filter.partition] : "";
  return fits(filter.user, job.user) && fits(filter.group, job.group) &&
         fits(filter.account, job.account) && fits(filter.job_class, job.job_class) &&
         fits(filter.qos, job.qos.empty() ? "DEFAULT" : job.qos) && fits(partition, job.partition);
}

CompletedQueueReply completed_queue(const Filter& filter) {
  const Context& context = filter.context;
  CompletedQueueReply reply{context.now().raw(), {}, display_of(context)};
  for (const EndedJob& job : context.engine.ended_jobs())
    if (admits(filter, job)) reply.jobs.push_back(completed_row(job));
  std::stable_sort(reply.jobs.begin(), reply.jobs.end(),
                   [](const auto& a, const auto& b) { return a.ended < b.ended; });
  return reply;
}

}  // namespace

Answer showq(const Context& context) {
  const auto partition = partition_named(context, context.value("p"));
  if (!partition) return partition.error();
  const int parts = static_cast<int>(context.has("i")) + static_cast<int>(context.has("r")) +
                    static_cast<int>(context.has("b")) + static_cast<int>(context.has("c"));
  if (parts > 1) return Error{"showq: only one of -b, -c, -i and -r at a time"};
  if (context.has("e") && !context.has("r")) return Error{"showq: -e requires -r"};
  Filter filter{context, *partition, context.value("u")};
  if (const auto constrained = constrain(context, filter); !constrained) return constrained.error();
  // Detailed lists show ordinary users only their own jobs (guide G: -i, -r are for ADMINs).
  if (parts == 1 && !is_admin(context, 3)) filter.user = context.request.user;
  if (context.has("r")) return Reply(active_queue(filter));
  if (context.has("i")) return Reply(idle_queue(filter));
  if (context.has("b")) return Reply(blocked_queue(filter));
  if (context.has("c")) return Reply(completed_queue(filter));
  context.follow_up = std::make_unique<QueueWalk>(context, filter);
  return Reply(QueueReply());
}

}  // namespace maui
