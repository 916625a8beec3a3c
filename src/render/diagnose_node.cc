// diagnose -n and -t.
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

constexpr std::size_t kCell = 30;  // for classes and networks, unless verbose

std::string class_cell(const NodeDiagnosis& node) {
  std::string text;
  for (const auto& c : node.classes)
    text += fmt::format("[{}_{}:{}]", c.name, c.free, c.configured);
  return text.empty() ? "[NONE]" : text;
}

void add(FreeAmount& total, const FreeAmount& amount) {
  total.free += amount.free;
  total.configured += amount.configured;
}

void amount_cells(Lines& out, const FreeAmount& procs, const FreeAmount& memory,
                  const FreeAmount& disk, const FreeAmount& swap) {
  out.part(" {:>3}:{:<3}", procs.free, procs.configured);
  for (const auto* amount : {&memory, &disk, &swap})
    out.part(" {:>6}:{:<6}", amount->free, amount->configured);
}

void node_line(Lines& out, const NodeDiagnosis& node, bool verbose) {
  const std::string classes = class_cell(node), networks = bracketed(node.networks);
  out.part("{:<20} {:>8}", node.name, node.state);
  amount_cells(out, node.procs, node.memory, node.disk, node.swap);
  out.line(" {:>5.2f} {:>6} {:>6} {:>3} {:>6.2f} {:>3} {:<30} {:<30} {}", node.speed, node.opsys,
           node.arch, verbose ? std::string_view(node.partition) : head(node.partition, 3),
           node.load,
           verbose ? fmt::to_string(node.reservations) : fmt::format("{:03}", node.reservations),
           verbose ? std::string_view(classes) : head(classes, kCell),
           verbose ? std::string_view(networks) : head(networks, kCell), bracketed(node.features));
}

void partition_line(Lines& out, std::string_view name, const PartitionAmount& a) {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return percent(static_cast<double>(part), static_cast<double>(whole));
  };
  out.line("{:<12} {:>10} {:>10} {:>6.2f}% {:>10} {:>6.2f}% {:>10} {:>6.2f}%", name, a.configured,
           a.up, share(a.up, a.configured), a.dedicated, share(a.dedicated, a.up), a.active,
           share(a.active, a.up));
}

const PartitionAmount* amount_of(const PartitionDiagnosis& partition, std::string_view resource) {
  for (const auto& amount : partition.amounts)
    if (amount.resource == resource) return &amount;
  return nullptr;
}

}  // namespace

std::string as_text(const NodesDiagnosisReply& reply) {
  Lines out;
  FreeAmount procs, memory, disk, swap;
  out.line("diagnosing node table ({} slots)", reply.nodes.size());
  out.line(
      "Name                    State  Procs     Memory         Disk          Swap      Speed  "
      "Opsys   Arch Par   Load Res Classes                        Network"
      "                        Features");
  out.blank();
  for (const auto& node : reply.nodes) {
    node_line(out, node, reply.verbose);
    add(procs, node.procs);
    add(memory, node.memory);
    add(disk, node.disk);
    add(swap, node.swap);
  }
  out.part("{:<20} {:>8}", "-----", "---");
  amount_cells(out, procs, memory, disk, swap);
  out.end_line();
  out.blank();
  out.line("Total Nodes: {}  (Active: {}  Idle: {}  Down: {})", reply.nodes.size(), reply.active,
           reply.idle, reply.down);
  for (const auto& warning : reply.warnings) out.line("WARNING:  {}", warning);
  out.blank();
  return out.take();
}

std::string as_text(const PartitionsReply& reply) {
  Lines out;
  out.line("Displaying Partition Status");
  out.blank();
  out.line("System Partition Settings:  PList: {} PDef: {}", fmt::join(reply.system_list, ":"),
           reply.system_default);
  out.blank();
  out.line("{:<20} {:>8}", "Name", "Procs");
  out.blank();
  for (const auto& p : reply.partitions)
    if (const auto* procs = amount_of(p, "PROC"))
      out.line("{:<20} {:>8}", p.name, procs->configured);
  out.blank();
  out.line("Partition    Configured         Up     U/C  Dedicated     D/U     Active     A/U");
  out.blank();
  for (const auto* resource : {"NODE", "PROC", "MEM", "SWAP", "DISK"}) {
    out.line("{}{:-<76}", resource, "");
    for (const auto& p : reply.partitions)
      if (const auto* amount = amount_of(p, resource)) partition_line(out, p.name, *amount);
  }
  out.blank();
  out.line("Class/Queue State");
  out.blank();
  out.line("             [<CLASS> <AVAIL>:<UP>]...");
  out.blank();
  for (const auto& p : reply.partitions) {
    out.part("{:>12} ", p.name);
    for (const auto& c : p.classes) out.part("[{} {}:{}]", c.name, c.free, c.configured);
    out.end_line();
  }
  out.blank();
  return out.take();
}

}  // namespace maui
