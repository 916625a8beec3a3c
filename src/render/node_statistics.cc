// showstats -n: the memory that jobs need and nodes have, and the nodes' load.
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

void memory_lines(Lines& out, const std::vector<MemoryRow>& rows) {
  MemoryRow total;
  for (const auto& row : rows) {
    total.procs += row.procs;
    total.initial_hours += row.initial_hours;
    total.spread_hours += row.spread_hours;
    total.even_hours += row.even_hours;
  }
  const auto line = [&](const std::string& name, const MemoryRow& row) {
    out.line("{:>8} {:>5} {:>7.2f} {:>9.0f} {:>7.2f} {:>10.0f} {:>7.2f}", name, row.procs,
             percent(static_cast<double>(row.procs), static_cast<double>(total.procs)),
             row.initial_hours, percent(row.initial_hours, row.even_hours), row.spread_hours,
             percent(row.spread_hours, row.even_hours));
  };
  out.line("Memory Requirement Breakdown:");
  out.blank();
  out.line("  Memory  Proc Percent InitialNH Percent  ProcHours Percent");
  for (const auto& row : rows) line(fmt::to_string(row.memory), row);
  line("TOTAL", total);
}

/// Averages over nodes.
struct Summary {
  std::int64_t nodes = 0, available_now = 0, busy_now = 0;
  double available = 0, busy = 0;

  void add(const NodeStatisticsRow& node) {
    ++nodes;
    available_now += node.available_now ? 1 : 0;
    busy_now += node.state == "Busy" ? 1 : 0;
    available += node.available;
    busy += node.busy;
  }
  void line(Lines& out, const std::string& title) const {
    const auto count = static_cast<double>(nodes);
    out.line("{} Nodes {:>7.2f}% Avail {:>7.2f}% Busy  (Current: {:>6.2f}% Avail {:>7.2f}% Busy)",
             title, percent(available, count) / 100, percent(busy, count) / 100,
             percent(static_cast<double>(available_now), count),
             percent(static_cast<double>(busy_now), count));
  }
};

void node_lines(Lines& out, const NodeStatisticsReply& reply) {
  Summary all;
  for (std::size_t i = 0; i < reply.nodes.size();) {
    const std::int64_t memory = reply.nodes[i].memory;
    Summary same;
    if (!reply.summary) {
      out.line("{:>4}MB Nodes", memory);
      out.line("{:>20} {:>9} {:>9} {:>9}", "NodeName", "Available", "Busy", "NodeState");
    }
    for (; i < reply.nodes.size() && reply.nodes[i].memory == memory; ++i) {
      const auto& node = reply.nodes[i];
      same.add(node);
      all.add(node);
      if (!reply.summary)
        out.line("{:>20} {:>8.2f}% {:>8.2f}% {:>9}", node.name, node.available, node.busy,
                 node.state);
    }
    same.line(out, fmt::format("Summary: {:>4} {:>4}MB", same.nodes, memory));
    if (!reply.summary) out.blank();
  }
  all.line(out, fmt::format("System Summary: {:>4}", all.nodes));
}

}  // namespace

std::string as_text(const NodeStatisticsReply& reply) {
  Lines out;
  out.blank(2);
  if (!reply.memory.empty()) {
    memory_lines(out, reply.memory);
    out.blank(2);
  }
  out.line("Node Statistics");
  out.blank();
  node_lines(out, reply);
  out.blank(2);
  return out.take();
}

}  // namespace maui
