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
  out.line("RM[{}]  state: '{}'", reply.name, reply.state);
  out.line("  Last Answer:       {}", ago(reply.last_answer));
  out.line("  Polls:             {}  (failed: {})", reply.polls, reply.failed_polls);
  out.line("  Job Starts:        {}  (failed: {})", reply.starts, reply.failed_starts);
  out.line("  Avg/Max Latency:   {:.2f}/{:.2f} seconds", reply.average_latency, reply.max_latency);
  if (reply.verbose) out.line("  Reported:          {} nodes, {} jobs", reply.nodes, reply.jobs);
  if (!reply.last_failure.empty())
    out.line("  Last Failure:      {}: {}", ago(reply.last_failure_at), reply.last_failure);
  if (reply.state == "Down")
    out.line("WARNING:  resource manager '{}' does not answer; nothing is scheduled", reply.name);
  return out.take();
}

}  // namespace maui
