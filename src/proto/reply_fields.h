// The members of every reply, once: encoder, decoder and JSON output are loops
// over these rows.  A member left out here does not travel; the round trips of
// tests/proto would fail.
//
// MAUI_PROSE names those members of a reply that are text with blanks: sentences, and what is shown
// as somebody wrote it.  Any other text is a name or a word, and text with columns shows it as one
// word.
#pragma once
#include <type_traits>

#include "maui/reply.h"

#define MAUI_EXPAND1(...) __VA_ARGS__
#define MAUI_EXPAND2(...) MAUI_EXPAND1(MAUI_EXPAND1(MAUI_EXPAND1(MAUI_EXPAND1(__VA_ARGS__))))
#define MAUI_EXPAND3(...) MAUI_EXPAND2(MAUI_EXPAND2(MAUI_EXPAND2(MAUI_EXPAND2(__VA_ARGS__))))
#define MAUI_EXPAND(...) MAUI_EXPAND3(MAUI_EXPAND3(MAUI_EXPAND3(MAUI_EXPAND3(__VA_ARGS__))))
#define MAUI_PARENS ()
#define MAUI_VISIT_AGAIN() MAUI_VISIT
#define MAUI_VISIT(member, ...) \
  visit(#member, self.member);  \
  __VA_OPT__(MAUI_VISIT_AGAIN MAUI_PARENS(__VA_ARGS__))

// Defines visit_fields(self, visit), which calls visit("name", self.name) for each member.
#define MAUI_FIELDS(Type, ...)                             \
  template <class Self, class Visit>                       \
  requires std::is_same_v<std::remove_const_t<Self>, Type> \
  void visit_fields(Self& self, Visit&& visit) { MAUI_EXPAND(MAUI_VISIT(__VA_ARGS__)) }

// Defines visit_prose(self, visit), which calls visit("name", self.name) for each of these members.
#define MAUI_PROSE(Type, ...)                              \
  template <class Self, class Visit>                       \
  requires std::is_same_v<std::remove_const_t<Self>, Type> \
  void visit_prose(Self& self, Visit&& visit) { MAUI_EXPAND(MAUI_VISIT(__VA_ARGS__)) }

namespace maui {

// clang-format off
MAUI_FIELDS(Refusal, reason)
MAUI_PROSE(Refusal, reason)

MAUI_FIELDS(JobShift, job, user, account, before, after)
MAUI_FIELDS(ShiftSummary, name, jobs, earlier, later, measured, shift)
MAUI_FIELDS(DryRun, now, jobs, complete, shifts, users, accounts)

MAUI_FIELDS(QueueUse, procs_active, procs_up, nodes_active, nodes_up)
MAUI_FIELDS(DisplayChoice, nodes, accounts)
MAUI_FIELDS(ActiveRow, name, user, group, account, job_class, qos, state, procs, nodes, remaining,
            started, limit, submitted, priority, main_host, run_time)
MAUI_FIELDS(WaitingRow, name, user, group, account, job_class, qos, state, procs, nodes, limit,
            queued, priority)
MAUI_FIELDS(QueueReply, now, display, use, active, idle, blocked)
MAUI_FIELDS(ExpectedEnd, end, earliest, latest, similar)
MAUI_FIELDS(ActiveDetail, name, user, group, account, state, partition, qos, main_host, efficiency,
            xfactor, priority, procs, nodes, remaining, started, backfilled, preemptible, expected_end)
MAUI_FIELDS(ActiveQueueReply, now, verbose, display, use, jobs, ends)
MAUI_FIELDS(IdleDetail, name, user, group, account, qos, job_class, xfactor, priority, procs, nodes,
            limit, queued, reserved)
MAUI_FIELDS(IdleQueueReply, now, display, backlog_proc_hours, procs_up, jobs)
MAUI_FIELDS(BlockedDetail, name, user, reason)
MAUI_PROSE(BlockedDetail, reason)
MAUI_FIELDS(BlockedRow, name, user, reason, state, group, account, job_class, qos, procs, limit,
            queued, priority)
MAUI_PROSE(BlockedRow, reason)
MAUI_FIELDS(BlockedQueueReply, now, jobs)
MAUI_FIELDS(CompletedRow, name, user, group, account, job_class, qos, state, exit_code, partition,
            main_host, efficiency, xfactor, procs, nodes, limit, run_time, submitted, started, ended,
            backfilled, shorter_limit, shorter_start)
MAUI_FIELDS(CompletedQueueReply, now, display, jobs)

MAUI_FIELDS(AmountBound, compare, amount)
MAUI_FIELDS(ResourceAmount, name, amount)
MAUI_FIELDS(NodeShare, node, tasks)
MAUI_FIELDS(JobRequirement, tasks, least_nodes, nodes, tasks_per_node, partition, network, opsys, arch, memory,
            disk, swap, procs, features, per_task, allocated)
MAUI_FIELDS(JobReservation, name, start, end)
MAUI_FIELDS(RejectionCount, reason, nodes)
MAUI_PROSE(RejectionCount, reason)
MAUI_FIELDS(NodeRejection, node, reason, tasks)
MAUI_PROSE(NodeRejection, reason)
MAUI_FIELDS(JobVerdict, partition, reason, idle_procs, feasible_procs, needed_procs, rejections,
            nodes, limit)
MAUI_PROSE(JobVerdict, reason, limit)
MAUI_FIELDS(UsedAmounts, procs, memory, swap, disk)
MAUI_FIELDS(JobUsage, now, most, average_procs)
MAUI_FIELDS(ReservationAccess, reservation, admitted)
MAUI_FIELDS(WaitPeriod, reason, start, end)
MAUI_PROSE(WaitPeriod, reason)
MAUI_FIELDS(JobReply, now, verbose, pairs, name, state, user, group, account, job_class, qos,
            run_time, limit, recorded_run_time, submitted, queued, queue_time, eligible_time,
            started, ends, earliest_start, expected_end, expected_start, promised_start, tasks, requirements, use, node_access, executable, bypass,
            start_count, partitions, flags, holds, hold_reason, required_reservation, qos_requested,
            dependencies, node_set, system_id, job_group, display, host_list, not_followed, told,
            reservation, pe, priority, system_priority, system_priority_absolute, access, verdicts, waits,
            lifted_by, lifted_at)
MAUI_PROSE(JobReply, executable, hold_reason, dependencies, not_followed, told, lifted_by)
MAUI_FIELDS(EndedJobReply, now, pairs, job, limit_used, waits, cancelled)
MAUI_PROSE(EndedJobReply, cancelled)
MAUI_FIELDS(StartAlternative, procs, limit, start)
MAUI_FIELDS(StartReply, now, job, procs, limit, start, completion, partition, expected_start,
            promised_start, start_by_limits, limited_by, lifted_by, alternatives, unknown, resumes,
            not_counted)
MAUI_PROSE(StartReply, limited_by, lifted_by, unknown, not_counted)
MAUI_FIELDS(HeldJob, name, user, holds)
MAUI_FIELDS(HoldsReply, jobs)
MAUI_FIELDS(Outcome, name, done, reason)
MAUI_PROSE(Outcome, reason)
MAUI_FIELDS(JobsReply, action, holds, jobs, command, dry_run)

MAUI_FIELDS(ClassAmount, name, free, configured)
MAUI_FIELDS(BlockedAmount, since, procs, of)
MAUI_FIELDS(NodeReservation, name, type, tasks, start, end, blocked, procs)
MAUI_FIELDS(NodeReply, now, verbose, pairs, name, state, state_since, configured, utilised, dedicated,
            opsys, arch, partition, speed, load, frame, slot, node_type, proc_speed, policies, features, networks, classes,
            total_time, up_time, active_time, reservations, jobs, alerts, told)
MAUI_PROSE(NodeReply, policies, alerts, told)
MAUI_FIELDS(StateJob, name, state, user, group, qos, procs, remaining, started, limit, submitted,
            nodes)
MAUI_FIELDS(StateNode, name, state, frame, slot, slots, job)
MAUI_FIELDS(StateReply, now, jobs, nodes, active_nodes, alerts)
MAUI_PROSE(StateReply, alerts)
MAUI_FIELDS(WindowRow, partition, procs, nodes, duration)
MAUI_FIELDS(WindowNodeRow, node, state, reason, blocked_by, procs, duration, memory, disk, swap)
MAUI_PROSE(WindowNodeRow, reason)
MAUI_FIELDS(WindowsReply, now, user, group, partition, verbose, windows, nodes, by_node,
            several_partitions)

MAUI_FIELDS(ReservationRow, name, type, job_state, start, end, nodes, procs)
MAUI_FIELDS(ReservationSummary, type, reservations, active, nodes, procs)
MAUI_FIELDS(ReservationsReply, now, verbose, reservations, relative, summary)
MAUI_FIELDS(ReservedShare, reservation, type, job_state, tasks, start, end)
MAUI_FIELDS(ReservedNode, node, shares)
MAUI_FIELDS(ReservedNodesReply, now, verbose, every_line, nodes, relative)
MAUI_FIELDS(ChartedNode, node, state, shares)
MAUI_FIELDS(ReservationChartReply, now, until, reservations, nodes)
MAUI_FIELDS(ReservationCreatedReply, name, start, end, tasks, nodes, dry_run, conflicts, notes)
MAUI_PROSE(ReservationCreatedReply, conflicts, notes)
MAUI_FIELDS(ReleasedReservation, name, type, done, reason)
MAUI_PROSE(ReleasedReservation, reason)
MAUI_FIELDS(ReservationsReleasedReply, reservations, dry_run)

MAUI_FIELDS(StatisticsReply, now, verbose, active_for, since, started, iteration, eligible_jobs,
            idle_jobs, active_jobs, successful_jobs, completed_jobs, preempted_jobs,
            average_queue_hours, max_queue_hours, average_xfactor, max_xfactor, average_bypass,
            max_bypass, dedicated_proc_hours, total_proc_hours, preempted_proc_hours, active_procs,
            up_procs, active_nodes, up_nodes, wallclock_accuracy, job_efficiency, min_utilisation,
            min_utilisation_iteration, estimated_backlog_hours, average_backlog_hours, unfinished)
MAUI_FIELDS(CredentialRow, name, active_jobs, active_procs, active_proc_hours, jobs,
            requested_proc_hours, dedicated_proc_hours, average_xfactor, max_xfactor,
            average_queue_hours, fairshare_target, efficiency, accuracy)
MAUI_FIELDS(CredentialStatisticsReply, kind, since, until, completed_jobs, requested_proc_hours,
            dedicated_proc_hours, rows)
MAUI_FIELDS(MemoryRow, memory, procs, initial_hours, spread_hours, even_hours)
MAUI_FIELDS(NodeStatisticsRow, name, state, memory, available, busy, available_now)
MAUI_FIELDS(NodeStatisticsReply, summary, memory, nodes)
MAUI_FIELDS(LearningRow, name, jobs, limit_used, ends, within, end_error, limit_end_error, starts,
            start_error, limit_start_error)
MAUI_FIELDS(IntervalRow, similar, jobs, within)
MAUI_FIELDS(LearningReply, since, learning, users, kinds, by_user, by_class, all, intervals)
MAUI_FIELDS(GridCell, value, jobs)
MAUI_FIELDS(GridRow, procs, cells, total)
MAUI_FIELDS(GridReply, statistic, since, until, limits, rows, totals, overall, part, whole,
            proc_weighted, proc_second_weighted, samples, outside)
MAUI_FIELDS(SpreadRow, name, mean, median, p95, p99, worst)
MAUI_FIELDS(ProfileReply, since, until, completed_jobs, successful_jobs, backfilled_jobs, never_ran_jobs,
            requested_proc_hours, dedicated_proc_hours, total_proc_hours, wallclock_accuracy,
            job_efficiency, spreads, credentials, grids, jobs)
MAUI_FIELDS(StatisticsResetReply, when)

MAUI_FIELDS(HistoryReply, now, since, until, jobs, left_out)
MAUI_FIELDS(PastReservationRow, name, type, start, end, nodes, procs)
MAUI_FIELDS(ReservationHistoryReply, now, since, until, reservations)
MAUI_FIELDS(UtilisationRow, start, duration, busy_procs, up_procs, active_jobs, waiting_jobs)
MAUI_FIELDS(UtilisationHistoryReply, now, since, until, step, steps)

MAUI_FIELDS(ParameterRow, name, value, is_default)
MAUI_PROSE(ParameterRow, name, value)
MAUI_FIELDS(ConfigHeading, before, text)
MAUI_PROSE(ConfigHeading, text)
MAUI_FIELDS(ConfigReply, version, pid, parameters, headings)
MAUI_PROSE(ConfigReply, version)
MAUI_FIELDS(ParameterReply, parameter, values, command, warnings, dry_run)
MAUI_PROSE(ParameterReply, parameter, values, warnings)

MAUI_FIELDS(ShutdownReply, when, lease)
MAUI_FIELDS(ReloadReply, when, awaiting_restart, dry_run)
MAUI_PROSE(ReloadReply, awaiting_restart)
MAUI_FIELDS(StopReply, iteration, seconds, ignore_clients)
MAUI_FIELDS(ResumeReply, seconds)
MAUI_FIELDS(TraceNode, event, name, resource_manager, opsys, arch, when, swap, memory, disk, procs, frame, slot,
            slots, speed, features, networks, classes, generic)
MAUI_FIELDS(NodeTraceReply, nodes)
MAUI_FIELDS(NodesModifiedReply, attribute, value, nodes, dry_run)
MAUI_PROSE(NodesModifiedReply, value)

MAUI_FIELDS(JobDiagnosis, name, state, partition, qos, user, group, account, procs, min_procs,
            limit, queue_time, reserved, network, opsys, arch, memory, disk, node_procs, job_class,
            initiators, features, warnings)
MAUI_PROSE(JobDiagnosis, warnings)
MAUI_FIELDS(JobsDiagnosisReply, verbose, all, jobs, active_jobs, warnings, active_queue,
            general_warnings)
MAUI_PROSE(JobsDiagnosisReply, warnings, general_warnings)
MAUI_FIELDS(FreeAmount, free, configured)
MAUI_FIELDS(NodeDiagnosis, name, state, opsys, arch, partition, procs, memory, disk, swap, speed,
            load, reservations, classes, networks, features, jobs)
MAUI_FIELDS(NodesDiagnosisReply, verbose, nodes, active, idle, down, warnings)
MAUI_PROSE(NodesDiagnosisReply, warnings)
MAUI_FIELDS(PrioritySubcomponent, label, weight)
MAUI_FIELDS(PriorityComponent, label, weight, subcomponents)
MAUI_FIELDS(PriorityJob, name, priority, system_priority, contributions, weighted)
MAUI_FIELDS(PriorityReply, partition, components, jobs)
MAUI_FIELDS(BlockedJobsReply, policy_level, partition, jobs)
MAUI_FIELDS(AccessEntry, type, name, compare, marks)
MAUI_FIELDS(ReservationDiagnosis, name, type, partition, start, end, nodes, tasks, procs, flags,
            access, credentials, per_task, host_expression, charge_account, owner,
            standing_attributes, job_priority,
            job_waits, warnings, kept_proc_hours, active_proc_hours)
MAUI_PROSE(ReservationDiagnosis, host_expression, standing_attributes, warnings)
MAUI_FIELDS(ReservationsDiagnosisReply, now, verbose, all, reservations, active_reserved_procs,
            warnings)
MAUI_PROSE(ReservationsDiagnosisReply, warnings)
MAUI_FIELDS(PartitionAmount, resource, configured, up, dedicated, active)
MAUI_FIELDS(PartitionDiagnosis, name, amounts, classes)
MAUI_FIELDS(PartitionsReply, partitions, system_list, system_default)
MAUI_FIELDS(FrameDiagnosis, frame, memory, disk, partitions, nodes)
MAUI_FIELDS(FramesDiagnosisReply, verbose, frames, nodes_without_frame, now, updated, warnings)
MAUI_PROSE(FramesDiagnosisReply, warnings)
MAUI_FIELDS(ManagerDiagnosis, name, type, state, polls, failed_polls, starts, failed_starts,
            last_answer, average_latency, max_latency, last_failure, last_failure_at, next_try, event_port, warnings, no_events)
MAUI_PROSE(ManagerDiagnosis, type, last_failure, warnings, no_events)
MAUI_FIELDS(ResourceManagerReply, now, verbose, nodes, jobs, managers)
MAUI_FIELDS(ServiceReply, socket, port, connections, failures, requests, job_requests,
            reservation_requests)
MAUI_FIELDS(FairshareRow, name, target, target_type, off_target, percent, windows)
MAUI_FIELDS(FairshareTable, kind, rows)
MAUI_FIELDS(FairshareReply, policy, depth, interval, decay, weights, totals, tables)
MAUI_PROSE(FairshareReply, policy)
MAUI_FIELDS(LimitDiagnosis, name, soft, hard, used)
MAUI_FIELDS(CredentialDiagnosis, name, priority, flags, job_flags, default_qos, qos_list, partitions,
            target, limits, queue_time_weight, xfactor_weight, xfactor_target, queue_time_target,
            users, groups, accounts, classes)
MAUI_FIELDS(CredentialsReply, kind, verbose, default_qos, rows, qos_list, flags)
// clang-format on

}  // namespace maui
