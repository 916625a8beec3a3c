#include "cmd/operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/sorted.h"
#include "base/text.h"

namespace maui {

std::string not_reported_yet(const Context& context) {
  std::string silent;
  for (const auto& name : context.engine.managers_not_heard())
    silent += fmt::format("{}'{}'", silent.empty() ? "" : ", ", name);
  if (!silent.empty())
    return fmt::format(
        "; resource manager {} has not reported its nodes and jobs yet (diagnose -R)", silent);
  const bool live = context.settings().server.mode != ServerMode::simulation;
  const auto stopped = live ? stopped_scheduling(context.engine) : std::string();
  return stopped.empty() ? stopped : "; " + stopped;
}

std::string stopped_scheduling(const Engine& engine) {
  const StopRule& rule = engine.stop_rule();
  if (!rule.stopped) return {};
  const auto who = rule.user.empty() ? rule.user : fmt::format(" (schedctl, {})", rule.user);
  const auto how = rule.resume_at ? fmt::format("it continues at {}", format_date(*rule.resume_at))
                                  : std::string("schedctl -r continues it");
  return fmt::format("scheduling has been stopped since {}{}: what came later is not known; {}",
                     format_date(rule.since), who, how);
}

namespace {

/// Returns the first task of the array that the name stands for: "25", "25_[2-3]" (squeue), "25[]"
/// (qstat); empty if there is no such array.
std::string task_of_array(const Cluster& cluster, std::string_view name) {
  const auto digits = name.find_first_not_of("0123456789");
  const auto array = name.substr(0, digits), rest = name.substr(array.size());
  if (array.empty() || !(rest.empty() || rest.starts_with("_[") || rest.starts_with("[]")))
    return {};
  std::string first;
  JobId earliest;
  for (const JobId id : cluster.jobs()) {
    const std::string& job = cluster.job(id).name;
    const bool of_array = job.size() > array.size() && job.starts_with(array) &&
                          (job[array.size()] == '_' || job[array.size()] == '[');
    if (!of_array ||
        (earliest.valid() && !(cluster.job(id).arrival < cluster.job(earliest).arrival)))
      continue;
    earliest = id;
    first = job;
  }
  return first;
}

}  // namespace

bool has_number(std::string_view job, std::string_view number) {
  return !number.empty() && job.size() > number.size() && job.starts_with(number) &&
         job[number.size()] == '.' && number.find('.') == std::string_view::npos;
}

Result<JobId> job_named(const Context& context, std::string_view name) {
  const Cluster& cluster = context.cluster();
  if (const JobId id = cluster.find_job(name); id.valid()) return id;
  if (const JobId id = cluster.find_job(without_mark(name)); id.valid()) return id;
  if (const JobId id = cluster.find_numbered_job(without_mark(name)); id.valid()) return id;
  if (const auto task = task_of_array(cluster, name); !task.empty())
    return Error{fmt::format("'{}' is an array: name one of its tasks, such as '{}'", name, task)};
  return Error{fmt::format("cannot locate job '{}'{}", name, not_reported_yet(context))};
}

std::string_view without_mark(std::string_view name) {
  constexpr std::string_view kMarks = "+-*";
  if (!name.empty() && kMarks.find(name.back()) != std::string_view::npos) name.remove_suffix(1);
  return name;
}

Result<NodeId> node_named(const Context& context, std::string_view name) {
  const NodeId id = context.cluster().find_node(name);
  if (!id.valid() || context.cluster().node(id).purged)
    return Error{fmt::format("cannot locate node '{}'{}", name, not_reported_yet(context))};
  return id;
}

Result<ReservationId> reservation_named(const Context& context, std::string_view name) {
  const ReservationId id = context.cluster().find_reservation(name);
  if (!id.valid()) return Error{fmt::format("cannot locate reservation '{}'", name)};
  return id;
}

Result<std::vector<FeatureId>> features_named(const Cluster& cluster, std::string_view list) {
  const auto parts = split(list, ':');
  std::size_t most = 1;  // parts in the name of a feature
  for (const std::string& name : cluster.features.all())
    most = std::max(most, 1 + static_cast<std::size_t>(std::count(name.begin(), name.end(), ':')));
  std::vector<FeatureId> features;
  for (std::size_t first = 0; first < parts.size();) {
    FeatureId found;
    std::size_t end = std::min(parts.size(), first + most);
    for (; end > first; --end) {
      const auto* const from = parts[first].data();
      const auto& last = parts[end - 1];
      found =
          cluster.features.find({from, static_cast<std::size_t>(last.data() + last.size() - from)});
      if (found.valid()) break;
    }
    if (!found.valid()) return Error{fmt::format("no node has the feature '{}'", parts[first])};
    features.push_back(found);
    first = end;
  }
  sort_unique(features);
  return features;
}

Result<PartitionId> partition_named(const Context& context, std::string_view name) {
  if (name.empty() || names_all_in_any_case(name) || same_word(name, "[ANY]")) return PartitionId();
  const PartitionId id = context.cluster().partitions.find(name);
  if (!id.valid())
    return Error{
        fmt::format("invalid partition, {}, specified{}", name, not_reported_yet(context))};
  return id;
}

Result<std::string> policy_level(const Context& context) {
  const std::string level = context.value("l", "SOFT");
  if (level != "HARD" && level != "SOFT" && level != "OFF")
    return Error{fmt::format("-l: invalid value '{}': expected HARD, SOFT or OFF", level)};
  return level;
}

Strictness strictness_of(std::string_view level) {
  if (level == "OFF") return Strictness::off;
  return level == "SOFT" ? Strictness::soft : Strictness::hard;
}

}  // namespace maui
