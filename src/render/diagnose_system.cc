// diagnose -m and -R.
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
  out.line("diagnosing frame table ({} frames)", reply.frames.size());
  out.blank();
  out.line("{:<9} {:>4} {:>8} {:>9}  {}", "---------", "NC", "Mem(MB)", "Disk(MB)", "Partition");
  out.blank();
  for (const auto& frame : reply.frames) {
    out.line("Frame[{:02}] {:>4} {:>8} {:>9}  {}", frame.frame, frame.nodes.size(), frame.memory,
             frame.disk, joined(frame.partitions, ":"));
    if (reply.verbose) out.line("  Nodes: {}", joined(frame.nodes, ","));
  }
  if (reply.nodes_without_frame > 0)
    out.line("{} nodes do not say in which frame they are", reply.nodes_without_frame);
  for (const auto& warning : reply.warnings) out.line("WARNING:  {}", warning);
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
    out.line("  Last Answer:       {}", ago(one.last_answer));
    out.line("  Polls:             {}  (failed: {})", one.polls, one.failed_polls);
    out.line("  Job Starts:        {}  (failed: {})", one.starts, one.failed_starts);
    out.line("  Avg/Max Latency:   {:.2f}/{:.2f} seconds", one.average_latency, one.max_latency);
    if (!one.last_failure.empty())
      out.line("  Last Failure:      {}: {}", ago(one.last_failure_at), one.last_failure);
    if (one.next_try > reply.now)
      out.line("  Left Alone:        for {} more", length(one.next_try - reply.now));
  }
  if (reply.verbose) out.line("Reported:            {} nodes, {} jobs", reply.nodes, reply.jobs);
  for (const auto& one : reply.managers)
    if (one.state == "Down")
      out.line("WARNING:  resource manager '{}' does not answer; nothing is scheduled on it",
               one.name);
  return out.take();
}

}  // namespace maui
