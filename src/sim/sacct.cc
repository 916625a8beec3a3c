#include "sim/sacct.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/host_range.h"
#include "base/size.h"
#include "base/text.h"
#include "sim/log_times.h"
#include "sim/trace_file.h"

namespace maui {
namespace {

/// The columns used, in the order of kColumnNames.
struct SacctColumns {
  enum Column : std::uint8_t {
    job_id_raw,
    job_id,
    user,
    group,
    account,
    partition,
    qos,
    job_name,
    submit,
    start,
    end,
    state,
    time_limit_raw,
    time_limit,
    nnodes,
    alloc_nodes,
    alloc_cpus,
    ncpus,
    req_tres,
    alloc_tres,
    node_list,
    total_cpu,
  };
};
constexpr std::array<std::string_view, 22> kColumnNames{
    "JobIDRaw",     "JobID",     "User",     "Group",      "Account",   "Partition",
    "QOS",          "JobName",   "Submit",   "Start",      "End",       "State",
    "TimelimitRaw", "Timelimit", "NNodes",   "AllocNodes", "AllocCPUS", "NCPUS",
    "ReqTRES",      "AllocTRES", "NodeList", "TotalCPU"};

constexpr std::int64_t kMostCpus = 100'000'000;
constexpr std::uint64_t kMostHostsOfJob = 1'000'000;

/// Returns the amount of `what` in "cpu=64,mem=250G,node=2,gres/gpu=8"; nullopt if not listed.
std::optional<std::int64_t> tres(std::string_view list, std::string_view what) {
  for (const auto item : split(list, ',')) {
    const auto equals = item.find('=');
    if (item.substr(0, equals) != what || equals == item.npos) continue;
    const auto value = item.substr(equals + 1);
    if (what != "mem") return parse_integer<std::int64_t>(value);
    if (const auto size = parse_size(value, true)) return *size;
    if (const auto part = parse_number(value.substr(0, value.find_first_not_of("0123456789."))))
      if (const auto size = parse_size(fmt::format("{:.0f}{}", std::clamp(*part * 1024, 0.0, 1e9),
                                                   value.ends_with('T')   ? 'G'
                                                   : value.ends_with('G') ? 'M'
                                                                          : 'K'),
                                       true))
        return *size;
  }
  return std::nullopt;
}

/// Sums over the types in "gres/gpu:a100=4,gres/gpu:h100=2", which a site may have without a total.
std::optional<std::int64_t> gres(std::string_view list, std::string_view what) {
  if (const auto sum = tres(list, what)) return sum;
  std::optional<std::int64_t> sum;
  for (const auto item : split(list, ',')) {
    const auto name = item.substr(0, item.find('='));
    if (name.size() <= what.size() || !name.starts_with(what) || name[what.size()] != ':') continue;
    if (const auto some = tres(list, name))
      sum = sum.value_or(0) + std::clamp<std::int64_t>(*some, 0, kMostCpus);
  }
  return sum;
}

class SacctReader : private SacctColumns {
 public:
  SacctReader(const std::string& path, const TimeZone& zone, JobLog& log, TraceSummary& summary)
      : problems_(path, summary), zone_(zone), log_(log), summary_(summary) {}

  Status read(LineReader& lines) {
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      line_ = lines.line();
      if (is_sacct_header(line)) {
        if (auto status = take_header(line); !status) return status;
      } else if (auto problem = take(line); !problem.empty()) {
        problems_.bad_line(lines, problem);
      }
    }
    if (!lines.damage().empty()) problems_.damage(lines.line() + 1, lines.damage());
    return Done{};
  }

 private:
  Status take_header(std::string_view line) {
    at_.fill(std::nullopt);
    const auto names = split(line, '|');
    columns_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t known = 0; known < kColumnNames.size(); ++known)
        if (same_word(names[i], kColumnNames[known])) at_[known] = i;
    const auto either = [this](Column a, Column b) { return at_[a] || at_[b]; };
    std::string missing;
    if (!either(job_id_raw, job_id)) missing = "JobIDRaw";
    for (const Column column : {user, submit, start, end})
      if (!at_[column]) missing = kColumnNames[column];
    if (!either(alloc_cpus, ncpus) && !at_[alloc_tres]) missing = "AllocCPUS";
    if (missing.empty()) return Done{};
    return Error{
        fmt::format("{}:{}: missing column {}; maui compare --print-sacct-command prints a command "
                    "that lists all columns",
                    problems_.file(), line_, missing)};
  }
  std::string_view field(Column column) const {
    return at_[column] ? fields_[*at_[column]] : std::string_view();
  }
  std::string_view field(Column first, Column second) const {
    const auto text = field(first);
    return text.empty() ? field(second) : text;
  }
  std::string wrong(Column column, std::string_view expected) const {
    return fmt::format("invalid {} '{}': expected {}", kColumnNames[column],
                       field(column).substr(0, 60), expected);
  }
  std::string skip(const std::string& reason) {
    summary_.skip(reason, name_of_job());
    return {};
  }
  /// Returns the job's name as squeue -r and maui show it: "25_1" for a task of an array, which has
  /// a number of its own besides (JobIDRaw).
  std::string_view name_of_job() const {
    const auto mark = field(job_id).find('_');
    const bool is_task = mark != std::string_view::npos &&
                         parse_integer<std::uint32_t>(field(job_id).substr(mark + 1));
    return is_task ? field(job_id) : field(job_id_raw, job_id);
  }

  /// Joins the fields of a job's name, the only column that may contain the separator.
  void join_name(std::string_view line) {
    if (!at_[job_name] || fields_.size() <= columns_) return;
    const auto first = fields_.begin() + static_cast<std::ptrdiff_t>(*at_[job_name]);
    const auto last = first + static_cast<std::ptrdiff_t>(fields_.size() - columns_);
    const auto from = static_cast<std::size_t>(first->data() - line.data());
    const auto to = static_cast<std::size_t>(last->data() - line.data()) + last->size();
    *first = line.substr(from, to - from);
    fields_.erase(first + 1, last + 1);
  }

  /// Takes a line; returns what is wrong with it, or an empty text.
  std::string take(std::string_view line) {
    fields_ = split(line, '|');
    join_name(line);
    if (fields_.size() != columns_)
      return fmt::format("{}, expected {}, as in the heading", counted(fields_.size(), "field"),
                         columns_);
    const auto name = name_of_job();
    if (name.empty()) return wrong(job_id_raw, "a job");
    if (const auto dot = name.find('.'); dot != name.npos) {
      add_step(name.substr(0, dot));
      return {};
    }
    taken_.clear();
    const auto reported = field(state);
    if (reported == "PENDING" || reported == "REVOKED") return skip("never ran");
    if (reported == "RUNNING" || reported == "SUSPENDED" || reported == "RESIZING" ||
        reported == "COMPLETING")
      return skip("had not ended");
    return take_run(name, reported);
  }
  std::string take_run(std::string_view name, std::string_view reported) {
    const auto unknown = [](std::string_view text) {
      return text.empty() || same_word(text, "Unknown") || same_word(text, "None");
    };
    if (unknown(field(start))) return skip("never ran");
    if (unknown(field(end))) return skip("had not ended");
    LoggedJob job;
    for (const auto& [column, into] :
         {std::pair{submit, &job.submitted}, {start, &job.started}, {end, &job.ended}}) {
      const auto time = parse_log_time(field(column), zone_);
      if (!time) return wrong(column, "a time such as 2024-05-01T12:00:00, or epoch seconds");
      *into = *time;
    }
    if (job.ended < job.started) return wrong(end, "a time not before that of Start");
    if (job.ended == job.started) return skip("ran for less than a second");
    job.submitted = std::min(job.submitted, job.started);
    job.line = line_;
    job.cancelled = reported.starts_with("CANCELLED");
    job.cut_short = reported == "NODE_FAIL" || reported == "PREEMPTED" || reported == "BOOT_FAIL" ||
                    reported == "REQUEUED";
    job.user = field(user);
    job.group = field(group);
    job.account = field(account);
    job.job_class = field(partition).substr(0, field(partition).find(','));
    job.qos = field(qos);
    job.title = field(job_name);
    if (job.user.empty()) return wrong(user, "a user");
    if (auto problem = take_limit(job); !problem.empty()) return problem;
    std::vector<std::string> hosts;
    HostUse of_each;
    if (auto problem = take_size(job, hosts, of_each); !problem.empty()) return problem;
    if (!log_.name_run(std::string(name), job)) return skip("listed twice");
    log_.machine.add(hosts, of_each, job.job_class, job.started, job.ended);
    job.cpu_time = cpu_time();
    if (!job.cpu_time) taken_ = field(job_id_raw, job_id);
    log_.jobs.push_back(std::move(job));
    return {};
  }
  /// Returns the CPU time of a job or a step; nothing if it was not measured, as in records of
  /// allocations alone.
  std::optional<Seconds> cpu_time() const {
    const auto text = field(total_cpu);
    const auto used = parse_slurm_limit(text.substr(0, text.find('.')));
    return used && *used > Seconds(0) && *used < kUnlimited ? used : std::nullopt;
  }
  /// Adds the CPU time of a step to that of its job, which comes before its steps, if the job's own
  /// record has none.
  void add_step(std::string_view job) {
    if (taken_.empty() || job != taken_) return;
    if (const auto used = cpu_time())
      log_.jobs.back().cpu_time = log_.jobs.back().cpu_time.value_or(Seconds(0)) + *used;
  }
  std::string take_limit(LoggedJob& job) {
    if (const auto raw = field(time_limit_raw); !raw.empty()) {  // minutes
      if (const auto minutes = parse_integer<std::int64_t>(raw);
          minutes && *minutes > 0 && *minutes < std::numeric_limits<std::int32_t>::max())
        job.limit = Seconds(*minutes * 60);
      else if (!same_word(raw, "UNLIMITED") && !same_word(raw, "Partition_Limit"))
        return wrong(time_limit_raw, "minutes");
    } else if (const auto text = field(time_limit);
               !text.empty() && !same_word(text, "Partition_Limit")) {
      const auto limit = parse_slurm_limit(text);
      if (!limit) return wrong(time_limit, "a duration such as 1-12:00:00");
      if (*limit < kUnlimited) job.limit = *limit;
    }
    return {};
  }
  std::string take_size(LoggedJob& job, std::vector<std::string>& hosts, HostUse& of_each) {
    auto procs = tres(field(alloc_tres), "cpu");
    const auto counted = field(alloc_cpus, ncpus);
    if (!procs && !counted.empty()) procs = parse_integer<std::int64_t>(counted);
    if (!procs || *procs < 1 || *procs > kMostCpus) return wrong(alloc_cpus, "a number of CPUs");
    if (const auto list = field(node_list);
        !list.empty() && !same_word(list, "None assigned") && !same_word(list, "None")) {
      if (auto problem = take_hosts(list, hosts); !problem.empty()) return problem;
      job.hosts = join(split_hosts(list), ":");
    }
    auto nodes = static_cast<std::int64_t>(hosts.size());
    if (nodes == 0)
      nodes = tres(field(alloc_tres), "node")
                  .value_or(parse_integer<std::int64_t>(field(nnodes, alloc_nodes)).value_or(1));
    nodes = std::clamp<std::int64_t>(nodes, 1, *procs);
    const auto amount = [this](const auto& of, std::string_view what) {
      const auto asked = of(field(req_tres), what);
      return asked ? *asked : of(field(alloc_tres), what).value_or(0);
    };
    const auto memory = amount(tres, "mem"), gpus = amount(gres, "gres/gpu");
    shape_tasks(job, nodes, *procs, memory, gpus);
    const auto each = [nodes](std::int64_t whole) { return (whole + nodes - 1) / nodes; };
    of_each = {each(*procs), each(memory), each(gpus)};
    return {};
  }
  std::string take_hosts(std::string_view list, std::vector<std::string>& hosts) const {
    for (const auto& item : split_hosts(list)) {
      if (count_hosts(item) + hosts.size() > kMostHostsOfJob)
        return wrong(node_list, "fewer hosts");
      const auto names = expand_hosts(item);
      if (!names) return wrong(node_list, "hosts such as n[001-128]");
      hosts.insert(hosts.end(), names->begin(), names->end());
    }
    return {};
  }

  TraceProblems problems_;
  const TimeZone& zone_;
  JobLog& log_;
  TraceSummary& summary_;
  std::array<std::optional<std::size_t>, kColumnNames.size()> at_{};
  std::size_t columns_ = 0;
  std::vector<std::string_view> fields_;
  std::int64_t line_ = 0;
  std::string taken_;  // number of the last job, if it has no CPU time of its own; otherwise empty
};

}  // namespace

bool is_sacct_header(std::string_view line) {
  bool job = false, time = false;
  for (const auto name : split(trimmed(line), '|')) {
    job = job || same_word(name, "JobID") || same_word(name, "JobIDRaw");
    time = time || same_word(name, "Start") || same_word(name, "Submit");
  }
  return job && time;
}

Status read_sacct(const std::string& path, const TimeZone& zone, JobLog& log,
                  TraceSummary& summary) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  return SacctReader(path, zone, log, summary).read(*lines);
}

std::string_view sacct_command() {
  return "SLURM_TIME_FORMAT=%s sacct --allusers --allocations --duplicates --parsable2 "
         "--starttime=now-31days --endtime=now "
         "--format=JobIDRaw,JobID,User,Group,Account,Partition,QOS,JobName,Submit,Start,End,State,"
         "TimelimitRaw,NNodes,AllocCPUS,ReqTRES,AllocTRES,NodeList,TotalCPU";
}

}  // namespace maui
