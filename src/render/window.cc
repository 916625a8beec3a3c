// showbf: the resources available now, and for how long.
#include <algorithm>

#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

void window_line(Lines& out, const WindowRow& window) {
  const auto unit = by_number(window.procs, "proc", "procs");
  if (window.duration == -1)
    out.line("{:>3} {} available with no timelimit", window.procs, unit);
  else
    out.line("{:>3} {} available for {:>13}", window.procs, unit, length(window.duration));
}

void node_line(Lines& out, const WindowNodeRow& row) {
  if (row.reason == "State")
    out.line("node {} is unavailable (state '{}')", row.node, row.state);
  else if (!row.reason.empty() && row.blocked_by.empty())
    out.line("node {} is unavailable ({})", row.node, row.reason);
  else if (!row.blocked_by.empty())
    out.line("node {} is blocked by reservation {} in {}", row.node, row.blocked_by,
             length(row.duration));
  else
    out.line("node {} has {} available", row.node, counted(row.procs, "proc"));
}

std::string node_table(const WindowsReply& reply) {
  Lines out;
  out.line("            HostName Procs Memory    Disk    Swap   Time Available");
  out.line("          ---------- ----- ------ ------- -------   --------------");
  out.blank();
  for (const auto& row : reply.nodes)
    if (row.reason.empty() && row.procs > 0)
      out.line("{:>20} {:>5} {:>6} {:>7} {:>7} {:>16}", row.node, row.procs, row.memory, row.disk,
               row.swap, length(row.duration));
  out.blank();
  return out.take();
}

}  // namespace

std::string as_text(const WindowsReply& reply) {
  if (reply.by_node) return node_table(reply);
  Lines out;
  out.line("backfill window (user: '{}' group: '{}' partition: {}) {}", reply.user, reply.group,
           reply.partition, date(reply.now));
  out.blank();
  std::string_view partition;
  for (const auto& window : reply.windows) {
    if ((reply.several_partitions || reply.partition != "ALL") && window.partition != partition) {
      out.blank();
      out.line("partition {}:", window.partition);
      partition = window.partition;
    }
    window_line(out, window);
  }
  if (reply.windows.empty()) out.line("no procs available");
  if (!reply.nodes.empty()) out.blank(2);
  for (const auto& row : reply.nodes) node_line(out, row);
  out.blank(3);
  return out.take();
}

}  // namespace maui
