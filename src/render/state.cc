// showstate: one letter per job, and the job's place on the machine.
//
// If each node has its own place in a frame, the map has a row per frame and
// a cell per slot; otherwise nodes are listed by name.  A cell shows the first job on its node; the
// nodes with further jobs are listed below the map.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

constexpr std::string_view kJobMarks = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr char kFurtherJob = '+';  // marks all jobs that have no mark of their own
constexpr std::size_t kPerRow = 16;

char mark_of(std::int64_t job) {
  const auto index = static_cast<std::size_t>(job);
  return index < kJobMarks.size() ? kJobMarks[index] : kFurtherJob;
}

bool is_down(const StateNode& node) { return node.state == "Down"; }

char cell(const StateNode& node) {
  const bool has_job = node.job >= 0;
  if (is_down(node)) return has_job ? '*' : '#';
  if (has_job) {
    const char mark = mark_of(node.job);
    return node.state == "Idle" && mark >= 'A' && mark <= 'Z' ? static_cast<char>(mark - 'A' + 'a')
                                                              : mark;
  }
  if (node.state == "Drained" || node.state == "Draining") return '!';
  if (node.state == "Idle") return ' ';
  return node.state == "Unknown" ? '?' : '@';
}

/// True if every node has a place of its own, and no row of slots would be mostly empty.
bool in_frames(const std::vector<StateNode>& nodes) {
  constexpr std::int64_t kMostSlots = 256;
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  const auto last_slot = [](const StateNode& n) {
    return n.slot + std::max<std::int64_t>(n.slots, 1) - 1;
  };
  return std::all_of(nodes.begin(), nodes.end(), [&](const StateNode& n) {
    return n.frame >= 0 && n.slot >= 0 && last_slot(n) <= kMostSlots &&
           places.emplace(n.frame, n.slot).second;
  });
}

void slot_heading(Lines& out, std::int64_t first, std::int64_t last) {
  for (const std::int64_t unit : {10, 1}) {
    out.part("{:15}", "");
    for (std::int64_t slot = first; slot <= last; ++slot) out.part("[{}]", slot / unit % 10);
    out.end_line();
  }
  out.blank();
}

void frame_map(Lines& out, const std::vector<StateNode>& nodes) {
  std::map<std::int64_t, std::map<std::int64_t, const StateNode*>> frames;
  std::int64_t first = 1, last = 1;
  for (const auto& node : nodes) {
    frames[node.frame][node.slot] = &node;
    first = std::min(first, node.slot);
    last = std::max(last, node.slot + std::max<std::int64_t>(node.slots, 1) - 1);
  }
  slot_heading(out, first, last);
  for (const auto& [frame, slots] : frames) {
    out.part("Frame {:>7}: ", fmt::format("{:02}", frame));
    for (std::int64_t slot = first; slot <= last; ++slot) {
      const auto at = slots.find(slot);
      if (at == slots.end())
        out.part("XXX");
      else
        out.part("[{}]", cell(*at->second));
    }
    out.end_line();
  }
}

void name_map(Lines& out, const std::vector<StateNode>& nodes) {
  std::size_t width = 13;
  for (std::size_t i = 0; i < nodes.size(); i += kPerRow)
    width = std::max(width, nodes[i].name.size());
  for (std::size_t i = 0; i < nodes.size(); i += kPerRow) {
    out.part("{:>{}}: ", nodes[i].name, width);
    for (std::size_t j = i; j < std::min(i + kPerRow, nodes.size()); ++j)
      out.part("[{}]", cell(nodes[j]));
    out.end_line();
  }
}

void key_lines(Lines& out, const StateReply& state) {
  out.line("Key:  {}[?]:Unknown [*]:Down w/Job [#]:Down [ ]:Idle [@] Busy w/No Job [!] Drained",
           in_frames(state.nodes) ? "XXX:No Node " : "");
  out.line("Key:  [a]:(a lower case letter is an idle node that is assigned to a job)");
  if (state.jobs.size() > kJobMarks.size()) out.line("Key:  [{}]:another job", kFurtherJob);
}

/// A cell of the map has one job.  Lists the nodes that have several, those with the same jobs
/// together: "  (A) j0009, (B) j0003: node001,node004".
void shared_nodes(Lines& out, const StateReply& state) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> jobs_on;
  for (std::size_t job = 0; job < state.jobs.size(); ++job)
    for (const auto& node : state.jobs[job].nodes)
      if (auto& here = jobs_on[node]; here.empty() || here.back() != job) here.push_back(job);
  std::map<std::vector<std::size_t>, std::size_t> line_of;
  std::vector<std::string> lines;
  for (const auto& node : state.nodes) {
    const auto here = jobs_on.find(node.name);
    if (here == jobs_on.end() || here->second.size() < 2) continue;
    const auto [line, is_new] = line_of.emplace(here->second, lines.size());
    if (!is_new) {
      lines[line->second].append(",").append(node.name);
      continue;
    }
    std::string text;
    for (const std::size_t job : here->second)
      text += fmt::format("{}({}) {}", text.empty() ? "" : ", ",
                          mark_of(static_cast<std::int64_t>(job)), state.jobs[job].name);
    lines.push_back(fmt::format("  {}: {}", text, node.name));
  }
  if (lines.empty()) return;
  out.blank();
  out.line("Nodes with several jobs:");
  for (const auto& line : lines) out.line("{}", line);
}

}  // namespace

std::string as_text(const StateReply& reply) {
  Lines out;
  out.line("cluster state summary for {}", date(reply.now));
  out.blank(2);
  out.line("    JobName            S      User    Group Procs   Remaining            StartTime");
  out.line("    ------------------ - --------- -------- ----- -----------  -------------------");
  out.blank();
  for (std::size_t i = 0; i < reply.jobs.size(); ++i) {
    const auto& job = reply.jobs[i];
    out.line("({}) {:<18} {} {:>9} {:>8} {:>5} {:>11} {:>20}",
             mark_of(static_cast<std::int64_t>(i)), job.name, letter(job.state), job.user,
             job.group, job.procs, length(job.remaining), date(job.started));
  }
  out.blank();
  out.line("usage summary:  {} active jobs  {} active nodes", reply.jobs.size(),
           reply.active_nodes);
  out.blank();
  if (in_frames(reply.nodes))
    frame_map(out, reply.nodes);
  else
    name_map(out, reply.nodes);
  out.blank();
  key_lines(out, reply);
  shared_nodes(out, reply);
  if (!reply.alerts.empty()) out.blank();
  for (const auto& alert : reply.alerts) out.line("{}", alert);
  return out.take();
}

}  // namespace maui
