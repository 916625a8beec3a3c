// diagnose -m, -R and -S.
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  return fmt::format("{}", fmt::join(names, separator));
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
    out.line("{} nodes do not say in which frame they are", reply.nodes_without_frame);
  for (const auto& warning : reply.warnings) out.line("WARNING:  {}", warning);
  out.blank();
  return out.take();
}

std::string as_text(const ResourceManagerReply& reply) {
  Lines out;
  const auto ago = [&](std::int64_t when) {
    return when < 0 ? std::string("never") : length(reply.now - when) + " ago";
  };
  for (const auto& one : reply.managers) {
    const auto type = one.type.empty() ? std::string() : fmt::format("  type: '{}'", one.type);
    out.line("RM[{}]{}  state: '{}'", one.name, type, one.state);
    out.line("  Event Management:  {}", one.event_port > 0
                                            ? fmt::format("(port {})", one.event_port)
                                            : "(event interface disabled)");
    out.line("  Last Answer:       {}", ago(one.last_answer));
    out.line("  Polls:             {}  (failed: {})", one.polls, one.failed_polls);
    out.line("  Job Starts:        {}  (failed: {})", one.starts, one.failed_starts);
    out.line("  Avg/Max Latency:   {:.2f}/{:.2f} seconds", one.average_latency, one.max_latency);
    if (!one.last_failure.empty())
      out.line("  Last Failure:      {}: {}", ago(one.last_failure_at), one.last_failure);
    if (one.next_try > reply.now)
      out.line("  Next Try:          in {}", length(one.next_try - reply.now));
  }
  if (reply.verbose) out.line("Reported:            {} nodes, {} jobs", reply.nodes, reply.jobs);
  for (const auto& one : reply.managers)
    if (one.state == "Down")
      out.line("WARNING:  resource manager '{}' does not answer; nothing is scheduled on it",
               one.name);
  out.blank(2);
  return out.take();
}

// The letters of release 3.3: connections, failures, questions, and those about jobs and
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
