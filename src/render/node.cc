// checknode: a node's resources, state, reservations and jobs.
#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string classes_of(const NodeReply& node) {
  std::string text;
  for (const auto& c : node.classes)
    text += fmt::format("[{} {}:{}]", c.name, c.free, c.configured);
  return text.empty() ? "[NONE]" : text;
}

// Pads INFINITY to the width of the longest times.
std::string endless(const std::string& time) {
  return time == "INFINITY" ? fmt::format("{:>10}", time) : time;
}

// Returns frame and slot; a node without them counts as in the first, as in release 3.3.
std::string place(std::int64_t frame, std::int64_t slot) {
  return fmt::format("{}/{}", frame < 0 ? 1 : frame, slot < 0 ? 1 : slot);
}

void reservation_lines(Lines& out, const NodeReply& node) {
  out.line("Reservations:");
  for (const auto& r : node.reservations) {
    out.line("  {} '{}'(x{})  {} -> {} ({})", r.type, r.name, r.tasks, ahead(r.start, node.now),
             endless(ahead(r.end, node.now)), endless(length(r.end == -1 ? -1 : r.end - r.start)));
    for (const auto& b : r.blocked)
      out.line("    Blocked Resources@{:<11} Procs: {}/{} ({:.2f}%)", ahead(b.since, node.now),
               b.procs, b.of, percent(static_cast<double>(b.procs), static_cast<double>(b.of)));
  }
  if (node.reservations.empty()) out.line("NOTE:  no reservations on node");
}

void state_lines(Lines& out, const NodeReply& node) {
  const auto share = [&](std::int64_t time) {
    return percent(static_cast<double>(time), static_cast<double>(node.total_time));
  };
  out.line("checking node {}", node.name);
  out.blank();
  out.line("State:{:>10}  (in current state for {})", node.state,
           node.state_since == -1 ? length(-1) : length(node.now - node.state_since));
  out.line("Configured Resources: {}", amounts(node.configured));
  out.line("Utilized   Resources: {}", amounts(node.utilised));
  out.line("Dedicated  Resources: {}", amounts(node.dedicated));
  out.line("Opsys: {:>13}  Arch: {:>11}", node.opsys, node.arch);
  out.line("Speed: {:>9.2f}  Load: {:>11.3f}", node.speed, node.load);
  if (node.verbose)
    out.line("Location:   Partition: {}  Frame/Slot:  {}", node.partition,
             place(node.frame, node.slot));
  const bool typed = !node.node_type.empty() && node.node_type != "[DEFAULT]";
  if (node.verbose && (node.proc_speed > 0 || typed))
    out.line("NodeType:   {}  ProcSpeed: {}", typed ? node.node_type : "[DEFAULT]",
             node.proc_speed > 0 ? fmt::to_string(node.proc_speed) : "[NONE]");
  if (node.verbose && !node.policies.empty()) out.line("Policies:   {}", join(node.policies, " "));
  if (!node.told.empty()) out.line("Reported:   {}", join(node.told, "  "));
  if (!node.networks.empty()) out.line("Network:    {}", bracketed(node.networks));
  out.line("Features:   {}", bracketed(node.features));
  // All nodes reported to the scheduler serve batch jobs.
  out.line("Attributes: [Batch]");
  out.line("Classes:    {}", classes_of(node));
  out.blank();
  out.line("Total Time: {}  Up: {} ({:.2f}%)  Active: {} ({:.2f}%)", length(node.total_time),
           length(node.up_time), share(node.up_time), length(node.active_time),
           share(node.active_time));
}

// -A: returns one line that programs split at the semicolons.
std::string pairs(const NodeReply& node) {
  const auto procs = [](const std::vector<ResourceAmount>& amounts) -> std::int64_t {
    for (const auto& [name, amount] : amounts)
      if (name == "PROCS") return amount;
    return 0;
  };
  return fmt::format(
      "NAME={};STATE={};OS={};ARCH={};CPROC={};APROC={};SPEED={:.2f};CPULOAD={:.2f};", node.name,
      node.state, node.opsys, node.arch, procs(node.configured),
      procs(node.configured) - procs(node.dedicated), node.speed, node.load);
}

}  // namespace

std::string as_text(const NodeReply& node) {
  Lines out;
  out.blank(2);
  if (node.pairs) {
    out.line("{}", pairs(node));
  } else {
    state_lines(out, node);
  }
  out.blank();
  reservation_lines(out, node);
  if (!node.jobs.empty()) out.line("JobList:  {}", join(node.jobs, ","));
  for (const auto& alert : node.alerts) out.line("ALERT:  {}", alert);
  out.blank();
  return out.take();
}

}  // namespace maui
