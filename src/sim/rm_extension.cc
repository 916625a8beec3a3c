#include "sim/rm_extension.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/enum_names.h"
#include "base/host_range.h"
#include "base/text.h"
#include "base/job_flag_names.h"
#include "sim/trace_fields.h"

namespace maui {
namespace {

// A handler returns false if its value is not as expected.
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
  auto hosts = parse_host_list(value, ',');
  if (!hosts) return false;
  require_hosts(job, *std::move(hosts));
  return true;
}

bool node_set(std::string_view value, JobReport& job) {
  job.job.node_set = value;
  return !value.empty();
}

bool partition(std::string_view value, JobReport& job) {
  job.partition = value;
  return !value.empty();
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
  if (!count || *count < 0) return false;
  for (auto& requirement : job.request.requirements) requirement.tasks_per_node = *count;
  return true;
}

bool task_list(std::string_view value, JobReport& job) {
  std::vector<std::pair<int, Seconds>> shapes;
  for (const auto item : split(value, ',')) {
    const auto tasks = parse_integer<int>(item);
    if (!tasks || *tasks < 1) return false;
    shapes.emplace_back(*tasks, job.request.limit);
  }
  job.request.requirements.front().tasks = shapes.front().first;
  job.job.alternatives = shapes.size() > 1 ? std::move(shapes) : decltype(shapes){};
  return true;
}

bool mere_comment(std::string_view, JobReport&) { return true; }

constexpr std::array<Extension, 12> kExtensions{{
    {"TRL", "numbers of tasks, with commas between them", task_list},
    {"TPN", "a number of tasks on each node", tasks_per_node},
    {"ACCESSMODE", "DEDICATED or SHARED", access_mode},
    {"DMEM", "a size in MB", dedicated_memory},
    {"FLAGS", "ADVRES[:NAME], RESTARTABLE, PREEMPTEE, PREEMPTOR or NOQUEUE", flags},
    {"HOSTLIST", "names of hosts, with commas between them", host_list},
    {"NODESET", "SETTYPE:ATTRIBUTE[:LIST]", node_set},
    {"PARTITION", "the name of a partition", partition},
    {"QOS", "the name of a QOS", qos},
    {"QUEUEJOB", "FALSE or TRUE", queue_job},
    {"SGE", "", mere_comment},
    {"SID", "", mere_comment},
}};

struct Found {
  std::string_view name, value;
};

std::vector<Found> items_of(std::string_view comment) {
  std::vector<Found> items;
  for (const auto part : split(comment, ';')) {
    const auto mark = part.find_first_of(":=");
    if (mark == std::string_view::npos) continue;
    items.push_back({trimmed(part.substr(0, mark)), trimmed(part.substr(mark + 1))});
  }
  return items;
}

}  // namespace

std::optional<std::string> apply_extensions(std::string_view comment, JobReport& job) {
  const auto items = items_of(comment);
  for (const auto& extension : kExtensions) {  // task counts come before what depends on them
    for (const auto& item : items) {
      if (same_word(item.name, extension.name) && !extension.apply(item.value, job))
        return fmt::format("{}:{}, expected {}", item.name, item.value, extension.expected);
    }
  }
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
  std::vector<std::string> hosts;
  while (!text.empty()) {
    std::size_t end = 0;  // a separator in brackets belongs to the item
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != separator); ++end)
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    if (end == 0) return std::nullopt;
    auto names = expand_hosts(text.substr(0, end));
    if (!names) return std::nullopt;
    hosts.insert(hosts.end(), std::make_move_iterator(names->begin()),
                 std::make_move_iterator(names->end()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (hosts.empty()) return std::nullopt;
  return hosts;
}

void require_hosts(JobReport& job, std::vector<std::string> hosts) {
  const auto tasks = static_cast<std::size_t>(job.request.requirements.front().tasks);
  job.host_list_use = tasks < hosts.size() ? HostListUse::some_of : HostListUse::all_of;
  job.host_list = std::move(hosts);
  put(job.job.flags, JobFlag::host_list);
}

}  // namespace maui
