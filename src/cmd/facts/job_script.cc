#include "cmd/facts/job_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/duration.h"
#include "base/host_range.h"
#include "base/size.h"
#include "base/text.h"
#include "base/told_text.h"

namespace maui {
namespace {

constexpr int kMostTasks = 100'000'000;

/// The amounts of a script that one option tells and another completes.
struct ScriptAmounts {
  std::optional<int> tasks, nodes, most_nodes, tasks_per_node;
  int procs_per_task = 1;
  std::optional<int> memory_per_node, memory_per_proc, memory;  // MB
  std::vector<std::pair<std::string, int>> per_task;            // generic
};

/// A script as it is read.
struct ScriptReading {
  JobScript script;
  ScriptAmounts amounts;
  std::uint64_t hosts_left = 0;  // that its lists may name
};

Result<int> count_in(std::string_view value, int least = 1) {
  const auto count = parse_integer<int>(value);
  if (!count || *count < least || *count > kMostTasks)
    return Error{
        fmt::format("expected a whole number from {} on, not '{}'", least, shortened(value))};
  return *count;
}

template <class Into>
Status set_count(Into& into, std::string_view value, int least = 1) {
  const auto count = count_in(value, least);
  if (!count) return count.error();
  into = *count;
  return Done{};
}

/// Megabytes; kilobytes and bytes as PBS writes them: 4gb, 512mb.
Result<int> megabytes(std::string_view value) {
  std::string text = upper(value);
  if (text.size() > 1 && text.back() == 'B' &&
      !(text[text.size() - 2] >= '0' && text[text.size() - 2] <= '9'))
    text.pop_back();
  const auto size = parse_size(text, true);
  if (!size || *size < 0)
    return Error{
        fmt::format("expected an amount of memory such as 4G, not '{}'", shortened(value))};
  return *size;
}

Status set_size(std::optional<int>& into, std::string_view value) {
  const auto size = megabytes(value);
  if (!size) return size.error();
  if (*size > 0) into = *size;  // --mem=0: all that a node has
  return Done{};
}

Status set_limit(ScriptReading& reading, Result<Seconds> limit, std::string_view value) {
  if (!limit || *limit <= Seconds(0))
    return Error{fmt::format("expected a time above zero, not '{}'", shortened(value))};
  reading.script.asked.request.limit = *limit;
  return Done{};
}

/// Slurm's forms: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S.
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

Status set_nodes(ScriptAmounts& amounts, std::string_view value) {
  const auto dash = value.find('-');
  auto least = count_in(value.substr(0, dash));
  if (!least) return least.error();
  amounts.nodes = amounts.most_nodes = *least;
  if (dash == value.npos) return Done{};
  return set_count(amounts.most_nodes, value.substr(dash + 1), *least);
}

Status add_hosts(ScriptReading& reading, std::vector<std::string>& into, std::string_view value) {
  auto hosts = expand_host_list(value, reading.hosts_left);
  if (!hosts) return hosts.error();
  reading.hosts_left -= hosts->size();
  into.insert(into.end(), std::make_move_iterator(hosts->begin()),
              std::make_move_iterator(hosts->end()));
  if (into.empty()) return Error{"expected names of nodes"};
  return Done{};
}

std::vector<std::string>& features_of(JobReport& asked, std::size_t requirement = 0) {
  if (asked.features.size() <= requirement) asked.features.resize(requirement + 1);
  return asked.features[requirement];
}

/// Features that are all asked for.
Status set_features(ScriptReading& reading, std::string_view value) {
  if (value.find_first_of("|[]()*") != value.npos)
    return Error{fmt::format("expected features joined by &, not '{}'", shortened(value))};
  std::string list(value);
  std::replace(list.begin(), list.end(), ',', '&');
  for (const auto name : split(list, '&'))
    if (!name.empty()) features_of(reading.script.asked).emplace_back(name);
  return Done{};
}

/// "gpu:2", "gpu:a100:2", "2": of each task.
Status set_gpus_per_task(ScriptReading& reading, std::string_view value) {
  const auto colon = value.rfind(':');
  const auto count = count_in(colon == value.npos ? value : value.substr(colon + 1));
  if (!count) return count.error();
  reading.amounts.per_task.emplace_back("gpu", *count);
  return Done{};
}

struct ScriptOption {
  char letter;  // or 0
  std::string_view name;
  bool has_value;
  Status (*read)(ScriptReading& reading, std::string_view value);  // nullptr: passed over
};

constexpr ScriptOption kSlurmOptions[] = {
    {'n', "ntasks", true,
     [](ScriptReading& r, std::string_view v) { return set_count(r.amounts.tasks, v); }},
    {'N', "nodes", true,
     [](ScriptReading& r, std::string_view v) { return set_nodes(r.amounts, v); }},
    {0, "ntasks-per-node", true,
     [](ScriptReading& r, std::string_view v) { return set_count(r.amounts.tasks_per_node, v); }},
    {'c', "cpus-per-task", true,
     [](ScriptReading& r, std::string_view v) { return set_count(r.amounts.procs_per_task, v); }},
    {'t', "time", true,
     [](ScriptReading& r, std::string_view v) { return set_limit(r, slurm_time(v), v); }},
    {0, "mem", true,
     [](ScriptReading& r, std::string_view v) { return set_size(r.amounts.memory_per_node, v); }},
    {0, "mem-per-cpu", true,
     [](ScriptReading& r, std::string_view v) { return set_size(r.amounts.memory_per_proc, v); }},
    {'p', "partition", true,
     [](ScriptReading& r, std::string_view v) -> Status {
       if (v.find(',') != v.npos) r.script.unknown.push_back("the partitions behind the first one");
       r.script.asked.job_class = v.substr(0, v.find(','));
       return Done{};
     }},
    {'q', "qos", true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.script.asked.qos = v;
       return Done{};
     }},
    {'A', "account", true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.script.asked.account = v;
       return Done{};
     }},
    {'C', "constraint", true, set_features},
    {'w', "nodelist", true,
     [](ScriptReading& r, std::string_view v) {
       r.script.asked.host_list_use = HostListUse::all_of;
       return add_hosts(r, r.script.asked.host_list, v);
     }},
    {'x', "exclude", true,
     [](ScriptReading& r, std::string_view v) {
       return add_hosts(r, r.script.asked.excluded_hosts, v);
     }},
    {0, "exclusive", false,
     [](ScriptReading& r, std::string_view) -> Status {
       r.script.asked.job.access_asked = NodeAccess::dedicated;
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

/// "2:ppn=4:fast", or a chunk of select: "2:ncpus=4:mem=8gb".
Status read_chunk(ScriptReading& reading, std::string_view text, std::size_t index) {
  auto& asked = reading.script.asked;
  if (asked.request.requirements.size() <= index) asked.request.requirements.resize(index + 1);
  Requirement& one = asked.request.requirements[index];
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
        if (auto added = add_hosts(reading, asked.host_list, part); !added) return added;
      } else {
        features_of(asked, index).emplace_back(part);
      }
      if (chunks < 1 || chunks > kMostTasks)
        return Error{fmt::format("expected a number of nodes, not '{}'", shortened(part))};
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
      const auto size = megabytes(value);
      if (!size) return size.error();
      memory = *size;
    } else if (name == "ngpus" || name == "gpus") {
      int gpus = 0;
      status = set_count(gpus, value, 0);
      if (asked.generic.size() <= index) asked.generic.resize(index + 1);
      if (gpus > 0) asked.generic[index].emplace_back("gpu", gpus);
    } else if (name != "mpiprocs" && name != "ompthreads") {
      reading.script.unknown.push_back(shortened(part));
    }
    if (!status) return status;
  }
  if (chunks > kMostTasks / std::max(1, per_node))
    return Error{fmt::format("'{}' is more than there can be", shortened(text))};
  one.tasks = chunks * std::max(1, per_node);
  one.tasks_per_node = per_node;
  one.per_task = Resources(procs, memory);
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

/// One entry of -l.
Status read_pbs_resource(ScriptReading& reading, std::string_view entry) {
  const auto equals = entry.find('=');
  const auto name = entry.substr(0, equals);
  const auto value = equals == entry.npos ? std::string_view() : entry.substr(equals + 1);
  auto& asked = reading.script.asked;
  if (name == "nodes" || name == "select") return read_chunks(reading, value);
  if (name == "walltime") return set_limit(reading, parse_duration(value), value);
  if (name == "procs" || name == "ncpus") return set_count(reading.amounts.tasks, value);
  if (name == "mem") return set_size(reading.amounts.memory, value);
  if (name == "pmem") return set_size(reading.amounts.memory_per_proc, value);
  if (name == "qos") {
    asked.qos = value;
  } else if (name == "feature") {
    return set_features(reading, value);
  } else if (name == "place") {
    if (value.find("excl") != value.npos) asked.job.access_asked = NodeAccess::dedicated;
  } else if (name != "cput" && name != "file" && name != "nice") {
    reading.script.unknown.push_back(shortened("-l " + std::string(entry)));
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
       r.script.asked.job_class = v.substr(0, v.find('@'));
       return Done{};
     }},
    {'A',
     {},
     true,
     [](ScriptReading& r, std::string_view v) -> Status {
       r.script.asked.account = v;
       return Done{};
     }},
    {'n',
     {},
     false,
     [](ScriptReading& r, std::string_view) -> Status {
       r.script.asked.job.access_asked = NodeAccess::dedicated;
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

/// Words as a shell would part them; a # that begins one begins a comment.
Result<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> found;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (inside) found.push_back(std::exchange(word, {}));
      inside = false;
    } else if (c == '#' && !inside) {
      break;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) return Error{"a quotation mark is not closed"};
  if (inside) found.push_back(std::move(word));
  return found;
}

template <std::size_t N>
const ScriptOption* find_option(const ScriptOption (&options)[N], std::string_view word) {
  if (word.starts_with("--")) {
    const auto name = word.substr(2, word.find('=') == word.npos ? word.npos : word.find('=') - 2);
    for (const ScriptOption& one : options)
      if (!one.name.empty() && one.name == name) return &one;
  } else if (word.size() > 1 && word[0] == '-') {
    for (const ScriptOption& one : options)
      if (one.letter == word[1]) return &one;
  }
  return nullptr;
}

template <std::size_t N>
Status read_directive(ScriptReading& reading, const ScriptOption (&options)[N],
                      std::string_view line) {
  const auto parted = shell_words(line);
  if (!parted) return parted.error();
  for (std::size_t i = 0; i < parted->size(); ++i) {
    const std::string& word = (*parted)[i];
    const ScriptOption* option = find_option(options, word);
    if (option == nullptr) {
      reading.script.unknown.push_back(shortened(word));
      // Its value, if that is a word of its own.
      if (word.find('=') == word.npos && i + 1 < parted->size() && (*parted)[i + 1][0] != '-') ++i;
      continue;
    }
    const bool is_long = word.starts_with("--");
    std::optional<std::string> value;
    if (const auto equals = word.find('='); is_long && equals != word.npos)
      value = word.substr(equals + 1);
    else if (!is_long && word.size() > 2)
      value = word.substr(word[2] == '=' ? 3 : 2);
    else if (option->has_value && i + 1 < parted->size())
      value = (*parted)[++i];
    const auto name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (option->has_value && !value)
      return Error{fmt::format("{} must be followed by a value", name)};
    if (option->read == nullptr) continue;
    if (auto status = option->read(reading, value.value_or("")); !status)
      return Error{fmt::format("{}: {}", name, status.error().what)};
  }
  return Done{};
}

/// Settles what the amounts say together, as Slurm has it: without tasks one for each node.
Status settle(ScriptReading& reading) {
  const ScriptAmounts& amounts = reading.amounts;
  Request& request = reading.script.asked.request;
  Requirement& one = request.requirements.front();
  const bool by_chunks = request.requirements.size() > 1 || one.tasks != 1 ||
                         one.tasks_per_node != 0 || one.per_task != Resources(1);
  if (!by_chunks) {
    const int nodes = amounts.nodes.value_or(0), each = amounts.tasks_per_node.value_or(0);
    const std::int64_t tasks = amounts.tasks.value_or(
        nodes > 0 ? nodes * std::int64_t{std::max(1, each)} : std::max(1, each));
    if (tasks > kMostTasks || tasks * amounts.procs_per_task > kMostTasks)
      return Error{"it asks for more than there can be"};
    one.tasks = static_cast<int>(tasks);
    if (each > 0 && one.tasks % each == 0) one.tasks_per_node = each;
    if (nodes > 0) {
      one.least_nodes = std::min(nodes, one.tasks);
      one.nodes = amounts.most_nodes.value_or(nodes);
    }
    one.per_task = Resources(amounts.procs_per_task);
  }
  const int on_each = one.tasks_per_node > 0 ? one.tasks_per_node
                      : amounts.nodes        ? (one.tasks + *amounts.nodes - 1) / *amounts.nodes
                                             : one.tasks;
  const auto shared = [](int amount, int among) { return (amount + among - 1) / among; };
  auto memory = one.per_task.memory();
  if (amounts.memory_per_proc)
    memory = static_cast<Resources::Quantity>(std::min<std::int64_t>(
        std::int64_t{*amounts.memory_per_proc} * one.per_task.procs(), kMostTasks));
  else if (amounts.memory_per_node)
    memory = shared(*amounts.memory_per_node, on_each);
  else if (amounts.memory)
    memory = shared(*amounts.memory, one.tasks);
  one.per_task.set(kMemory, memory);
  if (!amounts.per_task.empty()) {
    auto& generic = reading.script.asked.generic;
    if (generic.empty()) generic.resize(1);
    for (const auto& entry : amounts.per_task) generic.front().push_back(entry);
  }
  return Done{};
}

}  // namespace

Result<JobScript> read_job_script(std::string_view text, std::uint64_t most_hosts) {
  ScriptReading reading;
  reading.hosts_left = most_hosts;
  reading.script.asked.request.limit = Seconds(0);
  int number = 0;
  bool any = false;
  for (const auto whole : split(text, '\n')) {
    ++number;
    const auto line = trimmed(whole);
    if (!line.empty() && line.front() != '#') break;
    const bool slurm = line.starts_with("#SBATCH"), pbs = line.starts_with("#PBS");
    if (!slurm && !pbs) continue;
    any = true;
    const auto rest = line.substr(slurm ? 7 : 4);
    auto status = slurm ? read_directive(reading, kSlurmOptions, rest)
                        : read_directive(reading, kPbsOptions, rest);
    if (!status) return Error{fmt::format("line {}: {}", number, status.error().what)};
  }
  if (!any)
    return Error{"it has no line that begins with #SBATCH or #PBS before its first command"};
  if (auto status = settle(reading); !status) return status.error();
  return std::move(reading.script);
}

}  // namespace maui
