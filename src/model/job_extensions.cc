#include "model/job_extensions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "base/access_names.h"
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

// A handler returns false if the value is not as expected, which then has no effect.
struct Extension {
  std::string_view name;
  std::string_view expected;
  bool (*apply)(std::string_view value, JobReport& job);
  bool decides = false;  // where, when or beside whom the job may run
};

bool access_mode(std::string_view value, JobReport& job) {
  const auto access = value_of<NodeAccess>(kNodeAccessNames, value);
  if (!access) return false;
  job.request.access.usual = *access;
  job.job.access_asked = access;
  if (access == NodeAccess::dedicated) put(job.job.flags, JobFlag::dedicated);
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

// Those that are known count beside others.
bool flags(std::string_view value, JobReport& job) {
  bool all_known = true;
  for (const auto name : split(value, ',')) all_known = apply_flag(name, job) && all_known;
  return all_known;
}

bool names_reservation(std::string_view flags) { return flags.find(':') != flags.npos; }

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
  const auto names = split(value, ':');
  if (std::any_of(names.begin(), names.end(), [](auto name) { return name.empty(); })) return false;
  job.partition = value;
  return true;
}

bool qos(std::string_view value, JobReport& job) {
  if (value.empty()) return false;
  job.qos = value;
  return true;
}

bool queue_job(std::string_view value, JobReport& job) {
  const bool no = same_word(value, "FALSE");
  if (!no && !same_word(value, "TRUE")) return false;
  put(job.job.flags, JobFlag::no_queue, no);
  return true;
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
  if (value.empty()) return false;
  job.job.*Member = value;
  return true;
}

// WINDOWCOUNT:DISPLAYNAME
bool display(std::string_view value, JobReport& job) {
  const auto colon = value.find(':');
  const auto windows = parse_integer<int>(value.substr(0, colon));
  if (colon == std::string_view::npos || !windows || *windows < 0) return false;
  return colon + 1 < value.size() && keep_text<&Job::display>(value, job);
}

constexpr std::array<Extension, 15> kExtensions{{
    {"TRL", "numbers of tasks, separated by commas", task_list, true},
    {"TPN", "a number of tasks on each node", tasks_per_node, true},
    {"ACCESSMODE", "DEDICATED, SHARED, SINGLEUSER or SINGLETASK", access_mode, true},
    {"DMEM", "a size in MB", dedicated_memory, true},
    {"FLAGS", "ADVRES[:NAME], RESTARTABLE, PREEMPTEE, PREEMPTOR or NOQUEUE", flags},
    {"HOSTLIST", "names of hosts, separated by commas", host_list, true},
    {"NODESET",
     "SETTYPE:ATTRIBUTE[:LIST] with ONEOF, FIRSTOF or ANYOF, and CLASS, FEATURE, MEMORY, NETWORK "
     "or PROCSPEED",
     node_set, true},
    {"PARTITION", "names of partitions, separated by colons", partition, true},
    {"QOS", "the name of a QOS", qos},
    {"QUEUEJOB", "FALSE or TRUE", queue_job},
    {"DEPEND", "KIND:JOB[:JOB]... with KIND after, afterok, afternotok or afterany", depend, true},
    {"GRES", "NAME[:COUNT] of generic resources, at most 64, separated by commas",
     generic_resources, true},
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

const Extension* extension_named(std::string_view name) {
  const auto at = std::find_if(kExtensions.begin(), kExtensions.end(), [&](const auto& extension) {
    return same_word(extension.name, name);
  });
  return at == kExtensions.end() ? nullptr : &*at;
}

/// Collects the faults of a comment: the first few as text, since there may be thousands.
class Faults {
 public:
  void add(std::string what, bool decides) {
    ++count_;
    found_.decides = found_.decides || decides;
    if (count_ <= kQuoted) found_.what += fmt::format("{}{}", count_ == 1 ? "" : "; ", what);
  }
  std::optional<ExtensionFaults> take() && {
    if (count_ == 0) return std::nullopt;
    if (count_ > kQuoted) found_.what += fmt::format("; and {} more", count_ - kQuoted);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kQuoted = 4;
  ExtensionFaults found_;
  std::size_t count_ = 0;
};

/// A misspelt extension decides as much as the one that is meant.
void add_unknown(std::string_view word, Faults& faults) {
  const auto names = extension_names();
  const auto quoted = shortened(word);
  if (const auto near = nearest(word, names); !near.empty())
    faults.add(fmt::format("unknown extension '{}' (did you mean '{}'?)", quoted, near),
               extension_named(near)->decides);
  else
    faults.add(
        fmt::format("unknown extension '{}': expected one of {}", quoted, fmt::join(names, ", ")),
        false);
}

void apply(const Extension& extension, const Found& item, std::size_t most_hosts, JobReport& job,
           Faults& faults) {
  const bool decides = extension.apply == flags ? names_reservation(item.value) : extension.decides;
  const auto wrong = [&](std::string_view expected) {
    faults.add(fmt::format("{}:{}, expected {}", item.name, shortened(item.value), expected),
               decides);
  };
  if (extension.apply == host_list && count_host_list(item.value, ',') > most_hosts)
    wrong(fmt::format("at most {} hosts", most_hosts));
  else if (!item.pair || !extension.apply(item.value, job))
    wrong(extension.expected);
}

}  // namespace

std::vector<std::string_view> extension_names() {
  std::vector<std::string_view> names;
  for (const auto& extension : kExtensions) names.push_back(extension.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<ExtensionFaults> apply_extensions(std::string_view comment, JobReport& job,
                                                std::size_t most_hosts) {
  if (comment.size() > kLongestComment)  // whatever it asks for
    return ExtensionFaults{
        fmt::format("of {} characters, expected at most {}", comment.size(), kLongestComment),
        true};
  const bool all_are = take_off_mark(comment);
  const auto items = items_of(comment);
  Faults faults;
  for (const auto& extension : kExtensions)  // task counts precede what depends on them
    for (const auto& item : items)
      if (same_word(item.name, extension.name) && (item.pair || all_are))
        apply(extension, item, most_hosts, job, faults);
  if (all_are)
    for (const auto& item : items)
      if (extension_named(item.name) == nullptr) add_unknown(item.name, faults);
  return std::move(faults).take();
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
