#include "sim/open_simulator.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sim/job_shaping.h"
#include "sim/resource_trace.h"
#include "sim/swf.h"
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

struct Traces {
  std::vector<NodeReport> nodes;
  std::unique_ptr<Workload> workload;
};

// The nodes of the resource trace, as SIMNODECOUNT and SIMNODECONFIGURATION leave them.
Result<std::vector<NodeReport>> open_nodes(const Settings& settings, const std::string& home,
                                           TraceSummary& summary) {
  const auto& simulation = settings.simulation;
  if (from_header(simulation.resource_trace)) return std::vector<NodeReport>{};
  auto nodes = read_resource_trace(resolved(simulation.resource_trace, home), summary);
  if (nodes) select_nodes(*nodes, simulation);
  return nodes;
}

Result<Traces> open_swf(const Settings& settings, const std::string& path,
                        std::vector<NodeReport> nodes, TraceSummary& summary) {
  const auto& simulation = settings.simulation;
  auto log = read_swf(path, summary);
  if (!log) return log.error();
  if (nodes.empty()) {
    auto made = machine_of(log->header);
    if (!made) return Error{fmt::format("{}: {}", path, made.error().what)};
    nodes = *std::move(made);
    select_nodes(nodes, simulation);
  }
  if (const auto fits = drop_oversized(*log, procs_of(nodes), path, summary); !fits)
    return fits.error();
  Traces traces{std::move(nodes), nullptr};
  traces.workload = make_workload(*std::move(log), machine_for(traces.nodes, settings.node_access));
  return traces;
}

Result<Traces> open_traces(const Settings& settings, const std::string& home,
                           TraceSummary& summary) {
  auto nodes = open_nodes(settings, home, summary);
  if (!nodes) return nodes.error();
  const std::string path = resolved(settings.simulation.workload_trace, home);
  if (is_swf(path)) return open_swf(settings, path, *std::move(nodes), summary);
  if (nodes->empty())
    return Error{
        fmt::format("SIMRESOURCETRACEFILE [NONE]: '{}' has no header that describes a "
                    "machine, expected a .swf or .swf.gz log as SIMWORKLOADTRACEFILE, or a "
                    "resource trace",
                    path)};
  auto workload = read_workload_trace(path, settings.node_access, summary);
  if (!workload) return workload.error();
  return Traces{*std::move(nodes), *std::move(workload)};
}

}  // namespace

Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings, const std::string& home,
                                                  TraceSummary& summary) {
  auto traces = open_traces(settings, home, summary);
  if (!traces) return traces.error();
  summary.nodes = static_cast<std::int64_t>(traces->nodes.size());
  summary.jobs = static_cast<std::int64_t>(traces->workload->size());
  return std::unique_ptr<Simulator>(std::make_unique<TraceReplayer>(
      settings, std::move(traces->nodes), std::move(traces->workload)));
}

}  // namespace maui
