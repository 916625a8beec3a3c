// Workload records as statistics files keep them (guide 16.3, 14.6).
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/host_range.h"
#include "base/job_flag_names.h"
#include "base/percent.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "model/placement.h"
#include "sim/trace_fields.h"
#include "sim/workload_fields.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

constexpr std::size_t kRangesFrom = 64;  // hosts; from here on lists are written in range form

/// As it reads back: a field holds no white space, and some words say that there is no value.
std::string field(std::string_view text, std::string_view also = {}) {
  if (text.empty()) return std::string(kNoValue);
  auto word = percent_escaped(text, also);
  const bool says_none = word == kNoValue || word == "[DEFAULT]" || word == "0";
  return says_none ? percent_escaped(text, text.substr(0, 1)) : word;
}

/// The name that a record begins with: a '#' there would make a remark of it, VERSION a head.
std::string first_field(std::string_view name) {
  const bool other = name.starts_with('#') || name == "VERSION";
  return other ? percent_escaped(name, name.substr(0, 1)) : field(name);
}

template <class IdType>
std::string named(const Names<IdType>& names, IdType id, std::string_view also = {}) {
  return id.valid() ? field(names[id], also) : std::string(kNoValue);
}

std::string hosts(std::vector<std::string> names) {
  for (std::string& name : names) name = percent_escaped(name, "[]:");
  if (names.empty()) return std::string(kNoValue);
  return join(names.size() < kRangesFrom ? names : compress_hosts(names), ":");
}

/// The nodes as a list in range form, in the resource manager's order, from runs of nodes whose
/// names count up; nothing where a name has to be escaped.
std::optional<std::string> hosts_in_ranges(const Cluster& cluster, const Placement& placement) {
  std::vector<NodeRun> runs;
  for (const Placement::Part& part : placement.parts()) runs.push_back(part.nodes);
  std::sort(runs.begin(), runs.end(),
            [](const NodeRun& a, const NodeRun& b) { return a.first < b.first; });
  using Names = std::pair<std::string_view, std::string_view>;  // the first and the last of some
  std::vector<Names> all;
  const auto name = [&](std::uint32_t node) -> std::string_view {
    return cluster.node(NodeId(node)).name;
  };
  std::uint32_t done = 0;  // a node may serve several requirements
  for (const NodeRun& run : runs) {
    for (std::uint32_t at = std::max(run.first, done); at < run.end;) {
      const std::uint32_t end = std::min(run.end, cluster.series_of(NodeId(at)).end);
      if (!all.empty() && counts_up(all.back().second, name(at)))
        all.back().second = name(end - 1);
      else
        all.emplace_back(name(at), name(end - 1));
      at = end;
    }
    done = std::max(done, run.end);
  }
  std::string text;
  for (const auto& [first, last] : all) {
    if (percent_escaped(first, "[]:") != first) return std::nullopt;
    if (!text.empty()) text += ':';
    text += host_series(first, last);
  }
  return text;
}

std::string allocated_hosts(const Cluster& cluster, const Job& job) {
  if (job.placement.size() >= kRangesFrom && node_count(job.placement) >= kRangesFrom)
    if (auto text = hosts_in_ranges(cluster, job.placement)) return *std::move(text);
  std::vector<NodeId> nodes;  // each once: a node may serve several requirements
  for (const auto& share : job.placement) nodes.push_back(share.node);
  std::vector<NodeId> order = nodes;
  std::sort(order.begin(), order.end());
  if (std::adjacent_find(order.begin(), order.end()) != order.end()) {
    order.erase(std::unique(order.begin(), order.end()), order.end());
    nodes = order;
  }
  std::vector<std::string> names;
  for (const auto id : nodes) names.push_back(cluster.node(id).name);
  return hosts(names);
}

std::string required_hosts(const Cluster& cluster, const Request& request) {
  std::vector<std::string> names;
  for (const auto id : request.host_list) names.push_back(cluster.node(id).name);
  return hosts(names);
}

std::string flags(const Job& job) {
  std::string text;
  for (const auto& row : kJobFlagNames) {
    if (has(job.flags, row.value)) text += fmt::format("[{}]", row.name);
  }
  return field(text);
}

std::string features(const Cluster& cluster, const Requirement& requirement) {
  std::string text;
  for (const auto id : requirement.features)
    text += fmt::format("[{}]", percent_escaped(cluster.features[id], "[]"));
  return text.empty() ? std::string(kNoValue) : text;
}

std::string job_class(const Cluster& cluster, const Job& job, const Requirement& requirement) {
  const ClassId id = job.credentials.job_class;
  if (!id.valid()) return "[DEFAULT:1]";
  int initiators = 1;
  for (const auto& [what, amount] : requirement.per_task.extra()) {
    if (cluster.consumables[what] == initiator_name(cluster.classes[id])) initiators = amount;
  }
  return fmt::format("[{}:{}]", percent_escaped(cluster.classes[id], "[]"), initiators);
}

std::string partition(const Cluster& cluster, const Job& job) {
  if (!job.placement.empty())
    return named(cluster.partitions, cluster.node(job.placement.front().node).partition);
  return "ALL";
}

std::string_view comparison(const Bound& bound) {
  // "Not less than nothing" is how records say that any will do.
  return bound.compare == Comparison::any ? ">=" : name_of<Comparison>(kComparisons, bound.compare);
}

std::int64_t epoch(Time when) { return when < kForever && when > Time(0) ? when.raw() : 0; }

// Processor seconds: those of the recorded run, in proportion where this one was cut short; without
// a record all that it held.
double proc_seconds(const Job& job, const Request& request, bool ran) {
  if (!ran) return 0;
  const auto run_time = static_cast<double>((job.ended - job.started - job.suspended_time).raw());
  if (job.recorded && job.recorded->proc_seconds > 0 && job.recorded->run_time > Seconds(0)) {
    return job.recorded->proc_seconds * run_time /
           static_cast<double>(job.recorded->run_time.raw());
  }
  return run_time * request.total_procs();
}

int allocated_tasks(const Job& job, const Request& request) {
  if (job.placement.empty()) return request.total_tasks();  // where is not known
  return static_cast<int>(task_count(job.placement));
}

// Fields 1 to 12: who, how much, how long, and when.
std::string first_part(const Cluster& cluster, const Job& job, const Request& request, bool ran) {
  const auto& requirement = request.requirements.front();
  const auto& who = job.credentials;
  const std::string_view state = job.state == JobState::completed ? "Completed"
                                 : job.state == JobState::removed ? "Removed"
                                                                  : "NotRun";
  const std::int64_t started = ran ? epoch(job.started) : 0;
  return fmt::format(FMT_COMPILE("{:<20} {:>3} {:>4} {:>8} {:>8} {:>7} {:>9} {:>11} {} {} {} {}"),
                     first_field(job.name), requirement.nodes, request.total_tasks(),
                     named(cluster.users, who.user), named(cluster.groups, who.group),
                     request.limit.raw(), state, job_class(cluster, job, requirement),
                     epoch(job.submitted), started, started, epoch(job.ended));
}

// Fields 13 to 30: what it demanded of nodes, and what happened to it.
std::string middle_part(const Cluster& cluster, const Job& job, const Request& request, bool ran) {
  const auto& requirement = request.requirements.front();
  const auto& who = job.credentials;
  return fmt::format(
      FMT_COMPILE("{} {} {} {} {}M {} {}M {} {} {} {} {}:{} {} {} {} {} {} {:.2f}"),
      field(requirement.network), field(requirement.architecture),
      field(requirement.operating_system), comparison(requirement.memory),
      requirement.memory.amount, comparison(requirement.disk), requirement.disk.amount,
      features(cluster, requirement), epoch(job.eligible_since),
      ran ? allocated_tasks(job, request) : request.total_tasks(), requirement.tasks_per_node,
      field(job.qos_requested, ":"), named(cluster.qos, who.qos, ":"), flags(job),
      named(cluster.accounts, who.account), field(job.executable), field(job.comment),
      cluster.bypasses(job.id), proc_seconds(job, request, ran));
}

// Fields 31 to 44: what a task takes, where it ran, and what binds it.
std::string last_part(const Cluster& cluster, const Job& job, const Request& request) {
  const auto& task = request.requirements.front().per_task;
  return fmt::format(FMT_COMPILE("{} {} {}M {}M {}M {} {} {} {} {} {} {} {} [NONE]"),
                     partition(cluster, job), task.procs(), task.memory(), task.disk(), task.swap(),
                     epoch(job.earliest_start), epoch(job.deadline), allocated_hosts(cluster, job),
                     field(job.resource_manager), required_hosts(cluster, request),
                     field(job.required_reservation), field(job.node_set),
                     field(job.application_data));
}

}  // namespace

std::string workload_trace_header() {
  std::string text = "VERSION 230\n#";
  for (std::string_view name : kWorkloadFields) {
    std::string word(name);
    std::erase(word, ' ');
    text += " " + word;
  }
  return text + "\n";
}

std::string write_workload_record(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request_of(job.id);
  const bool ran = job.started < kForever;
  return first_part(cluster, job, request, ran) + " " + middle_part(cluster, job, request, ran) +
         " " + last_part(cluster, job, request);
}

}  // namespace maui
