#include "metrics/scheduler_metrics.h"

#include <prometheus/text_serializer.h>

#include <cassert>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "base/outside_text.h"
#include "metrics/metric_table.h"

namespace maui {
namespace {

using prometheus::ClientMetric;
using Labels = std::vector<ClientMetric::Label>;

prometheus::MetricType type_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::gauge:
      return prometheus::MetricType::Gauge;
    case MetricKind::counter:
      return prometheus::MetricType::Counter;
    case MetricKind::histogram:
      return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

/// The metric families in the order of the table, while they are filled.
class Families {
 public:
  Families() {
    for (const Metric& row : metrics()) {
      places_.emplace(row.name, families_.size());
      families_.push_back({std::string(row.name), std::string(row.help), type_of(row.kind), {}});
    }
  }
  /// Requires that the table has a row with that name.
  template <class Number>
  void add(std::string_view name, Number number, Labels labels = {}) {
    const auto value = static_cast<double>(number);
    ClientMetric metric;
    metric.gauge.value = metric.counter.value = value;
    add(name, std::move(metric), std::move(labels));
  }
  void add(std::string_view name, ClientMetric metric, Labels labels = {}) {
    const auto at = places_.find(name);
    assert(at != places_.end());
    metric.label = std::move(labels);
    families_[at->second].metric.push_back(std::move(metric));
  }
  std::string text() const {
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families_);
    return out.str();
  }

 private:
  std::vector<prometheus::MetricFamily> families_;
  std::map<std::string_view, std::size_t> places_;
};

Labels label(std::string_view name, std::string_view value) {
  return {{std::string(name), printable(value)}};
}

Labels labels(std::string_view name, std::string_view value, std::string_view state) {
  return {{std::string(name), printable(value)}, {"state", std::string(state)}};
}

void add_nodes(const Cluster& cluster, Families& to) {
  const auto& counts = cluster.counts();
  const auto add = [&](std::string_view name, std::initializer_list<NodeState> states) {
    std::int64_t nodes = 0, procs = 0;
    for (const NodeState state : states) {
      nodes += counts.nodes_reported[static_cast<std::size_t>(state)];
      procs += counts.procs_reported[static_cast<std::size_t>(state)];
    }
    to.add("maui_nodes", nodes, label("state", name));
    to.add("maui_processors", procs, label("state", name));
  };
  using enum NodeState;
  add("available", {idle, running, busy});
  add("drained", {drained});
  add("draining", {draining});
  add("down", {down});
  add("unknown", {unknown});
  to.add("maui_nodes_occupied", counts.occupied_nodes);
  to.add("maui_processors_dedicated", counts.held_procs);
  to.add("maui_processors_free", counts.open_procs);
}

/// The jobs of a class or QOS.
struct Share {
  std::int64_t waiting = 0, held = 0, active = 0;
};

void add_share(Share& to, const Cluster::QueueShare& share) {
  to.waiting += share.jobs;
  to.held += share.held;
}

/// Adds values for each name that some job has.
template <class IdType>
void add_shares(std::string_view metric, std::string_view name, const Names<IdType>& names,
                const std::map<IdType, Share>& shares, Families& to) {
  for (const auto& [id, share] : shares) {
    const std::string_view value = id.valid() ? std::string_view(names[id]) : "";
    to.add(metric, share.active, labels(name, value, "active"));
    to.add(metric, share.waiting - share.held, labels(name, value, "idle"));
    to.add(metric, share.held, labels(name, value, "held"));
  }
}

void add_queue(const Cluster& cluster, Families& to) {
  Share all;
  std::map<ClassId, Share> classes;
  std::map<QosId, Share> qos;
  for (std::size_t i = 0; i < cluster.credentials_known(); ++i) {
    const CredentialsId id(i);
    const auto share = cluster.queue_share(id);
    if (share.jobs == 0) continue;
    add_share(all, share);
    add_share(classes[cluster.credentials(id).job_class], share);
    add_share(qos[cluster.credentials(id).qos], share);
  }
  for (const Active& active : cluster.active()) {
    const Credentials& who = cluster.job(active.job).credentials;
    ++classes[who.job_class].active;
    ++qos[who.qos].active;
  }
  to.add("maui_jobs", cluster.active().size(), label("state", "active"));
  to.add("maui_jobs", all.waiting - all.held, label("state", "idle"));
  to.add("maui_jobs", all.held, label("state", "held"));
  to.add("maui_jobs", cluster.suspended().size(), label("state", "suspended"));
  to.add("maui_queue_processor_seconds", cluster.counts().waiting_proc_seconds);
  add_shares("maui_class_jobs", "class", cluster.classes, classes, to);
  add_shares("maui_qos_jobs", "qos", cluster.qos, qos, to);
  to.add("maui_reservations", cluster.reservations().size());
}

constexpr double kHour = 3600;

template <class IdType>
void add_ended(const std::string& kind, const Names<IdType>& names,
               const std::map<IdType, JobTotals>& totals, Families& to) {
  for (const auto& [id, sums] : totals) {
    if (sums.jobs == 0) continue;
    const Labels whose = label(kind, id.valid() ? std::string_view(names[id]) : "");
    to.add("maui_" + kind + "_jobs_ended_total", sums.jobs, whose);
    to.add("maui_" + kind + "_queue_seconds_total", sums.queue_hours * kHour, whose);
    to.add("maui_" + kind + "_processor_seconds_total", sums.completed_proc_seconds, whose);
  }
}

void add_ended(const Cluster& cluster, const Statistics& statistics, Families& to) {
  const JobTotals& all = statistics.all;
  to.add("maui_jobs_ended_total", all.jobs);
  to.add("maui_jobs_backfilled_total", all.backfilled);
  to.add("maui_queue_seconds_total", all.queue_hours * kHour);
  to.add("maui_processor_seconds_total", all.completed_proc_seconds);
  to.add("maui_preemptions_total", statistics.preemptions);
  add_ended("class", cluster.classes, statistics.classes, to);
  add_ended("qos", cluster.qos, statistics.qos, to);
}

void add_iterations(const IterationTimes& times, Families& to) {
  to.add("maui_iterations_total", times.iterations());
  to.add("maui_iteration_seconds", times.whole());
  constexpr std::pair<Phase, std::string_view> kNames[] = {{Phase::poll, "poll"},
                                                           {Phase::apply, "apply"},
                                                           {Phase::refresh, "refresh"},
                                                           {Phase::plan, "plan"},
                                                           {Phase::carry_out, "carry_out"}};
  for (const auto& [phase, name] : kNames)
    to.add("maui_iteration_phase_seconds", times.part(phase), label("phase", name));
}

void add_managers(const std::vector<RmRecord>& managers, Families& to) {
  for (const RmRecord& manager : managers) {
    const Labels whose = label("name", manager.name);
    to.add("maui_resource_manager_up", manager.up, whose);
    to.add("maui_resource_manager_reported", manager.answered >= Time(0), whose);
    to.add("maui_resource_manager_polls_total", manager.polls, whose);
    to.add("maui_resource_manager_poll_failures_total", manager.failed_polls, whose);
    to.add("maui_resource_manager_starts_total", manager.starts, whose);
    to.add("maui_resource_manager_start_failures_total", manager.failed_starts, whose);
    to.add("maui_resource_manager_answer_seconds_total", manager.latency, whose);
  }
}

void add_server(const Engine& engine, const ServerState& state, const ServerCounts& counts,
                Families& to) {
  if (state.iteration_age) to.add("maui_iteration_age_seconds", *state.iteration_age);
  to.add("maui_scheduling_stopped", engine.stop_rule().stopped);
  to.add("maui_healthy", health_of(engine, state).problems.empty());
  to.add("maui_checkpoint_failing", state.checkpoint_failing);
  to.add("maui_memory_short", state.memory_short);
  to.add("maui_log_lines_total", counts.lines.alerts, label("severity", "alert"));
  to.add("maui_log_lines_total", counts.lines.errors, label("severity", "error"));
  to.add("maui_log_lines_total", counts.lines.warnings, label("severity", "warning"));
  for (const auto& [name, clients] :
       {std::pair("command", counts.commands), std::pair("http", counts.http)}) {
    to.add("maui_connections", clients.connections, label("protocol", name));
    to.add("maui_requests_total", clients.requests, label("protocol", name));
    to.add("maui_clients_refused_total", clients.refused, label("protocol", name));
  }
  to.add("maui_event_streams", counts.event_streams);
  to.add("process_start_time_seconds", counts.started);
  to.add("process_resident_memory_bytes", counts.memory);
}

}  // namespace

void LineCounts::count(std::string_view line) {
  alerts += line.starts_with("ALERT:") ? 1 : 0;
  errors += line.starts_with("ERROR:") ? 1 : 0;
  warnings += line.starts_with("WARNING:") ? 1 : 0;
}

std::string metrics_text(const Engine& engine, const IterationTimes& times,
                         const ServerState& state, const ServerCounts& counts) {
  Families families;
  if (engine.managers_not_heard().size() < engine.rm_records().size()) {
    add_queue(engine.counted(), families);
    add_nodes(engine.counted(), families);
  }
  add_ended(engine.counted(), engine.statistics_of_ended(), families);
  add_iterations(times, families);
  add_server(engine, state, counts, families);
  add_managers(engine.rm_records(), families);
  return families.text();
}

}  // namespace maui
