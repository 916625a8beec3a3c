#include "cmd/facts/script_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/host_range.h"
#include "base/outside_text.h"
#include "base/size.h"
#include "base/text.h"

namespace maui {

Result<int> script_count(std::string_view value, int least) {
  const auto count = parse_integer<int>(value);
  if (!count || *count < least || *count > ScriptReading::kMostTasks)
    return Error{fmt::format("invalid value '{}': expected a whole number from {} to {}",
                             shortened(value), least, ScriptReading::kMostTasks)};
  return *count;
}

Result<int> script_megabytes(std::string_view value) {
  std::string text = upper(value);
  if (text.size() > 1 && text.back() == 'B' &&
      !(text[text.size() - 2] >= '0' && text[text.size() - 2] <= '9'))
    text.pop_back();
  const auto size = parse_size(text, true);
  if (!size || *size < 0)
    return Error{fmt::format("invalid value '{}': expected an amount of memory such as 4G",
                             shortened(value))};
  return *size;
}

Status set_megabytes(std::optional<int>& into, std::string_view value) {
  const auto size = script_megabytes(value);
  if (!size) return size.error();
  if (*size > 0) into = *size;  // --mem=0: all memory of a node
  return Done{};
}

ScriptReading::ScriptReading(std::uint64_t most_hosts) : hosts_left_(most_hosts) {
  script_.asked.request.limit = Seconds(0);
}

std::vector<std::string>& ScriptReading::features(std::size_t requirement) {
  auto& all = script_.asked.features;
  if (all.size() <= requirement) all.resize(requirement + 1);
  return all[requirement];
}

void ScriptReading::pass_over(std::string_view option) {
  script_.unknown.push_back(shortened(option));
}

Status ScriptReading::set_limit(const Result<Seconds>& limit, std::string_view value) {
  if (!limit || *limit <= Seconds(0))
    return Error{fmt::format("invalid value '{}': expected a time above zero", shortened(value))};
  script_.asked.request.limit = *limit;
  return Done{};
}

Status ScriptReading::add_hosts(std::vector<std::string>& into, std::string_view value) {
  auto hosts = expand_host_list(value, hosts_left_);
  if (!hosts) return hosts.error();
  hosts_left_ -= hosts->size();
  into.insert(into.end(), std::make_move_iterator(hosts->begin()),
              std::make_move_iterator(hosts->end()));
  if (into.empty()) return Error{"expected node names"};
  return Done{};
}

Status ScriptReading::add_features(std::string_view value) {
  if (value.find_first_of("|[]()*") != value.npos)
    return Error{
        fmt::format("invalid value '{}': expected features joined by &", shortened(value))};
  std::string list(value);
  std::replace(list.begin(), list.end(), ',', '&');
  for (const auto name : split(list, '&'))
    if (!name.empty()) features().emplace_back(name);
  return Done{};
}

Status ScriptReading::settle_tasks(Requirement& requirement) const {
  const int nodes = amounts_.nodes.value_or(0), each = amounts_.tasks_per_node.value_or(0);
  const std::int64_t tasks = amounts_.tasks.value_or(
      nodes > 0 ? nodes * std::int64_t{std::max(1, each)} : std::max(1, each));
  if (tasks > kMostTasks || tasks * amounts_.procs_per_task > kMostTasks)
    return Error{"too many tasks or processors requested"};
  requirement.tasks = static_cast<int>(tasks);
  if (each > 0 && requirement.tasks % each == 0) requirement.tasks_per_node = each;
  if (nodes > 0) {
    requirement.least_nodes = std::min(nodes, requirement.tasks);
    requirement.nodes = amounts_.most_nodes.value_or(nodes);
  }
  requirement.per_task = Resources(amounts_.procs_per_task);
  return Done{};
}

void ScriptReading::settle_memory(Requirement& requirement) const {
  const int on_each = requirement.tasks_per_node > 0 ? requirement.tasks_per_node
                      : amounts_.nodes ? (requirement.tasks + *amounts_.nodes - 1) / *amounts_.nodes
                                       : requirement.tasks;
  const auto shared = [](int amount, int among) {
    return amount / among + (amount % among != 0 ? 1 : 0);
  };
  auto memory = requirement.per_task.memory();
  if (amounts_.memory_per_proc)
    memory = static_cast<Resources::Quantity>(std::min<std::int64_t>(
        std::int64_t{*amounts_.memory_per_proc} * requirement.per_task.procs(), kMostTasks));
  else if (amounts_.memory_per_node)
    memory = shared(*amounts_.memory_per_node, on_each);
  else if (amounts_.memory)
    memory = shared(*amounts_.memory, requirement.tasks);
  requirement.per_task.set(kMemory, memory);
}

Result<JobScript> ScriptReading::settled() {
  Request& request = script_.asked.request;
  Requirement& requirement = request.requirements.front();
  const bool by_chunks = request.requirements.size() > 1 || requirement.tasks != 1 ||
                         requirement.tasks_per_node != 0 || requirement.per_task != Resources(1);
  if (!by_chunks)
    if (auto status = settle_tasks(requirement); !status) return status.error();
  settle_memory(requirement);
  if (!amounts_.per_task.empty()) {
    auto& generic = script_.asked.generic;
    if (generic.empty()) generic.resize(1);
    for (const auto& entry : amounts_.per_task) generic.front().push_back(entry);
  }
  return std::move(script_);
}

}  // namespace maui
