// diagnose -m, -R and -S.
#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  return fmt::format("{}", fmt::join(names, separator));
}

// The helper for Slurm watches a file, and forwards events to a port of the scheduler's choice.
std::string events_of(const ManagerDiagnosis& manager) {
  if (!manager.no_events.empty()) return fmt::format("(polled only: {})", manager.no_events);
  if (manager.event_port == 0) return "(event interface disabled)";
  if (manager.type == "SLURM") return "(file of events, watched by the helper)";
  return fmt::format("(port {})", manager.event_port);
}

}  // namespace

std::string as_text(const FramesDiagnosisReply& reply) {
  Lines out;
  out.blank();
  out.line("diagnosing frame table ({} slots)", reply.frames.size());
  out.blank();
  out.line("--------- NC  Mem Disk(MB)  Partition UpdateTime");
  out.blank();
  for (const auto& frame : reply.frames) {
    out.line("Frame[{:02}] {:>2} {:04} {:08} {:>10} {:>11}", frame.frame, frame.nodes.size(),
             frame.memory, frame.disk, joined(frame.partitions, ":"),
             reply.updated < 0 ? "-INFINITY" : ahead(reply.updated, reply.now));
    if (reply.verbose) out.line("  Nodes: {}", joined(frame.nodes, ","));
  }
  if (reply.verbose && reply.nodes_without_frame > 0)
    out.line("{} {} no known frame", counted(reply.nodes_without_frame, "node"),
             by_number(reply.nodes_without_frame, "has", "have"));
  for (const auto& warning : reply.warnings) out.line("WARNING:  {}", warning);
  out.blank();
  return out.take();
}

std::string as_text(const ResourceManagerReply& reply) {
  Lines out;
  const auto ago = [&](std::int64_t when) {
    return when < 0 ? std::string("never") : length(reply.now - when) + " ago";
  };
  for (const auto& manager : reply.managers) {
    const auto type =
        manager.type.empty() ? std::string() : fmt::format("  type: '{}'", manager.type);
    out.line("RM[{}]{}  state: '{}'", manager.name, type, manager.state);
    out.line("  Event Management:  {}", events_of(manager));
    out.line("  Last Answer:       {}", ago(manager.last_answer));
    out.line("  Polls:             {}  (failed: {})", manager.polls, manager.failed_polls);
    out.line("  Job Starts:        {}  (failed: {})", manager.starts, manager.failed_starts);
    out.line("  Avg/Max Latency:   {:.2f}/{:.2f} seconds", manager.average_latency,
             manager.max_latency);
    if (!manager.last_failure.empty())
      out.line("  Last Failure:      {}: {}", ago(manager.last_failure_at), manager.last_failure);
    if (manager.next_try > reply.now)
      out.line("  Next Try:          in {}", length(manager.next_try - reply.now));
  }
  if (reply.verbose)
    out.line("Reported:            {}, {}", counted(reply.nodes, "node"),
             counted(reply.jobs, "job"));
  for (const auto& manager : reply.managers)
    if (manager.state == "Down")
      out.line("WARNING:  resource manager '{}' does not answer; no jobs are scheduled on it",
               manager.name);
  for (const auto& manager : reply.managers)
    for (const auto& warning : manager.warnings)
      out.line("WARNING:  resource manager '{}': {}", manager.name, warning);
  out.blank(2);
  return out.take();
}

// Writes the counts as in release 3.3: connections, failures, requests, and requests about jobs and
// reservations.
std::string as_text(const ServiceReply& reply) {
  const auto yes = [](bool on) { return on ? "TRUE" : "FALSE"; };
  Lines out;
  out.line("Initialized: S:{}/I:{}  CCount: {}  FCount: {}  QCount: {}  JCount: {}  RCount: {}",
           yes(reply.socket), yes(reply.port), reply.connections, reply.failures, reply.requests,
           reply.job_requests, reply.reservation_requests);
  out.blank();
  return out.take();
}

}  // namespace maui
