// The options of #PBS.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.h"
#include "base/outside_text.h"
#include "base/text.h"
#include "cmd/facts/script_options.h"

namespace maui {
namespace {

/// Parses "2:ppn=4:fast", or a chunk of select: "2:ncpus=4:mem=8gb".
Status read_chunk(ScriptReading& reading, std::string_view text, std::size_t index) {
  auto& asked = reading.asked();
  if (asked.request.requirements.size() <= index) asked.request.requirements.resize(index + 1);
  Requirement& requirement = asked.request.requirements[index];
  int chunks = 1, per_node = 0, procs = 1, memory = 0;
  bool first = true;
  for (const auto part : split(text, ':')) {
    const auto equals = part.find('=');
    const auto name = part.substr(0, equals);
    if (equals == part.npos) {
      if (const auto count = first ? parse_integer<int>(part) : std::nullopt) {
        chunks = *count;
      } else if (first && part.find_first_of("0123456789[") != part.npos) {
        asked.host_list_use = HostListUse::all_of;
        if (auto added = reading.add_hosts(asked.host_list, part); !added) return added;
      } else {
        reading.features(index).emplace_back(part);
      }
      if (chunks < 1 || chunks > ScriptReading::kMostTasks)
        return Error{
            fmt::format("invalid value '{}': expected a number of nodes", shortened(part))};
      first = false;
      continue;
    }
    first = false;
    const auto value = part.substr(equals + 1);
    Status status = Done{};
    if (name == "ppn")
      status = set_count(per_node, value);
    else if (name == "ncpus")
      status = set_count(procs, value);
    else if (name == "mem") {
      const auto size = script_megabytes(value);
      if (!size) return size.error();
      memory = *size;
    } else if (name == "ngpus" || name == "gpus") {
      int gpus = 0;
      status = set_count(gpus, value, 0);
      if (asked.generic.size() <= index) asked.generic.resize(index + 1);
      if (gpus > 0) asked.generic[index].emplace_back("gpu", gpus);
    } else if (name != "mpiprocs" && name != "ompthreads") {
      reading.pass_over(part);
    }
    if (!status) return status;
  }
  if (chunks > ScriptReading::kMostTasks / std::max(1, per_node))
    return Error{fmt::format("'{}' requests too many tasks", shortened(text))};
  requirement.tasks = chunks * std::max(1, per_node);
  requirement.tasks_per_node = per_node;
  requirement.per_task = Resources(procs, memory);
  return Done{};
}

Status read_chunks(ScriptReading& reading, std::string_view value) {
  constexpr std::size_t kMostChunks = 100;
  std::size_t index = 0;
  for (const auto chunk : split(value, '+')) {
    if (index == kMostChunks) return Error{fmt::format("more than {} chunks", kMostChunks)};
    if (auto status = read_chunk(reading, chunk, index++); !status) return status;
  }
  return Done{};
}

/// Parses one entry of -l.
Status read_pbs_resource(ScriptReading& reading, std::string_view entry) {
  const auto equals = entry.find('=');
  const auto name = entry.substr(0, equals);
  const auto value = equals == entry.npos ? std::string_view() : entry.substr(equals + 1);
  auto& asked = reading.asked();
  if (name == "nodes" || name == "select") return read_chunks(reading, value);
  if (name == "walltime") return reading.set_limit(parse_duration(value), value);
  if (name == "procs" || name == "ncpus") return set_count(reading.amounts().tasks, value);
  if (name == "mem") return set_megabytes(reading.amounts().memory, value);
  if (name == "pmem") return set_megabytes(reading.amounts().memory_per_proc, value);
  if (name == "qos") {
    asked.qos = value;
  } else if (name == "feature") {
    return reading.add_features(value);
  } else if (name == "place") {
    if (value.find("excl") != value.npos) asked.job.access_asked = NodeAccess::dedicated;
  } else if (name != "cput" && name != "file" && name != "nice") {
    reading.pass_over("-l " + std::string(entry));
  }
  return Done{};
}

constexpr ScriptOption kPbsOptions[] = {
    {'l',
     {},
     true,
     [](ScriptReading& r, std::string_view v) -> Status {
       for (const auto entry : split(v, ','))
         if (auto status = read_pbs_resource(r, entry); !status) return status;
       return Done{};
     }},
    {'q',
     {},
     true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.asked().job_class = v.substr(0, v.find('@'));
       return Done{};
     }},
    {'A',
     {},
     true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.asked().account = v;
       return Done{};
     }},
    {'n',
     {},
     false,
     [](ScriptReading& r, std::string_view) -> Status {
       r.asked().job.access_asked = NodeAccess::dedicated;
       return Done{};
     }},
    {'N', {}, true, nullptr},
    {'o', {}, true, nullptr},
    {'e', {}, true, nullptr},
    {'j', {}, true, nullptr},
    {'k', {}, true, nullptr},
    {'m', {}, true, nullptr},
    {'M', {}, true, nullptr},
    {'r', {}, true, nullptr},
    {'S', {}, true, nullptr},
    {'v', {}, true, nullptr},
    {'V', {}, false, nullptr},
    {'d', {}, true, nullptr},
    {'h', {}, false, nullptr},
    {'P', {}, true, nullptr},
    {'w', {}, true, nullptr},
    {'c', {}, true, nullptr},
    {'z', {}, false, nullptr},
};

}  // namespace

std::span<const ScriptOption> pbs_script_options() { return kPbsOptions; }

}  // namespace maui
