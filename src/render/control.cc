// showconfig, changeparam, schedctl.
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string in_time(std::int64_t seconds) {
  return seconds == 0 ? "immediately" : "in " + length(seconds);
}

/// A node without classes has an empty list, since [NONE] stands for the default, [batch:1].
std::string class_list(const std::vector<ClassAmount>& classes) {
  std::string text;
  for (const auto& c : classes) text += fmt::format("[{}:{}]", c.name, c.configured);
  return text.empty() ? "[]" : text;
}

std::string generic_list(const std::vector<ResourceAmount>& generic) {
  std::string text;
  for (const auto& g : generic) text += fmt::format("[{}:{}]", g.name, g.amount);
  return text.empty() ? "[NONE]" : text;
}

std::string_view or_none(std::string_view text) { return text.empty() ? "[NONE]" : text; }

}  // namespace

std::string as_text(const ConfigReply& reply) {
  Lines out;
  out.line("# Maui version {} (PID: {})", reply.version, reply.pid);
  auto heading = reply.headings.begin();
  const auto show_headings = [&](std::size_t before) {
    for (; heading != reply.headings.end() && std::cmp_equal(heading->before, before); ++heading)
      out.line("{}", heading->text);
  };
  for (std::size_t i = 0; i < reply.parameters.size(); ++i) {
    const auto& row = reply.parameters[i];
    show_headings(i);
    const bool wide = reply.headings.empty() || row.name.find('[') != row.name.npos;
    out.line("{:<{}}{}{}", row.name, wide ? 34 : 32, row.name.size() < 32 ? "" : "  ", row.value);
  }
  show_headings(reply.parameters.size());
  return out.take();
}

std::string as_text(const ParameterReply& reply) {
  Lines out;
  out.part("{}parameters modified\n\n", reply.command == "schedctl" ? "" : "\n\n");
  for (const std::string& warning : reply.warnings) out.line("WARNING: {}", warning);
  return out.take();
}

std::string as_text(const ShutdownReply& reply) {
  std::string text = "scheduler will be shutdown immediately\n\n";
  if (reply.lease)
    text +=
        "another scheduler may take over; to stop scheduling, end the one that stands by first\n";
  return text;
}

std::string as_text(const ReloadReply& reply) {
  Lines out;
  out.line("configuration reloaded");
  if (!reply.awaiting_restart.empty())
    out.line("these parameters keep their old values until the scheduler is restarted: {}",
             fmt::join(reply.awaiting_restart, " "));
  return out.take();
}

std::string as_text(const StopReply& reply) {
  if (reply.seconds == -1)
    return fmt::format("scheduling will stop at iteration {}\n\n", reply.iteration);
  return fmt::format("scheduling will stop {} at iteration {}\n\n", in_time(reply.seconds),
                     reply.iteration);
}

std::string as_text(const ResumeReply& reply) {
  return fmt::format("scheduling will resume {}\n\n", in_time(reply.seconds));
}

// Writes the 21 fields of guide 16.2; field 18 is the speed, or the generic resources if there are
// any, and field 19 the generic resources if both are needed.
std::string as_text(const NodeTraceReply& reply) {
  Lines out;
  for (const auto& node : reply.nodes) {
    const bool slow_or_fast = node.speed != 1.0;
    const std::string generic = generic_list(node.generic);
    out.line("COMPUTENODE {} {} {} {} {}M {}M {}M {} {} {} {} {} {} {} {} {} {} {} [NONE] [NONE]",
             node.event, node.when, node.name, or_none(node.resource_manager), node.swap,
             node.memory, node.disk, node.procs, node.frame, node.slot, node.slots,
             or_none(node.opsys), or_none(node.arch), bracketed(node.features),
             class_list(node.classes), bracketed(node.networks),
             slow_or_fast || node.generic.empty() ? fmt::format("{:.2f}", node.speed) : generic,
             slow_or_fast ? generic : "[NONE]");
  }
  return out.take();
}

std::string as_text(const NodesModifiedReply& reply) {
  Lines out;
  for (const auto& node : reply.nodes) {
    if (node.done) out.line("node '{}' {} set to {}", node.name, reply.attribute, reply.value);
    // Also of a change that is done as far as is known.
    if (!node.reason.empty()) out.line("ERROR:    {}", node.reason);
  }
  return out.take();
}

}  // namespace maui
