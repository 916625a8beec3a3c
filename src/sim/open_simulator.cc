#include "sim/open_simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/local_zone.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "sim/input_format.h"
#include "sim/job_shaping.h"
#include "sim/listed_machine.h"
#include "sim/logged_job.h"
#include "sim/pbs_accounting.h"
#include "sim/resampled_workload.h"
#include "sim/resource_trace.h"
#include "sim/sacct.h"
#include "sim/swf.h"
#include "sim/trace_file.h"
#include "sim/trace_replayer.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

std::string resolved(const std::string& path, const std::string& home) {
  return path.starts_with('/') || home.empty() ? path : home + "/" + path;
}

bool from_header(const std::string& path) { return path.empty() || same_word(path, "[NONE]"); }

std::int64_t procs_of(const std::vector<NodeReport>& nodes) {
  std::int64_t procs = 0;
  for (const auto& report : nodes) procs += report.node.configured.procs();
  return procs;
}

SwfMachine machine_for(const std::vector<NodeReport>& nodes, NodeAccess access) {
  SwfMachine machine;
  machine.access = access;
  for (const auto& report : nodes) {
    machine.memory = machine.memory || report.node.configured.memory() > 1;  // 1: the default
    for (const auto& [name, count] : report.classes) machine.classes.insert(name);
  }
  return machine;
}

/// Classes and partitions that nodes offer; records may name others.
struct Offered {
  std::unordered_set<std::string> classes;  // empty: nodes have no classes
  std::unordered_set<std::string> partitions;
  bool any_partition = false;  // features name partitions
};

Offered offered_by(const std::vector<NodeReport>& nodes, const Settings& settings) {
  Offered all{machine_for(nodes, settings.node_access).classes, {}};
  for (const auto& report : nodes) all.partitions.insert(report.partition);
  for (const auto& [name, row] : settings.nodes) all.partitions.insert(row.partition);
  all.any_partition = !settings.node.partition_header.empty();
  return all;
}

/// Calls `change` with each limit of the job, and the recorded run time: whichever alternative is
/// chosen, the job runs for as long as it ran.
template <class Change>
void change_limits(JobReport& report, Change change) {
  if (!report.job.recorded) return;
  const Seconds run = report.job.recorded->run_time;
  change(report.request.limit, run);
  for (auto& [tasks, limit] : report.job.alternatives) change(limit, run);
}

/// A workload with the jobs of another one, changed.
class ChangedJobs : public Workload {
 public:
  explicit ChangedJobs(std::unique_ptr<Workload> of) : of_(std::move(of)) {}
  std::size_t size() const override { return of_->size(); }
  Time submitted(std::size_t index) const override { return of_->submitted(index); }
  JobState final_state(std::size_t index) const override { return of_->final_state(index); }

 protected:
  JobReport unchanged(std::size_t index) const { return of_->job(index); }

 private:
  std::unique_ptr<Workload> of_;
};

/// The jobs of a trace as they ran.  A limit remains as requested if the settings allow a job to
/// overrun by as much as it did; else it becomes the job's run time.  A class or partition of a job
/// is ignored if no node has it, and so are dependencies, whose other jobs may not be in the trace.
class AsTheyRan final : public ChangedJobs {
 public:
  AsTheyRan(std::unique_ptr<Workload> of, Seconds overrun, Offered offered)
      : ChangedJobs(std::move(of)), overrun_(overrun), offered_(std::move(offered)) {}
  JobReport job(std::size_t index) const override {
    JobReport report = unchanged(index);
    change_limits(report, [this](Seconds& limit, Seconds run) {
      if (limit > Seconds(0) && run - limit > overrun_) limit = run;
    });
    report.job.dependencies.clear();
    if (!offered_.any_partition && !offered_.partitions.contains(report.partition))
      report.partition.clear();
    if (!is_missed(report.job_class)) return report;
    report.job_class.clear();
    for (auto& generic : report.generic)
      std::erase_if(generic, [](const auto& resource) {
        return resource.first.starts_with(kInitiatorPrefix);
      });
    return report;
  }
  /// Returns, by job, the classes that no node offers.
  std::unordered_map<std::string, std::string> missed_classes() const {
    std::unordered_map<std::string, std::string> missed;
    for (std::size_t i = 0; i < size() && !offered_.classes.empty(); ++i)
      if (const auto report = unchanged(i); is_missed(report.job_class))
        missed.emplace(report.name, report.job_class);
    return missed;
  }

 private:
  bool is_missed(const std::string& job_class) const {
    return !job_class.empty() && !offered_.classes.empty() && !offered_.classes.contains(job_class);
  }

  Seconds overrun_;
  Offered offered_;
};

/// Gives a job without a limit its run time as limit where SYSTEMDEFAULTJOBWALLTIME would cut its
/// run short.
class WholeRuns final : public ChangedJobs {
 public:
  WholeRuns(std::unique_ptr<Workload> of, const Settings& settings)
      : ChangedJobs(std::move(of)),
        default_limit_(settings.default_wall_time),
        percent_(settings.simulation.cpu_scaling_percent) {}
  JobReport job(std::size_t index) const override {
    JobReport report = unchanged(index);
    change_limits(report, [this](Seconds& limit, Seconds run) {
      if (limit <= Seconds(0) && scaled(run, percent_) > default_limit_) limit = run;
    });
    return report;
  }

 private:
  Seconds default_limit_;
  int percent_;
};

struct Traces {
  std::vector<NodeReport> nodes;
  std::unique_ptr<Workload> workload;
};

Result<std::vector<NodeReport>> read_machine(const std::string& path, TraceSummary& summary) {
  const auto format = machine_format(path);
  if (!format) return format.error();
  switch (*format) {
    case MachineFormat::scontrol:
      return read_scontrol_nodes(path, summary);
    case MachineFormat::pbsnodes:
      return read_pbsnodes(path, summary);
    case MachineFormat::trace:
      break;
  }
  return read_resource_trace(path, summary);
}

/// Returns the nodes of the machine's file; none if there is no file.
Result<std::vector<NodeReport>> open_nodes(const std::string& path, TraceSummary& summary) {
  if (path.empty()) return std::vector<NodeReport>{};
  return read_machine(path, summary);
}

/// Returns the most processors that a job of the log may ask for: a log with a header names its own
/// machine, and the listed machine may be larger.  A job that fits there, but not on the nodes that
/// the settings leave, takes part and never starts.
std::int64_t most_procs(const SwfHeader& header, const std::vector<NodeReport>& listed) {
  const std::int64_t own = header.max_procs > 0 ? header.max_procs : header.max_nodes;
  return own > 0 ? std::max(own, procs_of(listed)) : std::numeric_limits<std::int64_t>::max();
}

Result<Traces> open_swf(const Settings& settings, const ReplayFiles& files,
                        std::vector<NodeReport> nodes, TraceSummary& summary) {
  const std::string& path = files.workload.front();
  auto log = read_swf(path, summary);
  if (!log) return log.error();
  if (const auto fits = drop_oversized(*log, most_procs(log->header, nodes), path, summary); !fits)
    return fits.error();
  if (nodes.empty()) {
    auto made = machine_of(log->header);
    if (!made) return Error{fmt::format("{}: {}", path, made.error().what)};
    nodes = *std::move(made);
  }
  select_nodes(nodes, settings.simulation);
  const auto machine = machine_for(nodes, settings.node_access);
  if (files.keep_classes)
    for (const SwfJob& job : log->jobs)
      if (const auto name = class_of(job); !name.empty() && !machine.classes.contains(name))
        summary.unoffered_classes.emplace(fmt::format("{}", job.number), name);
  return Traces{std::move(nodes), make_workload(*std::move(log), machine)};
}

/// Returns the nodes on which the jobs of a log ran.
Result<std::vector<NodeReport>> used_nodes(const UsedMachine& machine, const std::string& path) {
  if (machine.empty())
    return Error{
        fmt::format("SIMRESOURCETRACEFILE [NONE]: '{}' has no header that describes a machine, and "
                    "its jobs name no hosts: expected a resource trace (--machine), too",
                    path)};
  return machine.nodes();
}

Result<Traces> open_trace(const Settings& settings, const ReplayFiles& files,
                          std::vector<NodeReport> nodes, TraceSummary& summary) {
  UsedMachine machine;
  auto workload = read_workload_traces(files.workload, settings.node_access,
                                       nodes.empty() ? &machine : nullptr, summary);
  if (!workload) return workload.error();
  if (nodes.empty()) {
    auto used = used_nodes(machine, files.workload.front());
    if (!used) return used.error();
    nodes = *std::move(used);
  }
  select_nodes(nodes, settings.simulation);
  if (!files.as_they_ran) return Traces{std::move(nodes), *std::move(workload)};
  auto made = std::make_unique<AsTheyRan>(*std::move(workload), settings.job_max_overrun,
                                          offered_by(nodes, settings));
  if (files.keep_classes) summary.unoffered_classes = made->missed_classes();
  return Traces{std::move(nodes), std::make_unique<WholeRuns>(std::move(made), settings)};
}

Result<JobLog> read_job_log(WorkloadFormat format, const std::vector<std::string>& paths,
                            TraceSummary& summary) {
  JobLog log;
  PbsRuns runs;
  const TimeZone zone = local_zone();
  for (const auto& path : paths) {
    const auto status = format == WorkloadFormat::sacct
                            ? read_sacct(path, zone, log, summary)
                            : read_pbs_accounting(path, runs, log, summary);
    if (!status) return status.error();
  }
  runs.count_unfinished(summary);
  if (log.jobs.empty()) return TraceProblems(paths.front(), summary).nothing_left("job that ran");
  return log;
}

Result<Traces> open_job_log(const Settings& settings, WorkloadFormat format,
                            const ReplayFiles& files, std::vector<NodeReport> nodes,
                            TraceSummary& summary) {
  auto log = read_job_log(format, files.workload, summary);
  if (!log) return log.error();
  if (nodes.empty()) {
    auto used = used_nodes(log->machine, files.workload.front());
    if (!used) return used.error();
    nodes = *std::move(used);
  }
  select_nodes(nodes, settings.simulation);
  const auto machine = logged_machine(nodes, settings.node_access);
  if (files.keep_classes)
    for (const LoggedJob& job : log->jobs)
      if (!job.job_class.empty() && !offers(machine, job.job_class))
        summary.unoffered_classes.emplace(job.name, job.job_class);
  auto workload = make_workload(std::move(log->jobs), machine);
  return Traces{std::move(nodes), std::make_unique<WholeRuns>(std::move(workload), settings)};
}

Result<Traces> open_files(const Settings& settings, const ReplayFiles& files,
                          TraceSummary& summary) {
  auto nodes = open_nodes(files.machine, summary);
  if (!nodes) return nodes.error();
  const auto& paths = files.workload;
  const auto format = workload_format(paths.front());
  if (!format) return format.error();
  for (const auto& path : std::span(paths).subspan(1)) {
    const auto other = workload_format(path);
    if (!other) return other.error();
    if (*other != *format || *format == WorkloadFormat::swf)
      return Error{
          fmt::format("'{}' and '{}' are not parts of one workload: expected files of one format, "
                      "and only one log in Standard Workload Format",
                      paths.front(), path)};
  }
  switch (*format) {
    case WorkloadFormat::swf:
      return open_swf(settings, files, *std::move(nodes), summary);
    case WorkloadFormat::trace:
      return open_trace(settings, files, *std::move(nodes), summary);
    case WorkloadFormat::sacct:
    case WorkloadFormat::pbs:
      break;
  }
  return open_job_log(settings, *format, files, *std::move(nodes), summary);
}

}  // namespace

Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings,
                                                  const ReplayFiles& files, TraceSummary& summary) {
  auto traces = open_files(settings, files, summary);
  if (!traces) return traces.error();
  if (files.resample != 0) traces->workload = resample(std::move(traces->workload), files.resample);
  summary.nodes = static_cast<std::int64_t>(traces->nodes.size());
  summary.jobs = static_cast<std::int64_t>(traces->workload->size());
  return std::unique_ptr<Simulator>(std::make_unique<TraceReplayer>(
      settings, std::move(traces->nodes), std::move(traces->workload)));
}

Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings, const std::string& home,
                                                  TraceSummary& summary) {
  const auto& simulation = settings.simulation;
  ReplayFiles files{{resolved(simulation.workload_trace, home)}, {}, 0};
  if (!from_header(simulation.resource_trace))
    files.machine = resolved(simulation.resource_trace, home);
  return open_simulator(settings, files, summary);
}

}  // namespace maui
