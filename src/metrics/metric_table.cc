#include "metrics/metric_table.h"

namespace maui {
namespace {

using enum MetricKind;

constexpr Metric kMetrics[] = {
    // The queue.
    {"maui_jobs", gauge, "state", "Jobs known: active, idle, held (idle, with a hold), suspended."},
    {"maui_queue_processor_seconds", gauge, "",
     "Processor seconds requested by the jobs in the queue, including held jobs."},
    {"maui_class_jobs", gauge, "class state", "Jobs by class: active, idle, held."},
    {"maui_qos_jobs", gauge, "qos state", "Jobs by QOS: active, idle, held."},
    {"maui_reservations", gauge, "", "Reservations, except those of active jobs."},
    // The machine.
    {"maui_nodes", gauge, "state",
     "Nodes by the state reported by their resource manager: available, drained, draining, down, "
     "unknown."},
    {"maui_nodes_occupied", gauge, "", "Nodes with at least one active job."},
    {"maui_processors", gauge, "state", "Processors of the nodes in each state."},
    {"maui_processors_dedicated", gauge, "", "Processors that active jobs hold."},
    {"maui_processors_free", gauge, "", "Processors that a job could use now."},
    // Ended jobs since statistics began (resetstats).
    {"maui_jobs_ended_total", counter, "", "Jobs that ran and ended."},
    {"maui_jobs_backfilled_total", counter, "", "Ended jobs that were backfilled."},
    {"maui_queue_seconds_total", counter, "", "Queue time of ended jobs."},
    {"maui_processor_seconds_total", counter, "", "Processor seconds of ended jobs."},
    {"maui_preemptions_total", counter, "", "Preemptions of jobs."},
    {"maui_class_jobs_ended_total", counter, "class", "Jobs that ran and ended, by class."},
    {"maui_class_queue_seconds_total", counter, "class", "Queue time of ended jobs."},
    {"maui_class_processor_seconds_total", counter, "class", "Processor seconds of ended jobs."},
    {"maui_qos_jobs_ended_total", counter, "qos", "Jobs that ran and ended, by QOS."},
    {"maui_qos_queue_seconds_total", counter, "qos", "Queue time of ended jobs."},
    {"maui_qos_processor_seconds_total", counter, "qos", "Processor seconds of ended jobs."},
    // The scheduler's work since its start.
    {"maui_iterations_total", counter, "", "Completed iterations."},
    {"maui_iteration_seconds", histogram, "",
     "Duration of iterations, including waits for resource managers."},
    {"maui_iteration_phase_seconds", histogram, "phase",
     "Duration of the phases of iterations: poll, apply, refresh, plan, carry_out."},
    {"maui_iteration_age_seconds", gauge, "",
     "Time since the last iteration ended; absent before the first."},
    {"maui_scheduling_stopped", gauge, "", "1 while schedctl -s has stopped scheduling."},
    {"maui_healthy", gauge, "", "1 if /health reports no problem."},
    {"maui_checkpoint_failing", gauge, "", "1 while the checkpoint cannot be written or read."},
    {"maui_memory_short", gauge, "", "1 while the scheduler is short of memory and does little."},
    {"maui_log_lines_total", counter, "severity",
     "Log lines about problems, whether written or suppressed: alert, error, warning."},
    // Resource managers.
    {"maui_resource_manager_up", gauge, "name", "1 if its last poll was answered."},
    {"maui_resource_manager_reported", gauge, "name",
     "1 once it has reported its nodes and jobs.  Until one has, metrics of the queue and the "
     "machine are absent."},
    {"maui_resource_manager_polls_total", counter, "name", "Polls, answered or failed."},
    {"maui_resource_manager_poll_failures_total", counter, "name", "Polls that failed."},
    {"maui_resource_manager_starts_total", counter, "name", "Requested starts of jobs."},
    {"maui_resource_manager_start_failures_total", counter, "name", "Starts that failed."},
    {"maui_resource_manager_answer_seconds_total", counter, "name",
     "Total response time of polls."},
    // Clients.
    {"maui_connections", gauge, "protocol", "Client connections: command, http."},
    {"maui_event_streams", gauge, "", "HTTP connections that stream events."},
    {"maui_requests_total", counter, "protocol", "Requests received."},
    {"maui_clients_refused_total", counter, "protocol",
     "Clients disconnected or refused for misbehaving."},
    // The process.
    {"process_start_time_seconds", gauge, "", "Start time of the scheduler, since the epoch."},
    {"process_resident_memory_bytes", gauge, "", "Resident memory of the scheduler."},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

}  // namespace maui
