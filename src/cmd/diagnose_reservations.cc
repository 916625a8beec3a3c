// diagnose -r.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration.h"
#include "base/reservation_flag_names.h"
#include "cmd/diagnose.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/reservation_facts.h"
#include "model/access_names.h"
#include "model/placement.h"
#include "sched/reservations/standing.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

std::string partition_name(const Cluster& cluster, const Placement& nodes) {
  return nodes.empty() ? "ALL" : cluster.partitions[partition_of(cluster, nodes)];
}

/// Adds the credentials of the job that a reservation is for.
void add_credentials(const Cluster& cluster, const Job& job, bool preemptee,
                     ReservationDiagnosis& row) {
  const Request& request = cluster.request(job.request);
  const auto add = [&](const char* type, bool known, const std::string& name) {
    if (known) row.credentials.push_back({type, name});
  };
  const Credentials& who = job.credentials;
  add("USER", who.user.valid(), cluster.users[who.user]);
  add("GROUP", who.group.valid(), cluster.groups[who.group]);
  add("ACCT", who.account.valid(), cluster.accounts[who.account]);
  add("CLASS", who.job_class.valid(), cluster.classes[who.job_class]);
  add("QOS", who.qos.valid(), cluster.qos[who.qos]);
  add("JFEATURE", preemptee, "PREEMPTEE");
  add("DURATION", true, format_duration(request.limit));
  add("PROC", true, fmt::to_string(request.total_procs()));
}

constexpr std::array<std::string_view, 6> kSigns{"", "<", "<=", "==", ">=", ">"};

AccessEntry entry_of(const Cluster& cluster, const AccessCriterion& criterion) {
  constexpr std::array<std::string_view, 3> kMarks{"+", "=", "-"};
  AccessEntry entry{std::string(kind_word(criterion.kind)),
                    (criterion.negated ? "!" : "") + value_text(cluster, criterion)};
  if (criterion.kind == AccessKind::procs || criterion.kind == AccessKind::tasks)
    entry.compare = kSigns[static_cast<std::size_t>(criterion.compare)];
  if (criterion.kind == AccessKind::time) entry.compare = "<=";
  entry.marks = kMarks[static_cast<std::size_t>(criterion.affinity)];
  if (criterion.required) entry.marks += "*";
  return entry;
}

std::string days_of(std::uint8_t days) {
  constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  if ((days & 0x7f) == 0x7f) return "ALL";
  std::string text;
  for (std::size_t day = 0; day < kDays.size(); ++day)
    if ((days >> day & 1) != 0) text += (text.empty() ? "" : ",") + std::string(kDays[day]);
  return text;
}

/// Returns the settings of the standing reservation that created `r`; nullptr: none did.
const StandingReservations::value_type* standing_of(const Settings& settings,
                                                    const Reservation& r) {
  for (const auto& entry : settings.standing_reservations)
    if (standing_name(entry) == r.standing) return &entry;
  return nullptr;
}

/// Returns the SRCFG attributes of the standing reservation that created `r`.
std::string standing_attributes(const Settings& settings, const Reservation& r) {
  const auto* entry = standing_of(settings, r);
  if (entry == nullptr) return {};
  const auto& standing = entry->second;
  const bool week = standing.period == StandingPeriod::week;
  const Seconds length(week ? 7 * 86400 : 86400);
  const auto start = week && standing.week_start ? standing.week_start : standing.start;
  const auto end = week && standing.week_end ? standing.week_end : standing.end;
  return fmt::format("TaskCount: {}  StartTime: {}  EndTime: {}  Days: {}", standing.tasks,
                     format_duration(start.value_or(Seconds(0))),
                     format_duration(end.value_or(length)), days_of(standing.days));
}

ReservationDiagnosis active_row(const Cluster& cluster, const Job& job, bool preemptee) {
  ReservationDiagnosis row;
  row.name = job.name;
  row.type = "Job";
  row.partition = partition_name(cluster, job.placement);
  row.start = raw(job.counted_start());
  row.end = raw(job.ends);
  row.nodes = static_cast<std::int64_t>(node_count(job.placement));
  row.tasks = task_count(job.placement);
  row.procs = cluster.request(job.request).total_procs();
  add_credentials(cluster, job, preemptee, row);
  return row;
}

ReservationDiagnosis reservation_row(const Cluster& cluster, const Settings& settings,
                                     const Reservation& r) {
  const bool of_job = r.kind == ReservationKind::job;
  ReservationDiagnosis row;
  row.name = r.name;
  row.type = type_of(r);
  row.partition = partition_name(cluster, r.nodes);
  row.start = raw(r.start);
  row.end = raw(r.end);
  row.nodes = static_cast<std::int64_t>(node_count(r.nodes));
  row.tasks = task_count(r.nodes);
  row.procs = procs_of(cluster, r);
  row.charge_account = r.charge_account;
  row.host_expression = r.host_expression;
  std::replace(row.host_expression.begin(), row.host_expression.end(), ',', ' ');
  row.owner = r.owner;
  if (r.kind == ReservationKind::standing) row.flags.emplace_back("STANDINGRES");
  for (const auto& flag : kReservationFlagNames)
    if (has(r.flags, flag.value)) row.flags.emplace_back(flag.name);
  if (of_job) {
    const Job& job = cluster.job(r.job);
    row.job_waits = true;
    row.job_priority = job.priority;
    add_credentials(cluster, job, JobFlags(cluster, settings).has(job, JobFlag::preemptee), row);
    return row;
  }
  for (const AccessCriterion& criterion : r.access.criteria)
    row.access.push_back(entry_of(cluster, criterion));
  row.per_task = amounts_of(cluster, r.per_task);
  row.standing_attributes = standing_attributes(settings, r);
  return row;
}

void add_use(const ReservationUses::Use& use, ReservationDiagnosis& row) {
  row.kept_proc_hours = use.kept_proc_seconds / 3600;
  row.active_proc_hours = use.active_proc_seconds / 3600;
}

void warn(const Cluster& cluster, const Settings& settings, const Reservation& r, Time now,
          std::vector<std::string>& warnings) {
  for (const NodeTasks& part : r.nodes) {
    const Node& node = cluster.node(part.node);
    if (r.active_at(now) && node.reported == NodeState::down)
      warnings.push_back(
          fmt::format("reservation '{}' holds node '{}', which is Down", r.name, node.name));
  }
  if (const auto tasks = task_count(r.nodes); tasks < r.tasks_wanted) {
    const auto* entry = standing_of(settings, r);
    warnings.push_back(fmt::format("reservation '{}' is partial: it has {} of {} tasks{}", r.name,
                                   tasks, r.tasks_wanted,
                                   entry ? ": " + why_partial(cluster, *entry, r) : ""));
  }
  if (r.kind != ReservationKind::job && r.end <= now)
    warnings.push_back(fmt::format("reservation '{}' has ended but still exists", r.name));
}

/// Orders standing reservations as in maui.cfg, then the others by creation.
std::vector<ReservationId> in_listed_order(const Cluster& cluster, const Settings& settings) {
  const ListedOrder order(settings);
  const auto standing = cluster.reservations();
  std::vector<ReservationId> all(standing.begin(), standing.end());
  std::sort(all.begin(), all.end(), [&](ReservationId a, ReservationId b) {
    const Reservation &first = cluster.reservation(a), &second = cluster.reservation(b);
    return std::pair(order.place(first), first.serial) <
           std::pair(order.place(second), second.serial);
  });
  return all;
}

std::vector<JobId> in_order_of_start(const Cluster& cluster) {
  std::vector<JobId> all;
  for (const Active& line : cluster.active()) all.push_back(line.job);
  std::stable_sort(all.begin(), all.end(), [&](JobId a, JobId b) {
    const Job &first = cluster.job(a), &second = cluster.job(b);
    return std::pair(first.started, first.arrival) < std::pair(second.started, second.arrival);
  });
  return all;
}

/// Warns of nodes with more reservations than RESDEPTH, which is no limit.
void warn_of_many(const Context& context, std::vector<std::string>& warnings) {
  const auto expected = static_cast<std::size_t>(context.settings().reservations_per_node);
  for (const Node& node : context.cluster().nodes()) {
    const Occupancy& here = context.cluster().occupancy(node.id);
    const auto there = here.reservations.size() + here.occupants.size();
    if (there > expected)
      warnings.push_back(
          fmt::format("node '{}' has {} reservations, above RESDEPTH {} (all are kept)", node.name,
                      there, expected));
  }
}

/// Warns of standing reservations without a node, which nothing else reveals.
void warn_of_missing(const Context& context, std::vector<std::string>& warnings) {
  const Cluster& cluster = context.cluster();
  const auto all = cluster.reservations();
  for (const auto& entry : context.settings().standing_reservations)
    if (std::none_of(all.begin(), all.end(), [&](ReservationId id) {
          return cluster.reservation(id).standing == standing_name(entry);
        }))
      warnings.push_back(
          fmt::format("standing reservation '{}' reserves nothing: {}", standing_name(entry),
                      why_absent(cluster, context.settings().zone, entry, context.now())));
}

}  // namespace

Answer diagnose_reservations(const Context& context) {
  const Cluster& cluster = context.cluster();
  const std::string only = context.value("r");
  ReservationsDiagnosisReply reply;
  reply.now = context.now().raw();
  reply.verbose = context.has("v");
  reply.all = only.empty();
  const auto add = [&](const Reservation& r) {
    if (!only.empty() && r.name != only) return;
    reply.reservations.push_back(reservation_row(cluster, context.settings(), r));
    if (r.kind != ReservationKind::job && r.active_at(context.now()))
      add_use(context.engine.use_of(r), reply.reservations.back());
    warn(cluster, context.settings(), r, context.now(), reply.reservations.back().warnings);
  };
  const std::vector<ReservationId> made = in_listed_order(cluster, context.settings());
  for (const ReservationId id : made)
    if (cluster.reservation(id).kind != ReservationKind::job) add(cluster.reservation(id));
  const JobFlags flags(cluster, context.settings());
  for (const JobId id : in_order_of_start(cluster)) {
    const Job& job = cluster.job(id);
    reply.active_reserved_procs += cluster.request(job.request).total_procs();
    if (only.empty() || job.name == only)
      reply.reservations.push_back(active_row(cluster, job, flags.has(job, JobFlag::preemptee)));
  }
  for (const ReservationId id : made)
    if (cluster.reservation(id).kind == ReservationKind::job) add(cluster.reservation(id));
  if (only.empty()) {
    warn_of_many(context, reply.warnings);
    warn_of_missing(context, reply.warnings);
  }
  if (!only.empty() && reply.reservations.empty())
    return Error{fmt::format("cannot locate reservation '{}'", only)};
  return Reply(std::move(reply));
}

}  // namespace maui
