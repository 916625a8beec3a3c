#include "sim/input_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "sim/listed_machine.h"
#include "sim/pbs_accounting.h"
#include "sim/sacct.h"
#include "sim/swf.h"
#include "sim/trace_file.h"

namespace maui {
namespace {

constexpr std::int64_t kLinesLookedAt = 1000;
constexpr std::size_t kFewestNumbers = 11;  // in a line of a log
constexpr std::size_t kFewestWords = 30;    // in a line of a trace, even if damaged
constexpr std::size_t kFewestOfNode = 15, kMostOfNode = 25;  // in a line of a resource trace

bool all_numbers(std::string_view line) {
  const auto found = words(line);
  return found.size() >= kFewestNumbers &&
         std::all_of(found.begin(), found.end(),
                     [](std::string_view word) { return parse_number(word).has_value(); });
}

/// True if the text looks like a record of a trace, even if it has errors.
bool like_record(std::string_view line) {
  const auto found = words(line);
  return line.find('\0') == line.npos &&
         (found.size() >= kFewestWords || found.front() == "VERSION");
}

/// True if the text looks like a record of a resource trace, even if it has errors.
bool like_node_record(std::string_view line) {
  const auto found = words(line);
  return line.find('\0') == line.npos &&
         (found.front() == "COMPUTENODE" || found.front() == "VERSION" ||
          (found.size() >= kFewestOfNode && found.size() <= kMostOfNode && !all_numbers(line)));
}

}  // namespace

Result<WorkloadFormat> workload_format(const std::string& path) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  const auto by_name = is_swf(path) ? WorkloadFormat::swf : WorkloadFormat::trace;
  bool first = true;
  for (std::string_view line; lines->line() < kLinesLookedAt && lines->next(line);) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    if (first) {
      if (line.front() == ';' || all_numbers(line)) return WorkloadFormat::swf;
      if (is_sacct_header(line)) return WorkloadFormat::sacct;
      if (is_pbs_record(line)) return WorkloadFormat::pbs;
    }
    first = false;
    if (by_name == WorkloadFormat::swf || like_record(line)) return by_name;
  }
  if (first || !lines->damage().empty()) return by_name;
  return Error{fmt::format(
      "{}: unknown format: expected statistics of maui or a workload trace, whose lines have 44 "
      "fields, a log in Standard Workload Format, whose lines have 18 numbers, the output of sacct "
      "--parsable2 with its heading, or the accounting of TORQUE or PBS",
      path)};
}

Result<MachineFormat> machine_format(const std::string& path) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  std::string first;
  bool second = false;
  for (std::string_view line; lines->line() < kLinesLookedAt && lines->next(line);) {
    if (const auto text = trimmed(line); text.empty() || text.front() == '#') continue;
    if (is_scontrol_node(line)) return MachineFormat::scontrol;
    if (std::exchange(second, false) && is_pbsnodes_name(first, line))
      return MachineFormat::pbsnodes;
    if (like_node_record(line)) return MachineFormat::trace;
    if (!first.empty()) continue;
    first = line;
    second = true;
  }
  if (first.empty() || !lines->damage().empty()) return MachineFormat::trace;
  return Error{fmt::format(
      "{}: unknown format of a list of nodes: expected the output of schedctl -n, 'scontrol -o "
      "show nodes' or 'pbsnodes -a', or a resource trace, whose lines begin with COMPUTENODE",
      path)};
}

}  // namespace maui
