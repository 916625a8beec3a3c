#include "metrics/metric_table.h"

namespace maui {
namespace {

using enum MetricKind;

constexpr Metric kMetrics[] = {
    // The queue.
    {"maui_jobs", gauge, "state", "Jobs known: active, idle, held (idle, with a hold), suspended."},
    {"maui_queue_processor_seconds", gauge, "",
     "Processor seconds that the jobs in the queue ask for, those that are held included."},
    {"maui_class_jobs", gauge, "class state", "Jobs by class: active, idle, held."},
    {"maui_qos_jobs", gauge, "qos state", "Jobs by QOS: active, idle, held."},
    {"maui_reservations", gauge, "", "Reservations that there are, but for those of active jobs."},
    // The machine.
    {"maui_nodes", gauge, "state",
     "Nodes by the state that their resource manager reports: available, drained, draining, down, "
     "unknown."},
    {"maui_nodes_occupied", gauge, "", "Nodes on which some job runs."},
    {"maui_processors", gauge, "state", "Processors of the nodes in each state."},
    {"maui_processors_dedicated", gauge, "", "Processors that active jobs hold."},
    {"maui_processors_free", gauge, "", "Processors that a job could have at once."},
    // Ended jobs since statistics began (resetstats).
    {"maui_jobs_ended_total", counter, "", "Jobs that have ended after they ran."},
    {"maui_jobs_backfilled_total", counter, "", "Those of them that backfill started."},
    {"maui_queue_seconds_total", counter, "", "How long these had waited."},
    {"maui_processor_seconds_total", counter, "", "Processor seconds dedicated to these."},
    {"maui_preemptions_total", counter, "", "How often a job was preempted."},
    {"maui_class_jobs_ended_total", counter, "class", "Jobs of a class that have ended."},
    {"maui_class_queue_seconds_total", counter, "class", "How long these had waited."},
    {"maui_class_processor_seconds_total", counter, "class",
     "Processor seconds dedicated to these."},
    {"maui_qos_jobs_ended_total", counter, "qos", "Jobs of a QOS that have ended."},
    {"maui_qos_queue_seconds_total", counter, "qos", "How long these had waited."},
    {"maui_qos_processor_seconds_total", counter, "qos", "Processor seconds dedicated to these."},
    // The scheduler's work since its start.
    {"maui_iterations_total", counter, "", "Iterations done."},
    {"maui_iteration_seconds", histogram, "",
     "How long an iteration took, waiting for resource managers included."},
    {"maui_iteration_phase_seconds", histogram, "phase",
     "How long its parts took: poll, apply, refresh, plan, carry_out."},
    {"maui_iteration_age_seconds", gauge, "",
     "How long ago the last iteration ended; not there before the first."},
    {"maui_scheduling_stopped", gauge, "", "1 while schedctl -s has stopped scheduling."},
    {"maui_healthy", gauge, "", "1 if /health finds nothing wrong."},
    {"maui_checkpoint_failing", gauge, "", "1 while the checkpoint cannot be written or read."},
    {"maui_memory_short", gauge, "", "1 while memory is so short that little is done."},
    {"maui_log_lines_total", counter, "severity",
     "Lines for the log about something wrong, written or not: alert, error, warning."},
    // Resource managers.
    {"maui_resource_manager_up", gauge, "name", "1 if its last poll was answered."},
    {"maui_resource_manager_reported", gauge, "name",
     "1 once it has reported its nodes and jobs.  While none has, metrics of the queue and the "
     "machine are not there."},
    {"maui_resource_manager_polls_total", counter, "name", "Polls that were answered, or failed."},
    {"maui_resource_manager_poll_failures_total", counter, "name", "Polls that failed."},
    {"maui_resource_manager_starts_total", counter, "name", "Starts of jobs asked for."},
    {"maui_resource_manager_start_failures_total", counter, "name", "Starts that failed."},
    {"maui_resource_manager_answer_seconds_total", counter, "name",
     "How long all answers to polls took together."},
    // Clients.
    {"maui_connections", gauge, "protocol", "Connections of clients: command, http."},
    {"maui_event_streams", gauge, "", "Those of them that follow changes over HTTP."},
    {"maui_requests_total", counter, "protocol", "Requests taken."},
    {"maui_clients_refused_total", counter, "protocol",
     "Clients closed or refused for what they did."},
    // The process.
    {"process_start_time_seconds", gauge, "", "When the scheduler started, since the epoch."},
    {"process_resident_memory_bytes", gauge, "", "Memory that it has."},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

}  // namespace maui
