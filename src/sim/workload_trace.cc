#include "sim/workload_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/comparison_names.h"
#include "base/host_range.h"
#include "base/percent.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "model/job_extensions.h"
#include "sim/trace_fields.h"
#include "sim/trace_file.h"
#include "sim/workload_fields.h"

namespace maui {
namespace {

constexpr std::int64_t kMostTasks = 100'000'000;
constexpr std::int64_t kLongest = std::int64_t{1} << 40;  // seconds
constexpr std::size_t kAllocatedHosts = 38;

constexpr std::array<EnumName<JobState>, 3> kFinalStates{{
    {JobState::completed, "Completed"},
    {JobState::removed, "Removed"},
    {JobState::not_queued, "NotRun"},
}};

int count(TraceFields& fields, std::size_t field, int otherwise, std::int64_t least,
          std::string_view expected) {
  return static_cast<int>(fields.integer(field, otherwise, least, kMostTasks, expected));
}

// A list like "2,4,8" of alternatives, each from `least` to `most`; `otherwise` if there is none.
struct Range {
  std::int64_t least, most, otherwise;
};
std::vector<std::int64_t> alternatives(TraceFields& fields, std::size_t field, const Range& range,
                                       std::string_view expected) {
  std::vector<std::int64_t> values;
  const auto word = fields.text(field);
  if (word.empty()) return {range.otherwise};
  for (const auto item : split(word, ',')) {
    const auto value = parse_integer<std::int64_t>(item);
    if (!value || *value < range.least || *value > range.most) fields.fail(field, expected);
    values.push_back(value.value_or(range.otherwise));
  }
  return values;
}

void read_shapes(TraceFields& fields, JobReport& report) {
  const auto tasks =
      alternatives(fields, 3, {1, kMostTasks, 1},
                   "a number of tasks greater than 0, or several separated by commas");
  // 0, -1, [NONE] or beyond kLongest: the job requests no limit and gets SYSTEMDEFAULTJOBWALLTIME.
  auto limits =
      alternatives(fields, 6, {-1, std::numeric_limits<std::int64_t>::max(), 0},
                   "seconds, 0 for no limit, or as many values as field 3, separated by commas");
  for (auto& limit : limits)
    if (limit < 0 || limit > kLongest) limit = 0;
  if (limits.size() != 1 && limits.size() != tasks.size())
    fields.fail(6, fmt::format("one limit or {}, as many as in field 3", tasks.size()));
  report.request.requirements.front().tasks = static_cast<int>(tasks.front());
  report.request.limit = Seconds(limits.front());
  if (tasks.size() == 1 || fields.problem()) return;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    report.job.alternatives.emplace_back(static_cast<int>(tasks[i]),
                                         Seconds(limits[limits.size() == 1 ? 0 : i]));
  }
}

Bound read_bound(TraceFields& fields, std::size_t comparison, std::size_t amount) {
  Bound bound{Comparison::at_least, fields.size(amount, 0, true)};
  if (const auto word = fields.text(comparison); !word.empty()) {
    const auto compare = value_of<Comparison>(kComparisonSigns, word);
    if (!compare) fields.fail(comparison, "one of > >= = <= < or NC");
    bound.compare = compare.value_or(Comparison::any);
  }
  // "At least 0" requires nothing; as an empty bound, it keeps equal requests equal.
  if (bound.compare == Comparison::at_least && bound.amount == 0) bound = Bound{};
  return bound;
}

void read_requirement(TraceFields& fields, JobReport& report) {
  Requirement& requirement = report.request.requirements.front();
  requirement.nodes = count(fields, 2, 0, -1, "a number of nodes, or 0 for any");
  requirement.nodes = std::max(0, requirement.nodes);
  requirement.network = fields.value(13);
  requirement.architecture = fields.value(14);
  requirement.operating_system = fields.value(15);
  requirement.memory = read_bound(fields, 16, 17);
  requirement.disk = read_bound(fields, 18, 19);
  report.features.emplace_back();
  for (const auto name : fields.bracketed(20, "a list such as [fast][ethernet]"))
    report.features.front().push_back(percent_unescaped(name));
  requirement.tasks_per_node =
      std::max(0, count(fields, 23, 0, -1, "a number of tasks on each node, or -1 for any"));
  const int given = count(fields, 32, 1, -1, "a number of processors");
  const int procs = given < 0 ? 1 : given;
  const auto memory = fields.size(33, 0, true), disk = fields.size(34, 0, true),
             swap = fields.size(35, 0, true);
  requirement.per_task = Resources(procs, memory, swap, disk);
}

void read_class(TraceFields& fields, JobReport& report) {
  constexpr std::string_view kExpected = "one class, such as [batch:1]";
  const auto items = fields.bracketed(8, kExpected);
  if (items.empty()) return;
  const auto entry = parse_counted(items.front());
  if (!entry || items.size() > 1) return fields.fail(8, kExpected);
  if (entry->first == "DEFAULT" || entry->first == "NONE") return;
  report.job_class = percent_unescaped(entry->first);
  // The class itself takes one initiator per task; any more are requested by name.
  if (entry->second > 1) report.generic = {{{initiator_name(report.job_class), entry->second}}};
}

void read_credentials(TraceFields& fields, WorkloadRecord& record) {
  JobReport& report = record.report;
  report.name = fields.required(1);
  report.user = fields.required(4);
  report.group = fields.value(5);  // [NONE] in live records: the group was never reported
  report.account = fields.name(26);
  const auto qos = fields.text(24);  // requested:delivered
  const auto named = [](std::string_view word) {
    return word == kNoValue || word == "0" ? std::string() : percent_unescaped(word);
  };
  const auto colon = qos.find(':');
  report.qos = named(qos.substr(0, colon));
  report.job.qos_requested = report.qos;
  record.qos = colon == qos.npos ? report.qos : named(qos.substr(colon + 1));
  const std::string partition = fields.name(31);
  if (partition != "DEFAULT" && !names_all_in_any_case(partition)) report.partition = partition;
}

void read_flags(TraceFields& fields, WorkloadRecord& record) {
  constexpr std::string_view kExpected =
      "a list of ADVRES, HOSTLIST, RESTARTABLE, PREEMPTEE, DEDICATED, PREEMPTOR, NOQUEUE, BACKFILL "
      "or BENCHMARK in brackets";
  const auto word = fields.text(25);
  if (parse_integer<std::uint32_t>(word)) return;  // older traces: bits of unknown meaning
  const auto apply = [&](std::string_view name) {
    if (!apply_flag(name, record.report)) fields.fail(25, kExpected);
    if (same_word(name, "BACKFILL")) record.backfilled = true;
  };
  if (!word.empty() && word.front() != '[') {  // NAME:NAME, as in the guide's column
    for (const auto name : split(word, ':')) apply(name);
    return;
  }
  for (const auto name : fields.bracketed(25, kExpected)) apply(name);
}

void read_run(TraceFields& fields, WorkloadRecord& record) {
  Job& job = record.report.job;
  if (const auto word = fields.text(7); !word.empty()) {
    const auto state = value_of<JobState>(kFinalStates, word);
    if (!state) fields.fail(7, "Completed, Removed or NotRun");
    record.final_state = state.value_or(JobState::completed);
  }
  const Time submitted = fields.time(9);
  fields.time(10);
  const Time started = fields.time(11), ended = fields.time(12);
  if (record.final_state == JobState::removed && started <= Time(0))
    record.final_state = JobState::not_queued;  // removed while waiting
  const bool ran = record.final_state != JobState::not_queued;
  if (ran && started <= Time(0)) fields.fail(11, "the time at which the job started");
  if (ran && ended < started) fields.fail(12, "a time not before that of field 11");
  // A job of unknown submission has not waited.
  job.submitted = submitted > Time(0) ? submitted : std::max(Time(0), ran ? started : ended);
  record.started = started;
  record.ended = ended;
  record.eligible = fields.time(21);
  record.hosts = fields.text(kAllocatedHosts);
  job.recorded = RecordedRun{std::max(Seconds(1), ended - started),
                             fields.number(30, 0, 0, "processor seconds, not less than 0")};
  job.earliest_start = std::max(Time(0), fields.time(36));
  const Time deadline = fields.time(37);
  job.deadline = deadline > Time(0) ? deadline : kForever;
}

void read_descriptions(TraceFields& fields, WorkloadRecord& record) {
  JobReport& report = record.report;
  Job& job = report.job;
  count(fields, 22, 0, -1, "a number of tasks");
  job.executable = fields.value(27);
  job.comment = fields.value(28);
  record.bypass = std::max(0, count(fields, 29, 0, -1, "a count, or -1"));
  job.resource_manager = fields.name(39);
  if (const auto hosts = fields.text(40); !hosts.empty()) {
    if (auto names = parse_host_list(hosts, ':')) {
      for (std::string& name : *names) name = percent_unescaped(name);
      require_hosts(report, *std::move(names));
    } else {
      fields.fail(40, "host names or ranges such as n[001-128], separated by colons");
    }
  }
  if (const auto reservation = fields.name(41); !reservation.empty()) {
    put(job.flags, JobFlag::adv_res);
    job.required_reservation = reservation;
  }
  job.node_set = fields.name(42);
  job.application_data = fields.name(43);
  const std::string last = fields.value(44);
  std::string_view title = last;
  for (const auto mark : {kReportedMark, kReportedStartMark, kBeganMark, kClockSetMark})
    if (title.starts_with(mark)) take_item(title, ';');
  if (title.starts_with(kSuspendedMark)) {
    title.remove_prefix(kSuspendedMark.size());
    const auto seconds = parse_integer<std::int64_t>(take_item(title, ';'));
    record.suspended = Seconds(seconds.value_or(-1));
    if (record.suspended < Seconds(0) || record.suspended > record.ended - record.started)
      fields.fail(44, "SUSPENDTIME=SECONDS; with at most the time from start to end");
    else
      job.recorded->run_time = std::max(Seconds(1), job.recorded->run_time - record.suspended);
  }
  if (title.starts_with(kTitleMark)) job.title = title.substr(kTitleMark.size());
}

std::vector<std::string> hosts_of(const WorkloadRecord& record) {
  if (record.hosts.empty()) return {};
  auto names = parse_host_list(record.hosts, ':');
  if (!names) return {};
  for (std::string& name : *names) name = percent_unescaped(name);
  return *std::move(names);
}

// Keeps lines as text and parses them again when their jobs are submitted.
class TraceWorkload : public Workload {
 public:
  struct Entry {
    Time submitted;
    JobState final_state;
    std::string line;
  };

  TraceWorkload(std::vector<Entry> entries, NodeAccess access)
      : entries_(std::move(entries)), access_(access) {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.submitted < b.submitted; });
  }
  std::size_t size() const override { return entries_.size(); }
  Time submitted(std::size_t index) const override { return entries_[index].submitted; }
  JobState final_state(std::size_t index) const override { return entries_[index].final_state; }
  JobReport job(std::size_t index) const override {
    return parse_workload_record(entries_[index].line, access_)->report;
  }
  std::vector<std::string> hosts(std::size_t index) const override {
    return hosts_of(*parse_workload_record(entries_[index].line, access_));
  }

 private:
  std::vector<Entry> entries_;
  NodeAccess access_;
};

/// Adds the job's processors and memory, spread evenly over the hosts on which it ran.
void add_hosts(const WorkloadRecord& record, UsedMachine& machine) {
  const auto names = hosts_of(record);
  if (names.empty()) return;
  const JobReport& report = record.report;
  const Requirement& requirement = report.request.requirements.front();
  const auto count = static_cast<std::int64_t>(names.size());
  const auto tasks = (std::int64_t{requirement.tasks} + count - 1) / count;
  const auto use = [tasks](std::int64_t of_task, const Bound& bound) {
    const bool at_least = bound.compare == Comparison::at_least;
    return std::max<std::int64_t>(tasks * of_task, at_least ? bound.amount : 0);
  };
  const Resources& task = requirement.per_task;
  const HostUse each{tasks * task.procs(), use(task.memory(), requirement.memory), 0,
                     use(task.swap(), requirement.swap), use(task.disk(), requirement.disk)};
  machine.add(names, each, report.job_class, record.started, record.ended,
              {report.features.front(), requirement.network, requirement.architecture,
               requirement.operating_system});
}

}  // namespace

Result<WorkloadRecord> parse_workload_record(std::string_view line, NodeAccess access,
                                             Extensions extensions) {
  auto found = words(line);
  if (found.size() == kWorkloadFields.size() - 1)
    found.insert(found.begin() + (kAllocatedHosts - 1), kNoValue);
  if (found.size() != kWorkloadFields.size())
    return Error{fmt::format("{}, expected {}, or 43 without field 38 ({})",
                             counted(found.size(), "field"), kWorkloadFields.size(),
                             kWorkloadFields[kAllocatedHosts - 1])};
  TraceFields fields(std::move(found), kWorkloadFields);
  WorkloadRecord record;
  record.report.request.access.usual = access;
  read_credentials(fields, record);
  read_shapes(fields, record.report);
  read_class(fields, record.report);
  read_run(fields, record);
  read_requirement(fields, record.report);
  read_flags(fields, record);
  read_descriptions(fields, record);
  if (extensions == Extensions::apply)
    if (const auto wrong = apply_extensions(record.report.job.comment, record.report))
      fields.fail(28, fmt::format("valid resource manager extensions: {}", wrong->what));
  if (fields.problem()) return Error{*fields.problem()};
  return record;
}

Result<std::unique_ptr<Workload>> read_workload_trace(const std::string& path, NodeAccess access,
                                                      TraceSummary& summary) {
  return read_workload_traces({&path, 1}, access, nullptr, summary);
}

Result<std::unique_ptr<Workload>> read_workload_traces(std::span<const std::string> paths,
                                                       NodeAccess access, UsedMachine* machine,
                                                       TraceSummary& summary) {
  std::vector<TraceWorkload::Entry> entries;
  std::unordered_set<std::string> seen;
  std::optional<Error> nothing;
  for (const std::string& path : paths) {
    TraceProblems problems(path, summary);
    const auto take = [&](std::string_view line) -> std::optional<std::string> {
      const auto record = parse_workload_record(line, access);
      if (!record) return record.error().what;
      if (!seen.insert(record->report.name).second)
        return fmt::format(
            "field 1 (JobID): '{}' occurs twice, expected a different name for each job",
            record->report.name);
      if (record->final_state == JobState::not_queued) {
        summary.skip("never ran", record->report.name);
        return std::nullopt;
      }
      if (machine != nullptr) add_hosts(*record, *machine);
      entries.push_back({record->report.job.submitted, record->final_state, std::string(line)});
      return std::nullopt;
    };
    if (const auto status = for_each_record(path, problems, take); !status) return status.error();
    if (!nothing) nothing = problems.nothing_left("job record");
  }
  if (entries.empty()) return *nothing;
  return std::unique_ptr<Workload>(new TraceWorkload(std::move(entries), access));
}

}  // namespace maui
