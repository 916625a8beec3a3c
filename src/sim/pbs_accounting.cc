#include "sim/pbs_accounting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/duration.h"
#include "base/host_range.h"
#include "base/size.h"
#include "base/text.h"
#include "sim/trace_file.h"

namespace maui {
namespace {

constexpr std::int64_t kMostTime = std::int64_t{1} << 40;
constexpr std::int64_t kMostProcs = 100'000'000;

using Attributes = std::map<std::string_view, std::string_view>;

/// Parses "name=value name=value"; a word without "=" continues the preceding value.
Attributes attributes_of(std::string_view text) {
  Attributes found;
  std::string_view last;
  for (const auto word : words(text)) {
    const auto equals = word.find('=');
    if (equals != word.npos) {
      last = word.substr(0, equals);
      found.emplace(last, word.substr(equals + 1));
    } else if (!last.empty()) {
      auto& value = found[last];
      value = {value.data(), static_cast<std::size_t>(word.data() + word.size() - value.data())};
    }
  }
  return found;
}

std::string_view value_of(const Attributes& attributes, std::string_view name) {
  const auto at = attributes.find(name);
  return at == attributes.end() ? std::string_view() : at->second;
}

/// Removes the quotes that OpenPBS writes: account="chemistry".
std::string_view unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  return text.substr(1, text.size() - 2);
}

/// Returns a job's slots by host, from "n1/0+n1/1+n2/0", "n1/0-3+n2/0,2" or
/// "n1/0*4+(n2/1*4:mem=2gb)"; nullopt if the text is not such a list.
std::optional<std::map<std::string, std::int64_t>> slots_of(std::string_view text) {
  std::map<std::string, std::int64_t> slots;
  while (!text.empty()) {
    auto item = take_item(text, '+');
    while (!item.empty() && item.front() == '(') item.remove_prefix(1);
    while (!item.empty() && item.back() == ')') item.remove_suffix(1);
    item = item.substr(0, item.find(':'));
    const auto slash = item.find('/');
    const auto host = item.substr(0, slash);
    if (host.empty() || host.find_first_of("[](),* \t") != host.npos) return std::nullopt;
    std::int64_t count = 1;
    if (const auto which = slash == item.npos ? std::string_view() : item.substr(slash + 1);
        !which.empty()) {
      if (const auto star = which.find('*'); star != which.npos) {
        count = parse_integer<std::int64_t>(which.substr(star + 1)).value_or(0);
      } else {
        count = 0;
        for (const auto part : split(which, ',')) {
          const auto dash = part.find('-');
          const auto low = parse_integer<std::int64_t>(part.substr(0, dash));
          const auto high =
              dash == part.npos ? low : parse_integer<std::int64_t>(part.substr(dash + 1));
          if (!low || !high || *low < 0 || *high < *low || *high > kMostProcs) return std::nullopt;
          count += *high - *low + 1;
        }
      }
    }
    if (count < 1 || count > kMostProcs) return std::nullopt;
    slots[std::string(host)] += count;
  }
  return slots;
}

/// Returns the MB in "4gb", "500mb", "1048576kb", "100b" or "2g"; nullopt for words ("w").
std::optional<std::int64_t> pbs_size(std::string_view text) {
  std::string word = lower(text);
  if (word.ends_with('b') || word.ends_with('w')) {
    const bool in_words = word.back() == 'w';
    word.pop_back();
    if (in_words || word.empty()) return std::nullopt;
    if (word.back() >= '0' && word.back() <= '9') {
      const auto bytes = parse_integer<std::int64_t>(word);
      if (!bytes || *bytes < 0) return std::nullopt;
      return *bytes / (1 << 20) + (*bytes % (1 << 20) != 0 ? 1 : 0);
    }
  }
  if (const auto size = parse_size(word, true)) return *size;
  return std::nullopt;
}

/// Returns the number of GPUs in TORQUE's "2:ppn=4:gpus=1+n7:gpus=2".
std::int64_t gpus_of_nodes(std::string_view text) {
  const auto count = [](std::string_view number, std::int64_t otherwise) {
    const auto stated = parse_integer<std::int64_t>(number).value_or(otherwise);
    return std::clamp<std::int64_t>(stated, 0, kMostProcs);
  };
  std::int64_t sum = 0;
  while (!text.empty()) {
    auto item = take_item(text, '+');
    const auto nodes = count(take_item(item, ':'), 1);
    for (const auto part : split(item, ':'))
      if (part.starts_with("gpus="))
        sum = std::min(kMostProcs, sum + nodes * count(part.substr(5), 0));
  }
  return sum;
}

class PbsReader {
 public:
  PbsReader(const std::string& path, PbsRuns& runs, JobLog& log, TraceSummary& summary)
      : problems_(path, summary), runs_(runs), log_(log), summary_(summary) {}

  void read(LineReader& lines) {
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      line_ = lines.line();
      if (const auto problem = take(line); !problem.empty()) problems_.bad_line(lines, problem);
    }
    if (!lines.damage().empty()) problems_.damage(lines.line() + 1, lines.damage());
  }

 private:
  std::string take(std::string_view line) {
    const auto parts = split(line, ';');
    if (parts.size() < 3 || !is_pbs_record(line))
      return "expected MM/DD/YYYY HH:MM:SS;TYPE;JOB;name=value ...";
    const std::string name(parts[2]);
    if (parts[1] == "S") runs_.begun.insert(name);
    if (parts[1] == "D" || parts[1] == "A") return never_ran(name);
    if (parts[1] != "E") return {};
    if (name.empty()) return "invalid third part '': expected a job";
    const auto from = static_cast<std::size_t>(parts[2].data() + parts[2].size() - line.data());
    return take_end(name, attributes_of(line.substr(std::min(line.size(), from + 1))));
  }
  std::string never_ran(const std::string& name) {
    if (!runs_.begun.contains(name)) summary_.skip("never ran", name);
    return {};
  }
  static std::string wrong(std::string_view name, const Attributes& all,
                           std::string_view expected) {
    return fmt::format("invalid {} '{}': expected {}", name, value_of(all, name).substr(0, 60),
                       expected);
  }
  std::string take_end(const std::string& name, const Attributes& all) {
    LoggedJob job;
    job.line = line_;
    const auto* const queued = value_of(all, "ctime").empty() ? "qtime" : "ctime";
    for (const auto& [what, into] : {std::pair<std::string_view, Time*>{"start", &job.started},
                                     {"end", &job.ended},
                                     {queued, &job.submitted}}) {
      const auto when = parse_integer<std::int64_t>(value_of(all, what));
      if (!when || *when < 0 || *when > kMostTime)
        return wrong(what, all, "a time in seconds since the epoch");
      *into = Time(*when);
    }
    if (job.ended < job.started) return wrong("end", all, "a time not before that of start");
    runs_.ended.insert(name);
    if (job.ended == job.started || job.started == Time(0)) {
      summary_.skip(job.started == Time(0) ? "never ran" : "ran for less than a second", name);
      return {};
    }
    job.submitted = std::min(job.submitted, job.started);
    job.user = value_of(all, "user");
    if (job.user.empty()) return wrong("user", all, "a user");
    job.group = value_of(all, "group");
    job.account = unquoted(value_of(all, "account"));
    job.job_class = value_of(all, "queue");
    job.title = value_of(all, "jobname");
    if (const auto limit = value_of(all, "Resource_List.walltime"); !limit.empty()) {
      const auto length = parse_duration(limit);
      if (!length || *length < Seconds(0))
        return wrong("Resource_List.walltime", all, "a length of time");
      if (*length < kUnlimited) job.limit = *length;
    }
    if (const auto used = parse_duration(value_of(all, "resources_used.cput"));
        used && *used >= Seconds(0) && *used < kUnlimited)
      job.cpu_time = *used;
    std::vector<std::string> hosts;
    HostUse of_each;
    if (auto problem = take_size(job, all, hosts, of_each); !problem.empty()) return problem;
    if (!log_.name_run(name, job)) {
      summary_.skip("listed twice", name);
      return {};
    }
    log_.machine.add(hosts, of_each, job.job_class, job.started, job.ended);
    log_.jobs.push_back(std::move(job));
    return {};
  }
  std::string take_size(LoggedJob& job, const Attributes& all, std::vector<std::string>& hosts,
                        HostUse& of_each) {
    const auto list = value_of(all, "exec_host");
    const auto slots = slots_of(list);
    if (list.empty() || !slots) return wrong("exec_host", all, "hosts such as n1/0+n1/1+n2/0*4");
    std::int64_t procs = 0, most = 0;
    for (const auto& [host, count] : *slots) {
      procs += count;
      most = std::max(most, count);
      hosts.push_back(host);
    }
    // PBS Pro lists vnodes; Resource_List.ncpus has the total of their CPUs.
    if (const auto cpus = parse_integer<std::int64_t>(value_of(all, "Resource_List.ncpus"));
        cpus && *cpus > procs && *cpus <= kMostProcs)
      procs = *cpus;
    job.hosts = join(compress_hosts(hosts), ":");
    const auto nodes = static_cast<std::int64_t>(hosts.size());
    std::int64_t memory = 0;
    if (const auto asked = value_of(all, "Resource_List.mem"); !asked.empty()) {
      const auto size = pbs_size(asked);
      if (!size) return wrong("Resource_List.mem", all, "a size such as 4gb");
      memory = *size;
    }
    const auto gpus = parse_integer<std::int64_t>(value_of(all, "Resource_List.ngpus"))
                          .value_or(gpus_of_nodes(value_of(all, "Resource_List.nodes")));
    shape_tasks(job, nodes, procs, memory, std::clamp<std::int64_t>(gpus, 0, kMostProcs));
    const auto each = [nodes](std::int64_t whole) { return (whole + nodes - 1) / nodes; };
    of_each = {std::max(most, each(procs)), each(memory), each(gpus)};
    return {};
  }

  TraceProblems problems_;
  PbsRuns& runs_;
  JobLog& log_;
  TraceSummary& summary_;
  std::int64_t line_ = 0;
};

}  // namespace

bool is_pbs_record(std::string_view line) {
  // matches "05/01/2024 12:00:00;E;17.server;..."
  constexpr std::string_view kForm = "dd/dd/dddd dd:dd:dd;";
  if (line.size() < kForm.size() + 2) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = line[i] >= '0' && line[i] <= '9';
    if (kForm[i] == 'd' ? !digit : line[i] != kForm[i]) return false;
  }
  return line[kForm.size() + 1] == ';';
}

void PbsRuns::count_unfinished(TraceSummary& summary) const {
  std::vector<std::string> still;
  for (const auto& name : begun)
    if (!ended.contains(name)) still.push_back(name);
  std::sort(still.begin(), still.end());
  for (const auto& name : still) summary.skip("had not ended", name);
}

Status read_pbs_accounting(const std::string& path, PbsRuns& runs, JobLog& log,
                           TraceSummary& summary) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  PbsReader(path, runs, log, summary).read(*lines);
  return Done{};
}

}  // namespace maui
