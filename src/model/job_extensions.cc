#include "model/job_extensions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "base/enum_names.h"
#include "base/host_range.h"
#include "base/job_flag_names.h"
#include "base/outside_text.h"
#include "base/resource_names.h"
#include "base/size.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr std::array<EnumName<DependencyKind>, 4> kDependencyKinds{{
    {DependencyKind::after, "after"},
    {DependencyKind::after_ok, "afterok"},
    {DependencyKind::after_not_ok, "afternotok"},
    {DependencyKind::after_any, "afterany"},
}};

// The most alternative task counts per job: each is tried whenever the job is considered.
constexpr std::size_t kMostShapes = 64;

// The most kinds of generic resources per task: nodes are judged by each.
constexpr std::size_t kMostGenericResources = 64;

// A handler returns false if the value is not as expected.
struct Extension {
  std::string_view name;
  std::string_view expected;
  bool (*apply)(std::string_view value, JobReport& job);
};

bool access_mode(std::string_view value, JobReport& job) {
  const bool dedicated = same_word(value, "DEDICATED");
  if (!dedicated && !same_word(value, "SHARED")) return false;
  job.request.access = dedicated ? NodeAccess::dedicated : NodeAccess::shared;
  job.job.access_asked = job.request.access;
  put(job.job.flags, JobFlag::dedicated, dedicated);
  return true;
}

bool dedicated_memory(std::string_view value, JobReport& job) {
  const auto size = parse_size(value, true);
  if (!size) return false;
  for (auto& requirement : job.request.requirements) {
    const auto& task = requirement.per_task;
    requirement.per_task = Resources(task.procs(), *size, task.swap(), task.disk());
  }
  return true;
}

bool flags(std::string_view value, JobReport& job) {
  for (const auto name : split(value, ','))
    if (!apply_flag(name, job)) return false;
  return true;
}

bool host_list(std::string_view value, JobReport& job) {
  const bool superset = value.ends_with('^'), subset = value.ends_with('*');
  if (superset || subset) value.remove_suffix(1);
  auto hosts = parse_host_list(value, ',');
  if (!hosts) return false;
  require_hosts(job, *std::move(hosts));
  if (superset) job.host_list_use = HostListUse::some_of;
  if (subset) job.host_list_use = HostListUse::all_of;
  return true;
}

bool node_set(std::string_view value, JobReport& job) {
  const auto parts = split(value, ':');
  const auto one_of = [](std::string_view word, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view known) { return same_word(word, known); });
  };
  if (parts.size() < 2 || !one_of(parts[0], {"ONEOF", "FIRSTOF", "ANYOF"}) ||
      !one_of(parts[1], {"CLASS", "FEATURE", "MEMORY", "NETWORK", "PROCSPEED"}))
    return false;
  job.job.node_set = value;
  return true;
}

bool partition(std::string_view value, JobReport& job) {
  job.partition = value;
  const auto names = split(value, ':');
  return std::none_of(names.begin(), names.end(),
                      [](std::string_view name) { return name.empty(); });
}

bool qos(std::string_view value, JobReport& job) {
  job.qos = value;
  return !value.empty();
}

bool queue_job(std::string_view value, JobReport& job) {
  const bool no = same_word(value, "FALSE");
  put(job.job.flags, JobFlag::no_queue, no);
  return no || same_word(value, "TRUE");
}

bool tasks_per_node(std::string_view value, JobReport& job) {
  const auto count = parse_integer<int>(value);
  if (!count || *count < 0 || *count > kMostJobTasks) return false;
  for (auto& requirement : job.request.requirements) requirement.tasks_per_node = *count;
  return true;
}

bool task_list(std::string_view value, JobReport& job) {
  std::vector<std::pair<int, Seconds>> shapes;
  for (const auto item : split(value, ',')) {
    const auto tasks = parse_integer<int>(item);
    if (!tasks || *tasks < 1 || *tasks > kMostJobTasks || shapes.size() == kMostShapes)
      return false;
    shapes.emplace_back(*tasks, job.request.limit);
  }
  job.request.requirements.front().tasks = shapes.front().first;
  job.job.alternatives = shapes.size() > 1 ? std::move(shapes) : decltype(shapes){};
  return true;
}

// NAME[:COUNT], or + in place of the colon; COUNT is per task.
bool generic_resources(std::string_view value, JobReport& job) {
  std::vector<std::pair<std::string, int>> wanted;
  for (const auto item : split(value, ',')) {
    const auto mark = item.find_first_of(":+");
    const auto name = item.substr(0, mark);
    const auto count = mark == std::string_view::npos ? std::optional<int>(1)
                                                      : parse_integer<int>(item.substr(mark + 1));
    if (name.empty() || is_elementary_name(name) || !count || *count < 1) return false;
    wanted.emplace_back(name, *count);
  }
  job.generic.resize(job.request.requirements.size());
  for (const auto& list : job.generic)
    if (list.size() + wanted.size() > kMostGenericResources) return false;
  for (auto& list : job.generic) list.insert(list.end(), wanted.begin(), wanted.end());
  return true;
}

bool depend(std::string_view value, JobReport& job) {
  auto found = parse_dependencies(value);
  if (!found) return false;
  auto& all = job.job.dependencies;
  all.insert(all.end(), std::make_move_iterator(found->begin()),
             std::make_move_iterator(found->end()));
  return true;
}

template <auto Job::*Member>
bool keep_text(std::string_view value, JobReport& job) {
  job.job.*Member = value;
  return !value.empty();
}

// WINDOWCOUNT:DISPLAYNAME
bool display(std::string_view value, JobReport& job) {
  const auto colon = value.find(':');
  const auto windows = parse_integer<int>(value.substr(0, colon));
  if (colon == std::string_view::npos || !windows || *windows < 0) return false;
  return colon + 1 < value.size() && keep_text<&Job::display>(value, job);
}

constexpr std::array<Extension, 15> kExtensions{{
    {"TRL", "numbers of tasks, separated by commas", task_list},
    {"TPN", "a number of tasks on each node", tasks_per_node},
    {"ACCESSMODE", "DEDICATED or SHARED", access_mode},
    {"DMEM", "a size in MB", dedicated_memory},
    {"FLAGS", "ADVRES[:NAME], RESTARTABLE, PREEMPTEE, PREEMPTOR or NOQUEUE", flags},
    {"HOSTLIST", "names of hosts, separated by commas", host_list},
    {"NODESET",
     "SETTYPE:ATTRIBUTE[:LIST] with ONEOF, FIRSTOF or ANYOF, and CLASS, FEATURE, MEMORY, NETWORK "
     "or PROCSPEED",
     node_set},
    {"PARTITION", "names of partitions, separated by colons", partition},
    {"QOS", "the name of a QOS", qos},
    {"QUEUEJOB", "FALSE or TRUE", queue_job},
    {"DEPEND", "KIND:JOB[:JOB]... with KIND after, afterok, afternotok or afterany", depend},
    {"GRES", "NAME[:COUNT] of generic resources, at most 64, separated by commas",
     generic_resources},
    {"JGROUP", "the name of a group of jobs", keep_text<&Job::group_id>},
    {"SGE", "WINDOWCOUNT:DISPLAYNAME", display},
    {"SID", "the name of a system", keep_text<&Job::system_id>},
}};

struct Found {
  std::string_view name, value;
  bool pair = false;  // it has a colon or an equals sign
};

std::vector<Found> items_of(std::string_view text) {
  std::vector<Found> items;
  for (const auto part : split(text, ';')) {
    if (trimmed(part).empty()) continue;
    const auto mark = part.find_first_of(":=");
    const bool pair = mark != std::string_view::npos;
    items.push_back({trimmed(part.substr(0, mark)),
                     pair ? trimmed(part.substr(mark + 1)) : std::string_view(), pair});
  }
  return items;
}

// Removes the x= of qsub -W x="..." and its quotes; returns whether it was there.
bool take_off_mark(std::string_view& text) {
  const auto bare = trimmed(text);
  if (bare.size() < 2 || !same_word(bare.substr(0, 1), "x") || bare[1] != '=') return false;
  text = bare.substr(2);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  return true;
}

std::string unknown(std::string_view word) {
  const auto names = extension_names();
  if (const auto near = nearest(word, names); !near.empty())
    return fmt::format("unknown extension '{}' (did you mean '{}'?)", word, near);
  return fmt::format("unknown extension '{}': expected one of {}", word, fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string_view> extension_names() {
  std::vector<std::string_view> names;
  for (const auto& extension : kExtensions) names.push_back(extension.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> apply_extensions(std::string_view comment, JobReport& job,
                                            std::size_t most_hosts) {
  if (comment.size() > kLongestComment)
    return fmt::format("of {} characters, expected at most {}", comment.size(), kLongestComment);
  const bool all_are = take_off_mark(comment);
  const auto items = items_of(comment);
  std::size_t known = 0;
  for (const auto& extension : kExtensions) {  // task counts precede what depends on them
    for (const auto& item : items) {
      if (!same_word(item.name, extension.name)) continue;
      if (!item.pair && !all_are) continue;
      ++known;
      const auto value = shortened(item.value);
      if (extension.apply == host_list && count_host_list(item.value, ',') > most_hosts)
        return fmt::format("{}:{}, expected at most {} hosts", item.name, value, most_hosts);
      if (!item.pair || !extension.apply(item.value, job))
        return fmt::format("{}:{}, expected {}", item.name, value, extension.expected);
    }
  }
  if (!all_are || known == items.size()) return std::nullopt;
  for (const auto& item : items)
    if (std::none_of(kExtensions.begin(), kExtensions.end(), [&](const Extension& extension) {
          return same_word(extension.name, item.name);
        }))
      return unknown(item.name);
  return std::nullopt;
}

bool apply_flag(std::string_view name, JobReport& job) {
  std::string_view reservation;
  if (const auto colon = name.find(':'); colon != std::string_view::npos) {
    reservation = name.substr(colon + 1);
    name = name.substr(0, colon);
    if (!same_word(name, "ADVRES") || reservation.empty()) return false;
  }
  if (same_word(name, "BACKFILL") || same_word(name, "BENCHMARK")) return true;
  const auto flag = value_of<JobFlag>(kJobFlagNames, name);
  if (!flag) return false;
  put(job.job.flags, *flag);
  if (!reservation.empty()) job.job.required_reservation = reservation;
  return true;
}

std::optional<std::vector<std::string>> parse_host_list(std::string_view text, char separator) {
  if (count_host_list(text, separator) > kMostJobTasks) return std::nullopt;
  std::vector<std::string> hosts;
  while (!text.empty()) {
    const auto item = take_item(text, separator);
    if (item.empty()) return std::nullopt;
    auto names = expand_hosts(item);
    if (!names) return std::nullopt;
    hosts.insert(hosts.end(), std::make_move_iterator(names->begin()),
                 std::make_move_iterator(names->end()));
  }
  if (hosts.empty()) return std::nullopt;
  return hosts;
}

std::uint64_t count_host_list(std::string_view text, char separator) {
  std::uint64_t count = 0;
  while (!text.empty()) count += count_hosts(take_item(text, separator));
  return count;
}

void require_hosts(JobReport& job, std::vector<std::string> hosts) {
  const auto tasks = static_cast<std::size_t>(job.request.requirements.front().tasks);
  job.host_list_use = tasks < hosts.size() ? HostListUse::some_of : HostListUse::all_of;
  job.host_list = std::move(hosts);
  put(job.job.flags, JobFlag::host_list);
}

std::optional<std::vector<Dependency>> parse_dependencies(std::string_view text) {
  std::vector<Dependency> found;
  std::set<std::pair<DependencyKind, std::string_view>> named;
  for (const auto item : split(text, ',')) {
    const auto parts = split(item, ':');
    const auto kind = value_of<DependencyKind>(kDependencyKinds, parts.front());
    if (!kind || parts.size() < 2) return std::nullopt;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (parts[i].empty()) return std::nullopt;
      if (named.emplace(*kind, parts[i]).second) found.push_back({*kind, std::string(parts[i])});
    }
  }
  return found;
}

std::string dependency_text(const Dependency& dependency) {
  return fmt::format("{}:{}", name_of<DependencyKind>(kDependencyKinds, dependency.kind),
                     dependency.job);
}

}  // namespace maui
