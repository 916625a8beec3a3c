// showstats: averages and shares computed from the engine's statistics (guide 9.2.1).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmd/access.h"
#include "cmd/diagnose.h"
#include "cmd/facts/learning_statistics.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/node_statistics.h"
#include "cmd/facts/period_statistics.h"
#include "cmd/facts/queue_standing.h"
#include "history/statistics_rows.h"

namespace maui {
namespace {

void fill_queue(StatisticsReply& reply, const Context& context) {
  const Cluster& cluster = context.cluster();
  reply.eligible_jobs = static_cast<std::int64_t>(eligible_jobs(context).size());
  reply.idle_jobs = static_cast<std::int64_t>(cluster.waiting().size());
  reply.active_jobs = static_cast<std::int64_t>(cluster.active().size());
  const QueueUse use = use_of(cluster);
  reply.active_procs = use.procs_active;
  reply.up_procs = use.procs_up;
  reply.active_nodes = use.nodes_active;
  reply.up_nodes = use.nodes_up;
}

void fill_completed(StatisticsReply& reply, const JobTotals& all) {
  const auto jobs = static_cast<double>(all.jobs);
  reply.completed_jobs = all.jobs;
  reply.successful_jobs = all.successful;
  reply.average_queue_hours = ratio(all.queue_hours, jobs);
  reply.max_queue_hours = all.max_queue_hours;
  reply.average_xfactor = ratio(all.xfactor, jobs);
  reply.max_xfactor = all.max_xfactor;
  reply.average_bypass = ratio(all.bypass, jobs);
  reply.max_bypass = all.max_bypass;
  reply.wallclock_accuracy = share(all.accuracy, jobs);
  reply.job_efficiency =
      all.jobs > 0 ? share(all.utilised_proc_seconds, all.dedicated_proc_seconds) : -1;
}

/// Fills in the hours the machine needs for the queue: by limits, and by the use of past jobs.
void fill_backlog(StatisticsReply& reply, const Context& context, const Statistics& s) {
  if (reply.up_procs == 0) return;
  const auto up = static_cast<double>(reply.up_procs);
  const double queued =
      static_cast<double>(context.cluster().counts().waiting_proc_seconds) / kHourSeconds / up;
  if (reply.wallclock_accuracy >= 0)
    reply.estimated_backlog_hours = queued * reply.wallclock_accuracy / 100;
  if (s.iterations > 0)
    reply.average_backlog_hours = s.backlog_proc_hours / static_cast<double>(s.iterations) / up;
}

Reply general(const Context& context) {
  const Statistics& s = context.engine.statistics();
  StatisticsReply reply;
  reply.now = context.now().raw();
  reply.verbose = context.has("v");
  reply.active_for = (context.now() - context.engine.started_at()).raw();
  reply.since = s.since.raw();
  reply.started = context.engine.started_at().raw();
  reply.iteration = context.engine.iteration();
  fill_queue(reply, context);
  fill_completed(reply, s.all);
  reply.preempted_jobs = s.preemptions;
  reply.preempted_proc_hours = s.preempted_proc_seconds / kHourSeconds;
  reply.dedicated_proc_hours = s.all.dedicated_proc_seconds / kHourSeconds;
  reply.total_proc_hours = s.available_proc_seconds / kHourSeconds;
  reply.min_utilisation = s.iterations > 0 ? 100 * s.min_utilisation : -1;
  reply.min_utilisation_iteration = s.min_utilisation_iteration;
  fill_backlog(reply, context, s);
  return reply;
}

/// Returns the sum of all rows.
CredentialRow sum_of(const std::vector<CredentialRow>& rows, const JobTotals& totals) {
  CredentialRow all;
  add_completed(all, totals);
  all.name = "[ALL]";
  for (const CredentialRow& row : rows) {
    all.active_jobs += row.active_jobs;
    all.active_procs += row.active_procs;
    all.active_proc_hours += row.active_proc_hours;
  }
  return all;
}

template <class IdType>
std::vector<CredentialRow> rows_of(const Context& context, const Names<IdType>& names,
                                   const std::map<IdType, JobTotals>& totals,
                                   IdType Credentials::*credential) {
  std::map<IdType, CredentialRow> rows;
  for (const auto& [id, sums] : totals)
    if (id.valid()) add_completed(rows[id], sums);
  const Cluster& cluster = context.cluster();
  if (context.has("v"))  // also credentials without use
    for (const std::string& name : names.all())
      if (const IdType id = names.find(name); id.valid()) rows[id];
  for (const Active& line : cluster.active()) {
    const Job& job = cluster.job(line.job);
    const IdType id = job.credentials.*credential;
    if (!id.valid()) continue;
    CredentialRow& row = rows[id];
    const int procs = cluster.request(job.request).total_procs();
    const auto left = std::max<std::int64_t>((job.ends - context.now()).raw(), 0);
    ++row.active_jobs;
    row.active_procs += procs;
    if (job.ends < kForever)
      row.active_proc_hours += procs * static_cast<double>(left) / kHourSeconds;
  }
  std::vector<CredentialRow> all;
  for (auto& [id, row] : rows) {
    row.name = names[id];
    all.push_back(std::move(row));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.dedicated_proc_hours > b.dedicated_proc_hours;
  });
  return all;
}

struct Kind {
  std::string_view flag, name;
  CredentialKind kind;
  CredentialTable Settings::*table;
  std::vector<CredentialRow> (*rows)(const Context&, const Statistics&);
};

constexpr Kind kKinds[] = {
    {"u", "user", CredentialKind::user, &Settings::users,
     [](const Context& c, const Statistics& s) {
       return rows_of(c, c.cluster().users, s.users, &Credentials::user);
     }},
    {"g", "group", CredentialKind::group, &Settings::groups,
     [](const Context& c, const Statistics& s) {
       return rows_of(c, c.cluster().groups, s.groups, &Credentials::group);
     }},
    {"a", "acct", CredentialKind::account, &Settings::accounts,
     [](const Context& c, const Statistics& s) {
       return rows_of(c, c.cluster().accounts, s.accounts, &Credentials::account);
     }},
    {"c", "class", CredentialKind::job_class, &Settings::classes,
     [](const Context& c, const Statistics& s) {
       return rows_of(c, c.cluster().classes, s.classes, &Credentials::job_class);
     }},
    {"q", "qos", CredentialKind::qos, &Settings::qos,
     [](const Context& c, const Statistics& s) {
       return rows_of(c, c.cluster().qos, s.qos, &Credentials::qos);
     }},
};

// Shows only a credential's own target: DEFAULT's target is not specific to any.
void add_targets(std::vector<CredentialRow>& rows, const CredentialTable& table) {
  for (auto& row : rows)
    if (const auto at = table.find(row.name); at != table.end() && at->second.fairshare_target)
      row.fairshare_target = at->second.fairshare_target->percent;
}

Answer by_credential(const Context& context, const Kind& kind, const std::string& name) {
  const Statistics& s = context.engine.statistics();
  CredentialStatisticsReply reply;
  reply.kind = kind.name;
  reply.since = s.since.raw();
  reply.completed_jobs = s.all.jobs;
  reply.requested_proc_hours = s.all.requested_proc_seconds / kHourSeconds;
  reply.rows = kind.rows(context, s);
  const auto& table = context.settings().*kind.table;
  if (context.has("v")) {
    reply.rows.push_back(sum_of(reply.rows, s.all));
    if (table.contains("DEFAULT")) reply.rows.push_back({"DEFAULT"});
  }
  add_targets(reply.rows, table);
  reply.dedicated_proc_hours = s.all.dedicated_proc_seconds / kHourSeconds;
  if (name.empty()) return Reply(std::move(reply));
  std::erase_if(reply.rows, [&](const auto& row) { return row.name != name; });
  if (reply.rows.empty()) return Error{fmt::format("no statistics for {} '{}'", kind.name, name)};
  return Reply(std::move(reply));
}

}  // namespace

Answer showstats(const Context& context) {
  const Kind* chosen = nullptr;
  for (const Kind& kind : kKinds) {
    if (!context.has(kind.flag)) continue;
    if (chosen != nullptr)
      return Error{"showstats: only one of -a, -c, -g, -n, -q and -u at a time"};
    chosen = &kind;
  }
  const bool nodes = context.has("n");
  const bool learned = context.has("l");
  if (chosen != nullptr && nodes)
    return Error{"showstats: only one of -a, -c, -g, -n, -q and -u at a time"};
  if (learned && context.request.flags.size() > 1)
    return Error{"showstats: -l cannot be combined with other flags"};
  if ((chosen != nullptr || nodes) && context.has("s"))
    return Error{"showstats: -s can be combined only with -v"};
  if (chosen != nullptr && context.has("S"))
    return Error{fmt::format("showstats: -S requires -n, not -{}", chosen->flag)};
  const std::string& user = context.request.user;
  if (context.has("f") && (chosen != nullptr || nodes || context.has("s")))
    return Error{"showstats: -f can be combined only with -v"};
  const bool period = context.has("t");
  if (period && context.request.flags.size() > (chosen != nullptr ? 2U : 1U))
    return Error{"showstats: -t can be combined only with one of -a, -c, -g, -q and -u"};
  if (learned) return learning_statistics(context);
  if (context.has("f") && is_admin(context, 3)) return diagnose_fairshare(context);
  if (is_admin(context, 3) && period)
    return statistics_of_period(context,
                                chosen != nullptr ? std::optional(chosen->kind) : std::nullopt,
                                chosen != nullptr ? context.value(chosen->flag) : std::string());
  if (is_admin(context, 3)) {
    if (nodes) return node_statistics(context);
    return chosen == nullptr ? Answer(general(context))
                             : by_credential(context, *chosen, context.value(chosen->flag));
  }
  if (chosen == nullptr || chosen->flag != "u" ||
      (!context.value("u").empty() && context.value("u") != user))
    return Error{fmt::format(
        "user '{}' is not authorized to see these statistics; -u and -l show his own", user)};
  if (period) return statistics_of_period(context, CredentialKind::user, user);
  return by_credential(context, *chosen, user);
}

}  // namespace maui
