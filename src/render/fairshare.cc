// diagnose -f: a table per kind of credential, with a line per credential and a column per window.
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

// Adds cells of seven characters; "-------" stands for a missing value.
void window_cells(Lines& out, const std::vector<double>& values, int decimals) {
  for (const double value : values) {
    if (value < 0)
      out.part(" -------");
    else
      out.part(" {:>7.{}f}", value, decimals);
  }
  out.end_line();
}

void heading(Lines& out, const FairshareReply& reply) {
  out.part("FSInterval        %     Target");
  for (std::size_t i = 0; i < reply.weights.size(); ++i) out.part(" {:>7}", i);
  out.end_line();
  out.part("{:<14} ------- -------", "FSWeight");
  window_cells(out, reply.weights, 4);
  double all = 0;
  for (const double total : reply.totals) all += total;
  out.part("{:<14} {:>7.2f} -------", "TotalUsage", all > 0 ? 100.0 : 0.0);
  window_cells(out, reply.totals, 1);
}

void row(Lines& out, const FairshareRow& row) {
  out.part("{:<14} {:>7.2f}", row.name + (row.off_target ? "*" : ""), row.percent);
  if (row.target < 0)
    out.part(" -------");
  else
    out.part(" {:>6.2f}{:<1}", row.target, row.target_type);
  window_cells(out, row.windows, 2);
}

}  // namespace

std::string as_text(const FairshareReply& reply) {
  Lines out;
  out.line("FairShare Information");
  out.blank();
  out.line("Depth: {} intervals   Interval Length: {}   Decay Rate: {:.2f}", reply.depth,
           length(reply.interval), reply.decay);
  out.blank();
  out.line("FS Policy: {}", reply.policy);
  out.line("System FS Settings:  Target Usage: 0.00    Flags: 0");
  out.blank();
  heading(out, reply);
  for (const auto& table : reply.tables) {
    out.blank();
    out.line("{}", table.kind);
    out.line("-------------");
    for (const auto& credential : table.rows) row(out, credential);
  }
  out.blank();
  return out.take();
}

}  // namespace maui
