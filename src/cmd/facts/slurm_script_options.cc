// The options of #SBATCH.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/outside_text.h"
#include "base/text.h"
#include "cmd/facts/script_options.h"

namespace maui {
namespace {

/// Parses Slurm's formats: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S.
Result<Seconds> slurm_time(std::string_view text) {
  if (same_word(text, "UNLIMITED") || same_word(text, "INFINITE")) return kUnlimited;
  constexpr std::int64_t kMost = 1'000'000'000;
  const Error wrong{"no time"};
  std::int64_t days = 0;
  const auto dash = text.find('-');
  if (dash != text.npos) {
    const auto number = parse_integer<std::int64_t>(text.substr(0, dash));
    if (!number || *number < 0 || *number > kMost / 86400) return wrong;
    days = *number;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> fields;
  for (const auto part : split(text, ':')) {
    const auto number = parse_integer<std::int64_t>(part);
    if (!number || *number < 0 || *number > kMost) return wrong;
    fields.push_back(*number);
  }
  if (fields.empty() || fields.size() > 3) return wrong;
  fields.resize(dash != text.npos ? 3 : fields.size());
  std::int64_t seconds = days * 86400;
  if (dash != text.npos || fields.size() == 3)
    seconds += fields[0] * 3600 + fields[1] * 60 + fields[2];
  else
    seconds += fields[0] * 60 + (fields.size() == 2 ? fields[1] : 0);
  return Seconds(seconds);
}

Status set_nodes(ScriptReading::Amounts& amounts, std::string_view value) {
  const auto dash = value.find('-');
  auto least = script_count(value.substr(0, dash));
  if (!least) return least.error();
  amounts.nodes = amounts.most_nodes = *least;
  if (dash == value.npos) return Done{};
  return set_count(amounts.most_nodes, value.substr(dash + 1), *least);
}

/// Parses "gpu:2", "gpu:a100:2" or "2", per task.
Status set_gpus_per_task(ScriptReading& reading, std::string_view value) {
  const auto colon = value.rfind(':');
  const auto count = script_count(colon == value.npos ? value : value.substr(colon + 1));
  if (!count) return count.error();
  reading.amounts().per_task.emplace_back("gpu", *count);
  return Done{};
}

constexpr ScriptOption kSlurmOptions[] = {
    {'n', "ntasks", true,
     [](ScriptReading& r, std::string_view v) { return set_count(r.amounts().tasks, v); }},
    {'N', "nodes", true,
     [](ScriptReading& r, std::string_view v) { return set_nodes(r.amounts(), v); }},
    {0, "ntasks-per-node", true,
     [](ScriptReading& r, std::string_view v) { return set_count(r.amounts().tasks_per_node, v); }},
    {'c', "cpus-per-task", true,
     [](ScriptReading& r, std::string_view v) { return set_count(r.amounts().procs_per_task, v); }},
    {'t', "time", true,
     [](ScriptReading& r, std::string_view v) { return r.set_limit(slurm_time(v), v); }},
    {0, "mem", true,
     [](ScriptReading& r, std::string_view v) {
       return set_megabytes(r.amounts().memory_per_node, v);
     }},
    {0, "mem-per-cpu", true,
     [](ScriptReading& r, std::string_view v) {
       return set_megabytes(r.amounts().memory_per_proc, v);
     }},
    {'p', "partition", true,
     [](ScriptReading& r, std::string_view v) -> Status {
       if (v.find(',') != v.npos) r.pass_over("all partitions but the first");
       r.asked().job_class = v.substr(0, v.find(','));
       return Done{};
     }},
    {'q', "qos", true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.asked().qos = v;
       return Done{};
     }},
    {'A', "account", true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.asked().account = v;
       return Done{};
     }},
    {'C', "constraint", true,
     [](ScriptReading& r, std::string_view v) { return r.add_features(v); }},
    {'w', "nodelist", true,
     [](ScriptReading& r, std::string_view v) {
       r.asked().host_list_use = HostListUse::all_of;
       return r.add_hosts(r.asked().host_list, v);
     }},
    {'x', "exclude", true,
     [](ScriptReading& r, std::string_view v) { return r.add_hosts(r.asked().excluded_hosts, v); }},
    {0, "exclusive", false,
     [](ScriptReading& r, std::string_view) -> Status {
       r.asked().job.access_asked = NodeAccess::dedicated;
       return Done{};
     }},
    {0, "gpus-per-task", true, set_gpus_per_task},
    {'J', "job-name", true, nullptr},
    {'o', "output", true, nullptr},
    {'e', "error", true, nullptr},
    {'i', "input", true, nullptr},
    {'D', "chdir", true, nullptr},
    {'k', "no-kill", false, nullptr},
    {'H', "hold", false, nullptr},
    {'Q', "quiet", false, nullptr},
    {'v', "verbose", false, nullptr},
    {0, "mail-type", true, nullptr},
    {0, "mail-user", true, nullptr},
    {0, "export", true, nullptr},
    {0, "comment", true, nullptr},
    {0, "open-mode", true, nullptr},
    {0, "requeue", false, nullptr},
    {0, "no-requeue", false, nullptr},
    {0, "parsable", false, nullptr},
    {0, "signal", true, nullptr},
    {0, "get-user-env", false, nullptr},
    {0, "wckey", true, nullptr},
};

}  // namespace

std::span<const ScriptOption> slurm_script_options() { return kSlurmOptions; }

}  // namespace maui
