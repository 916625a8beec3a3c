#include "sim/listed_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "base/size.h"
#include "base/text.h"
#include "sim/trace_file.h"
#include "sim/used_machine.h"

namespace maui {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

std::string_view value_of(const Values& values, std::string_view name) {
  const auto at = values.find(name);
  return at == values.end() ? std::string_view() : std::string_view(at->second);
}

NodeReport node_of(const std::string& name, std::int64_t procs, std::int64_t memory,
                   std::int64_t gpus) {
  const auto whole = [](std::int64_t amount) {
    return static_cast<Resources::Quantity>(
        std::clamp<std::int64_t>(amount, 1, std::numeric_limits<Resources::Quantity>::max()));
  };
  NodeReport report;
  report.node.name = name;
  report.node.reported = NodeState::idle;
  report.node.configured = Resources(whole(procs), whole(memory));
  if (gpus > 0) report.generic.emplace_back(kGpu, whole(gpus));
  return report;
}

/// Returns the total number of GPUs in "gpu:a100:4(S:0-1),gpu:v100:2,tape:1".
std::int64_t gpus_of(std::string_view gres) {
  std::int64_t gpus = 0;
  for (auto item : split(gres, ',')) {
    item = item.substr(0, item.find('('));
    const auto parts = split(item, ':');
    if (!same_word(parts.front(), "gpu") || parts.size() < 2) continue;
    gpus += parse_integer<std::int64_t>(parts.back()).value_or(0);
  }
  return std::max<std::int64_t>(0, gpus);
}

Result<NodeReport> scontrol_node(const Values& values) {
  const std::string name(value_of(values, "NodeName"));
  if (name.empty()) return Error{"invalid NodeName '': expected the name of a node"};
  const auto procs = parse_integer<std::int64_t>(value_of(values, "CPUTot"));
  if (!procs || *procs < 1)
    return Error{
        fmt::format("invalid CPUTot '{}': expected a number of CPUs", value_of(values, "CPUTot"))};
  const auto memory = parse_integer<std::int64_t>(value_of(values, "RealMemory")).value_or(1);
  auto report = node_of(name, *procs, memory, gpus_of(value_of(values, "Gres")));
  for (const auto partition : split(value_of(values, "Partitions"), ','))
    if (!partition.empty()) report.classes.emplace_back(partition, report.node.configured.procs());
  for (const auto feature : split(value_of(values, "AvailableFeatures"), ','))
    if (!feature.empty() && feature != "(null)") report.features.emplace_back(feature);
  return report;
}

/// From TORQUE's "status = ...,physmem=132000000kb,..." or PBS's "resources_available.mem = 128gb".
std::int64_t pbs_memory(const Values& values) {
  std::string text(value_of(values, "resources_available.mem"));
  if (text.empty())
    for (const auto item : split(value_of(values, "status"), ','))
      if (item.starts_with("physmem=")) text = item.substr(8);
  if (text.ends_with('b')) text.pop_back();
  return parse_size(text, false).value_or(1);
}

Result<NodeReport> pbs_node(const std::string& name, const Values& values) {
  auto count = value_of(values, "np");
  if (count.empty()) count = value_of(values, "resources_available.ncpus");
  if (count.empty()) count = value_of(values, "pcpus");
  const auto procs = parse_integer<std::int64_t>(count);
  if (!procs || *procs < 1)
    return Error{
        fmt::format("node {}: invalid np, resources_available.ncpus or pcpus '{}': expected a "
                    "number of processors",
                    name, count)};
  auto gpus = value_of(values, "gpus");
  if (gpus.empty()) gpus = value_of(values, "resources_available.ngpus");
  auto report =
      node_of(name, *procs, pbs_memory(values), parse_integer<std::int64_t>(gpus).value_or(0));
  for (const auto feature : split(value_of(values, "properties"), ','))
    if (!trimmed(feature).empty()) report.features.emplace_back(trimmed(feature));
  return report;
}

/// Collects the nodes read so far, each name once.
class Nodes {
 public:
  explicit Nodes(TraceProblems& problems) : problems_(problems) {}
  void add(std::int64_t line, Result<NodeReport> node) {
    if (!node)
      problems_.bad_line(line, node.error().what);
    else if (!seen_.insert(node->node.name).second)
      problems_.bad_line(line, fmt::format("node '{}' occurs twice", node->node.name));
    else
      nodes_.push_back(*std::move(node));
  }
  Result<std::vector<NodeReport>> take(const LineReader& lines) {
    if (!lines.damage().empty()) problems_.damage(lines.line() + 1, lines.damage());
    if (nodes_.empty()) return problems_.nothing_left("node");
    return std::move(nodes_);
  }

 private:
  TraceProblems& problems_;
  std::unordered_set<std::string> seen_;
  std::vector<NodeReport> nodes_;
};

}  // namespace

bool is_scontrol_node(std::string_view line) { return line.starts_with("NodeName="); }

Result<std::vector<NodeReport>> read_scontrol_nodes(const std::string& path,
                                                    TraceSummary& summary) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  TraceProblems problems(path, summary);
  Nodes nodes(problems);
  for (std::string_view line; lines->next(line);) {
    if (trimmed(line).empty()) continue;
    if (!is_scontrol_node(line)) {
      problems.bad_line(lines->line(), "expected NodeName=..., one line per node (scontrol -o)");
      continue;
    }
    Values values;
    for (const auto word : words(line))
      if (const auto equals = word.find('='); equals != word.npos)
        values.emplace(word.substr(0, equals), word.substr(equals + 1));
    nodes.add(lines->line(), scontrol_node(values));
  }
  return nodes.take(*lines);
}

bool is_pbsnodes_name(std::string_view line, std::string_view next) {
  const auto indented = [](std::string_view text) {
    return !text.empty() && (text.front() == ' ' || text.front() == '\t');
  };
  return !line.empty() && !indented(line) && words(line).size() == 1 && indented(next) &&
         next.find(" = ") != next.npos;
}

Result<std::vector<NodeReport>> read_pbsnodes(const std::string& path, TraceSummary& summary) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  TraceProblems problems(path, summary);
  Nodes nodes(problems);
  std::string name;
  Values values;
  std::int64_t first = 0;
  const auto finish = [&] {
    if (!name.empty()) nodes.add(first, pbs_node(name, values));
    name.clear();
    values.clear();
  };
  for (std::string_view line; lines->next(line);) {
    if (trimmed(line).empty()) continue;
    if (line.front() != ' ' && line.front() != '\t') {
      finish();
      name = trimmed(line);
      first = lines->line();
      continue;
    }
    const auto equals = line.find(" = ");
    if (equals == line.npos || name.empty())
      problems.bad_line(lines->line(), "expected a node's name, or 'name = value' below a name");
    else
      values.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 3)));
  }
  finish();
  return nodes.take(*lines);
}

}  // namespace maui
