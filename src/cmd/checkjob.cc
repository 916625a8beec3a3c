// checkjob: shows all details of a job (guide G).
#include <fmt/format.h>

#include <algorithm>

#include "base/enum_names.h"
#include "base/state_names.h"
#include "cmd/access.h"
#include "cmd/facts/ended_job_facts.h"
#include "cmd/facts/expectations.h"
#include "cmd/facts/history_facts.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/verdicts.h"
#include "cmd/operands.h"
#include "model/busy_procs.h"
#include "model/job_dates.h"
#include "model/job_extensions.h"
#include "sched/priority/priority.h"
#include "sched/query/explain.h"
#include "sched/query/relief.h"
#include "sched/reservations/standing_nodes.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

JobRequirement requirement_of(const Cluster& cluster, const Job& job, std::size_t index) {
  const Requirement& asked = cluster.request(job.request).requirements[index];
  JobRequirement shown;
  shown.tasks = asked.tasks;
  shown.least_nodes = asked.least_nodes;
  shown.nodes = asked.nodes;
  shown.tasks_per_node = asked.tasks_per_node;
  shown.partition = partition_of(cluster, job);
  shown.network = or_none(asked.network);
  shown.opsys = or_none(asked.operating_system);
  shown.arch = or_none(asked.architecture);
  shown.memory = floor_of(asked.memory);
  shown.disk = floor_of(asked.disk);
  shown.swap = bound_of(asked.swap);
  shown.procs = bound_of(asked.procs);
  shown.features = feature_names(cluster, asked.features);
  shown.per_task = amounts_of(cluster, asked.per_task);
  if (job.active() || job.suspended())
    shown.allocated = shares_of(cluster, job.placement, static_cast<int>(index));
  return shown;
}

std::optional<JobReservation> reservation_of(const Cluster& cluster, const Job& job) {
  if (job.active()) return JobReservation{job.name, raw(job.counted_start()), raw(job.ends)};
  if (!job.reservation.valid()) return std::nullopt;
  const Reservation& held = cluster.reservation(job.reservation);
  return JobReservation{held.name, raw(held.start), raw(held.end)};
}

void fill_times(JobReply& reply, const Job& job, Time now) {
  const bool has_begun = job.active() || job.suspended();
  const JobDates dates = dates_of(job);
  const Time until = has_begun ? dates.started : now;
  reply.run_time = has_begun ? job.run_so_far(now).raw() : 0;
  reply.recorded_run_time = job.recorded ? job.recorded->run_time.raw() : -1;
  reply.submitted = dates.submitted.raw();
  reply.queued = job.queued.raw();
  reply.queue_time = std::max<std::int64_t>((until - dates.submitted).raw(), 0);
  const bool eligible = job.active() || (job.waiting() && job.holds == 0);
  reply.eligible_time =
      eligible ? std::max<std::int64_t>((until - dates.eligible_since).raw(), 0) : 0;
  reply.started = has_begun ? raw(dates.started) : -1;
  reply.ends = job.active() ? raw(job.ends) : -1;
  reply.earliest_start = job.earliest_start > now ? raw(job.earliest_start) : 0;
}

UsedAmounts amounts_of(const JobUse& use, double procs) {
  return {procs, use.memory, use.swap, use.disk};
}

std::optional<JobUsage> usage_of(const Cluster& cluster, const Job& job) {
  if (!job.active()) return std::nullopt;
  const double average = utilised_procs(cluster, job), now = busy_procs(cluster, job);
  const double most = job.past_use->peak.procs > 0 ? job.past_use->peak.procs : average;
  return JobUsage{amounts_of(job.use, now), amounts_of(job.past_use->peak, most), average};
}

void fill_request(JobReply& reply, const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  reply.limit = raw(request.limit);
  reply.tasks = request.total_tasks();
  for (std::size_t i = 0; i < request.requirements.size(); ++i)
    reply.requirements.push_back(requirement_of(cluster, job, i));
  reply.use = usage_of(cluster, job);
  reply.node_access = access_name(request.access.usual);
  for (const PartitionId id : request.partitions)
    reply.partitions.push_back(cluster.partitions[id]);
  for (const NodeId id : request.host_list) reply.host_list.push_back(cluster.node(id).name);
  for (const Requirement& requirement : request.requirements)
    if (requirement.host.valid()) reply.host_list.push_back(cluster.node(requirement.host).name);
  reply.pe = processor_equivalents(cluster, request);
}

std::string dependency_line(const Dependency& dependency) {
  constexpr EnumName<DependencyState> kStates[] = {{DependencyState::open, "not met"},
                                                   {DependencyState::met, "met"},
                                                   {DependencyState::never, "can never be met"}};
  if (dependency.theirs && dependency.state == DependencyState::met)
    return fmt::format("{} (enforced by its resource manager)", dependency_text(dependency));
  return fmt::format("{} ({})", dependency_text(dependency),
                     name_of<DependencyState>(kStates, dependency.state));
}

void fill_extensions(JobReply& reply, const Job& job) {
  if (!job.qos_requested.empty() && job.qos_requested != reply.qos)
    reply.qos_requested = job.qos_requested;
  for (const Dependency& dependency : job.dependencies)
    reply.dependencies.push_back(dependency_line(dependency));
  reply.node_set = job.node_set;
  reply.system_id = job.system_id;
  reply.job_group = job.group_id;
  reply.display = job.display;
}

Result<std::optional<ReservationAccess>> access_to(const Context& context, const Job& job) {
  if (!context.has("r")) return std::optional<ReservationAccess>();
  if (const JobId active = context.cluster().find_job(context.value("r"));
      active.valid() && context.cluster().job(active).active())
    return std::optional(ReservationAccess{context.value("r"), active == job.id});
  const auto id = reservation_named(context, context.value("r"));
  if (!id) return id.error();
  const Reservation& r = context.cluster().reservation(*id);
  const bool admitted =
      r.kind == ReservationKind::job
          ? r.job == job.id
          : admission(r, applicant_of(context.cluster(),
                                      JobFlags(context.cluster(), context.settings()), job))
                .admitted;
  return std::optional(ReservationAccess{r.name, admitted});
}

/// True if the reason passes when others start or end: it is not in the job itself.
bool passes_with_others(Reason reason) {
  return awaits_room(reason) || reason == Reason::not_reached || reason == Reason::chunk ||
         reason == Reason::next_iteration;
}

/// SERVERMODE TEST: replaces the reason by that of the last plan, whose starts were not made.  Only
/// that plan knows which of the jobs that fit would start, and what these leave to the others.
void explain_by_plan(const Context& context, const Job& job, Explanation& why) {
  if (context.settings().server.mode != ServerMode::test || !passes_with_others(why.reason)) return;
  const Plan& plan = context.engine.plan();
  int procs = 0;  // of the planned starts
  for (const Decision& decision : plan.decisions) {
    const auto* start = std::get_if<StartJob>(&decision);
    if (start == nullptr) continue;
    if (start->job == job.id) {
      why.reason = Reason::only_looking;
      why.limit.reset();
      why.blocker.clear();
      return;
    }
    const Job& other = context.cluster().job(start->job);
    if (other.waiting()) procs += context.cluster().request(other.request).total_procs();
  }
  why.idle_procs = std::max(0, why.idle_procs - procs);
  why.feasible_procs = std::min(why.feasible_procs, why.idle_procs);
  if (why.reason != Reason::next_iteration) return;
  for (std::size_t i = 0; i < plan.order.size() && i < plan.reasons.size(); ++i)
    if (plan.order[i].job == job.id && plan.reasons[i] != Reason::none)
      why.reason = plan.reasons[i];
}

/// Fills in when the reason of a waiting job ends; a start is computed only for reasons of room.
void fill_relief(JobReply& reply, const Context& context, const Job& job, const Explanation& why,
                 Questions& questions) {
  if (!job.waiting()) return;
  const Cluster& cluster = context.cluster();
  const auto start = awaits_room(why.reason) ? questions.earliest_start(job.id) : std::nullopt;
  const Relief relief = relief_of(cluster, context.settings(), context.now(), job, why, start);
  reply.lifted_by = relief.what;
  reply.lifted_at = raw(relief.when);
}

/// Returns the reply for an ended job: how it ended, and how well its limit fitted.
Answer ended_job_answer(const Context& context, CompletedRow job, std::vector<WaitPeriod> waits,
                        std::string cancelled = {}) {
  for (const char* flag : {"l", "n", "r"})
    if (context.has(flag))
      return Error{
          fmt::format("checkjob: -{} does not apply to job '{}', which has ended", flag, job.name)};
  EndedJobReply reply;
  reply.now = context.now().raw();
  reply.pairs = context.has("A");
  if (job.limit > 0 && job.started >= 0 && job.state == state_name(JobState::completed))
    reply.limit_used = 100 * static_cast<double>(job.run_time) / static_cast<double>(job.limit);
  reply.job = std::move(job);
  reply.waits = std::move(waits);
  reply.cancelled = std::move(cancelled);
  return Reply(std::move(reply));
}

/// Adds the history's data on a recently ended job.
Answer lately_ended_job_answer(const Context& context, const EndedJob& job) {
  const auto known = job_of_history(context, job.name);
  const bool same = known && known->job.submitted == job.submitted;
  return ended_job_answer(context, completed_row(job),
                          same ? wait_periods(known->waits) : std::vector<WaitPeriod>(),
                          job.cancelled);
}

}  // namespace

Answer checkjob(const Context& context) {
  const Cluster& cluster = context.cluster();
  const std::string& name = context.request.operands.front();
  const auto id = job_named(context, name);
  // An exact name takes precedence over a name with showq's mark.
  const EndedJob* ended = nullptr;
  if (!id || cluster.job(*id).name != name)
    ended = ended_job_named(context, name, /*by_number=*/!id);
  if (!id && !ended) ended = ended_job_named(context, without_mark(name));
  if (ended) return lately_ended_job_answer(context, *ended);
  if (!id) {
    auto known = job_of_history(context, name);
    if (!known) known = job_of_history(context, without_mark(name));
    if (known) return ended_job_answer(context, completed_row(*known), wait_periods(known->waits));
    return id.error();
  }
  const Job& job = cluster.job(*id);
  if (!sees_all_of(context, job))
    return Error{fmt::format("user {} is not authorized to check status of job '{}'",
                             context.request.user, job.name)};
  const auto level = policy_level(context);
  if (!level) return level.error();
  NodeId only;
  if (context.has("n")) {
    const auto node = node_named(context, context.value("n"));
    if (!node) return node.error();
    only = *node;
  }
  JobReply reply;
  reply.now = context.now().raw();
  reply.verbose = context.has("v");
  reply.pairs = context.has("A");
  reply.name = job.name;
  reply.state = state_name(job.state);
  reply.user = cluster.users[job.credentials.user];
  reply.group = cluster.groups[job.credentials.group];
  reply.account = cluster.accounts[job.credentials.account];
  reply.job_class = cluster.classes[job.credentials.job_class];
  reply.qos = qos_of(cluster, job);
  fill_times(reply, job, context.now());
  reply.expected_end = expected_end(context, job);
  reply.promised_start = raw(promised_start(context, job));
  if (reply.verbose) expect_start(context, *id);
  fill_request(reply, cluster, job);
  reply.executable = job.executable;
  reply.bypass = cluster.bypasses(job.id);
  reply.start_count = job.start_count;
  reply.flags = flag_names(JobFlags(cluster, context.settings()).of(job));
  fill_extensions(reply, job);
  for (const UnusedAttribute& attribute : context.engine.unused_attributes(*id)) {
    if (!attribute.asks && !reply.verbose) continue;
    (attribute.asks ? reply.not_followed : reply.told)
        .push_back(fmt::format("{}={}", attribute.name, attribute.value));
  }
  if (job.waiting()) reply.waits = wait_periods(context.server.waits_of(job));
  if (!reply.waits.empty()) reply.waits.back().end = -1;
  reply.holds = hold_names(job.holds);
  reply.hold_reason = job.hold_reason->text;
  reply.required_reservation = job.required_reservation;
  reply.reservation = reservation_of(cluster, job);
  const auto rank = priority_of(cluster, context.settings(), context.now(), *id);
  reply.priority = job.active() ? job.priority : rank.priority;
  reply.system_priority = job.system_priority.value;
  reply.system_priority_absolute = job.system_priority.absolute;
  auto access = access_to(context, job);
  if (!access) return access.error();
  reply.access = *access;
  if (!job.active()) {
    ExplainOptions options;
    options.nodes = reply.verbose || only.valid();
    options.only_node = only;
    options.level = context.has("l") ? strictness_of(*level) : Strictness::hard;
    Questions questions(cluster, context.settings(), context.now());
    Explanation why = questions.explain(job.id, options);
    explain_by_plan(context, job, why);
    reply.verdicts.push_back(verdict_of(cluster, context.settings(), context.now(), job, why));
    fill_relief(reply, context, job, why, questions);
  }
  return Reply(std::move(reply));
}

}  // namespace maui
