#include "sim/resource_trace.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/enum_names.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "sim/trace_fields.h"

namespace maui {
namespace {

constexpr std::array<std::string_view, 21> kResourceFields{
    "Resource Type",
    "Event Type",
    "Event Time",
    "Resource ID",
    "Resource Manager Name",
    "Configured Swap",
    "Configured Memory",
    "Configured Disk",
    "Configured Processors",
    "Resource Frame Location",
    "Resource Slot Location",
    "Resource Slot Use Count",
    "Node Operating System",
    "Node Architecture",
    "Configured Node Features",
    "Configured Run Classes",
    "Configured Network Adapters",
    "Relative Resource Speed",
    "RESERVED FIELD 1",
    "RESERVED FIELD 2",
    "RESERVED FIELD 3",
};

constexpr std::array<EnumName<NodeState>, 3> kEvents{{
    {NodeState::idle, "AVAILABLE"},
    {NodeState::down, "DEFINED"},
    {NodeState::drained, "DRAINED"},
}};

using Counted = std::vector<std::pair<std::string, int>>;

Counted counted_list(TraceFields& fields, std::size_t field, std::string_view expected) {
  Counted list;
  for (const auto item : fields.bracketed(field, expected)) {
    if (auto entry = parse_counted(item))
      list.push_back(*std::move(entry));
    else
      fields.fail(field, expected);
  }
  return list;
}

std::vector<std::string> string_list(TraceFields& fields, std::size_t field) {
  const auto items = fields.bracketed(field, "a list such as [name][name], or [NONE]");
  return {items.begin(), items.end()};
}

// The field is the speed in the guide, but generic resources in release 3.3: a number or a list.
void read_speed(TraceFields& fields, std::size_t field, NodeReport& report) {
  constexpr std::string_view kExpected =
      "a speed greater than 0, or a list of resources such as [tape:2]";
  const auto word = fields.text(field);
  if (!word.empty() && word.front() == '[') {
    report.generic = counted_list(fields, field, kExpected);
  } else {
    report.node.speed = fields.number(field, report.node.speed, 0, kExpected);
    if (report.node.speed == 0) fields.fail(field, kExpected);
  }
}

int location(TraceFields& fields, std::size_t field, int otherwise) {
  return static_cast<int>(fields.integer(field, otherwise, -1, std::numeric_limits<int>::max(),
                                         "a whole number, or -1 for none"));
}

void read_node(TraceFields& fields, NodeReport& report) {
  Node& node = report.node;
  if (fields.text(1) != "COMPUTENODE") fields.fail(1, "COMPUTENODE");
  if (const auto event = fields.text(2); !event.empty()) {
    const auto state = value_of<NodeState>(kEvents, event);
    if (!state) fields.fail(2, "AVAILABLE, DEFINED or DRAINED");
    node.reported = state.value_or(NodeState::unknown);
  }
  fields.time(3);  // ignored, as in the guide, but it must be a valid time
  node.name = fields.required(4);
  node.resource_manager = fields.name(5);
  const auto swap = fields.size(6, 1, false), memory = fields.size(7, 1, false),
             disk = fields.size(8, 1, false);
  const auto procs = static_cast<Resources::Quantity>(fields.integer(
      9, 1, 0, std::numeric_limits<Resources::Quantity>::max(), "a number of processors"));
  node.configured = Resources(procs, memory, swap, disk);
  node.frame = location(fields, 10, 1);
  node.slot = location(fields, 11, 1);
  node.slots_used = std::max(1, location(fields, 12, 1));
  node.operating_system = fields.text(13);
  node.architecture = fields.text(14);
  report.features = string_list(fields, 15);
  report.classes = counted_list(fields, 16, "a list such as [batch:2], counts greater than 0");
  if (fields.text(16).empty()) report.classes = {{"batch", 1}};  // the guide's default
  node.networks = string_list(fields, 17);
  read_speed(fields, 18, report);
  read_speed(fields, 19, report);
}

std::string bracketed_names(std::span<const std::string> names) {
  std::string text;
  for (const auto& name : names) text += fmt::format("[{}]", name);
  return text.empty() ? std::string(kNoValue) : text;
}

std::string or_none(const std::string& text) { return text.empty() ? std::string(kNoValue) : text; }

std::string_view event_of(NodeState reported) {
  switch (reported) {
    case NodeState::idle:
    case NodeState::running:
    case NodeState::busy:
      return "AVAILABLE";
    case NodeState::drained:
    case NodeState::draining:
      return "DRAINED";
    case NodeState::down:
      return "DEFINED";
    case NodeState::unknown:
      break;
  }
  return kNoValue;
}

}  // namespace

std::span<const std::string_view> resource_fields() { return kResourceFields; }

Result<NodeReport> parse_resource_record(std::string_view line) {
  auto found = words(line);
  if (found.size() != kResourceFields.size())
    return Error{
        fmt::format("{}, expected {}", counted(found.size(), "field"), kResourceFields.size())};
  TraceFields fields(std::move(found), kResourceFields);
  NodeReport report;
  read_node(fields, report);
  if (fields.problem()) return Error{*fields.problem()};
  return report;
}

Result<std::vector<NodeReport>> read_resource_trace(const std::string& path,
                                                    TraceSummary& summary) {
  TraceProblems problems(path, summary);
  std::vector<NodeReport> nodes;
  std::unordered_set<std::string> seen;
  const auto status =
      for_each_record(path, problems, [&](std::string_view line) -> std::optional<std::string> {
        auto report = parse_resource_record(line);
        if (!report) return report.error().what;
        if (!seen.insert(report->node.name).second)
          return fmt::format(
              "field 4 ({}): '{}' occurs twice, expected a different name for each node",
              kResourceFields[3], report->node.name);
        nodes.push_back(*std::move(report));
        return std::nullopt;
      });
  if (!status) return status.error();
  if (nodes.empty()) return problems.nothing_left("node record");
  return nodes;
}

std::string write_resource_record(const Cluster& cluster, const Node& node) {
  std::vector<std::string> features, classes, generic;
  for (const auto id : node.features) features.push_back(cluster.features[id]);
  for (const auto& [what, amount] : node.configured.extra()) {
    const std::string& name = cluster.consumables[what];
    if (name.starts_with(kInitiatorPrefix))
      classes.push_back(fmt::format("{}:{}", name.substr(kInitiatorPrefix.size()), amount));
    else
      generic.push_back(fmt::format("{}:{}", name, amount));
  }
  // Generic resources go into field 18, as in release 3.3, unless the node has a speed as well.
  const bool fast = node.speed != 1.0;
  const std::string resources = bracketed_names(generic);
  const std::string speed = fast || generic.empty() ? fmt::format("{}", node.speed) : resources;
  return fmt::format(
      "COMPUTENODE {} 0 {} {} {}M {}M {}M {} {} {} {} {} {} {} {} {} {} {} [NONE] [NONE]",
      event_of(node.reported), node.name, or_none(node.resource_manager), node.configured.swap(),
      node.configured.memory(), node.configured.disk(), node.configured.procs(), node.frame,
      node.slot, node.slots_used, or_none(node.operating_system), or_none(node.architecture),
      bracketed_names(features), classes.empty() ? "[]" : bracketed_names(classes),
      bracketed_names(node.networks), speed, fast && !generic.empty() ? resources : kNoValue);
}

}  // namespace maui
