#include "sim/swf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"
#include "sim/trace_file.h"

namespace maui {
namespace {

constexpr std::array<std::string_view, 18> kSwfFields{
    "Job Number",
    "Submit Time",
    "Wait Time",
    "Run Time",
    "Allocated Processors",
    "Average CPU Time Used",
    "Used Memory",
    "Requested Processors",
    "Requested Time",
    "Requested Memory",
    "Status",
    "User",
    "Group",
    "Executable",
    "Queue",
    "Partition",
    "Preceding Job",
    "Think Time",
};

constexpr std::int64_t kMost = std::int64_t{1} << 40;
constexpr std::size_t kFewestFields = 11;  // some logs omit the last fields
constexpr std::int64_t kCancelled = 5;
constexpr std::int64_t kMostNodes = 10'000'000;

// The numbers in a line without their fractions; fields missing at the end are unknown.
class SwfFields {
 public:
  explicit SwfFields(std::string_view line) : words_(words(line, kSwfFields.size())) {
    if (words_.size() > kSwfFields.size() || words_.size() < kFewestFields)
      problem_ = fmt::format("{}, expected {}", counted(words_.size(), "field"), kSwfFields.size());
  }

  double number(std::size_t field, double most = static_cast<double>(kMost)) {
    if (!problem_.empty() || field > words_.size()) return -1;
    const auto value = parse_number(words_[field - 1]);
    if (value && std::abs(*value) <= most) return *value;
    fail(field, "a number, or -1 if unknown");
    return -1;
  }
  std::int64_t whole(std::size_t field) { return static_cast<std::int64_t>(number(field)); }
  std::int32_t small(std::size_t field) {
    return static_cast<std::int32_t>(number(field, std::numeric_limits<std::int32_t>::max()));
  }
  void fail(std::size_t field, std::string_view expected) {
    if (problem_.empty())
      problem_ = fmt::format("invalid field {} ({}) '{}': expected {}", field,
                             kSwfFields[field - 1], words_[field - 1].substr(0, 60), expected);
  }
  std::size_t count() const { return words_.size(); }
  const std::string& problem() const { return problem_; }

 private:
  std::vector<std::string_view> words_;
  std::string problem_;
};

std::int64_t first_number(std::string_view value) {
  const auto parts = words(value);
  return parts.empty() ? 0 : parse_integer<std::int64_t>(parts.front()).value_or(0);
}

std::string tagged(std::string_view tag, std::int32_t number) {
  return number < 0 ? std::string("unknown") : std::string(tag) + std::to_string(number);
}

class SwfWorkload : public Workload {
 public:
  SwfWorkload(SwfLog log, SwfMachine machine)
      : log_(std::move(log)), machine_(std::move(machine)) {}
  std::size_t size() const override { return log_.jobs.size(); }
  Time submitted(std::size_t index) const override {
    return log_.header.start + Seconds(log_.jobs[index].submitted);
  }
  std::optional<Feedback> feedback(std::size_t index) const override {
    const SwfJob& job = log_.jobs[index];
    if (job.preceding < 0 || job.think < 0) return std::nullopt;
    return Feedback{std::to_string(job.preceding), Seconds(job.think)};
  }
  JobState final_state(std::size_t index) const override {
    return log_.jobs[index].cancelled ? JobState::removed : JobState::completed;
  }
  JobReport job(std::size_t index) const override {
    return report_of(log_.jobs[index], log_.header, machine_);
  }

 private:
  SwfLog log_;
  SwfMachine machine_;
};

}  // namespace

std::string class_of(const SwfJob& job) {
  return job.queue > 0 ? tagged("q", job.queue) : std::string();
}

bool is_swf(std::string_view path) {
  const std::string name = lower(path);
  return name.ends_with(".swf") || name.ends_with(".swf.gz");
}

Result<SwfJob> parse_swf_record(std::string_view line) {
  SwfFields fields(line);
  SwfJob job;
  job.fields = fields.count();
  job.number = fields.whole(1);
  job.submitted = fields.whole(2);
  if (job.submitted < 0) fields.fail(2, "seconds since the log began, not less than 0");
  job.wait = fields.whole(3);
  job.run_time = std::max<std::int64_t>(0, fields.whole(4));
  const std::int32_t given = fields.small(5), asked = fields.small(8);
  job.procs = asked > 0 ? asked : given;
  job.given = given > 0 ? given : asked;
  if (job.procs <= 0 && job.run_time > 0)
    fields.fail(8, "a number of processors here or in field 5");
  const std::int64_t requested = fields.whole(9);
  job.limit = requested > 0 ? requested : job.run_time;
  job.ran = job.run_time;
  job.run_time = std::min(job.run_time, job.limit);
  job.cpu = fields.number(6);
  // A run that is cut at its limit uses that part of its CPU time.
  const auto ran = static_cast<double>(job.ran), run_time = static_cast<double>(job.run_time);
  job.proc_seconds = (job.cpu < 0   ? run_time
                      : job.ran > 0 ? job.cpu * run_time / ran
                                    : job.cpu) *
                     job.procs;
  const std::int64_t memory = fields.whole(10);  // KB per processor
  if (memory > 0)
    job.memory = static_cast<std::int32_t>(
        std::min<std::int64_t>((memory + 1023) / 1024, std::numeric_limits<std::int32_t>::max()));
  job.cancelled = fields.whole(11) == kCancelled;
  job.user = fields.small(12);
  job.group = fields.small(13);
  job.executable = fields.small(14);
  job.queue = fields.small(15);
  job.preceding = fields.whole(17);
  job.think = fields.whole(18);
  if (!fields.problem().empty()) return Error{fields.problem()};
  return job;
}

void parse_swf_header(std::string_view line, SwfHeader& header) {
  const auto colon = line.find(':');
  if (line.empty() || line.front() != ';' || colon == std::string_view::npos) return;
  const auto key = trimmed(line.substr(1, colon - 1)), value = line.substr(colon + 1);
  if (key == "UnixStartTime")
    header.start = Time(std::clamp<std::int64_t>(first_number(value), 0, kMost));
  else if (key == "MaxNodes")
    header.max_nodes = std::clamp<std::int64_t>(first_number(value), 0, kMostNodes);
  else if (key == "MaxProcs")
    header.max_procs = std::clamp<std::int64_t>(first_number(value), 0, kMost);
}

Result<SwfLog> read_swf(const std::string& path, TraceSummary& summary) {
  auto reader = LineReader::open(path);
  if (!reader) return reader.error();
  TraceProblems problems(path, summary);
  SwfLog log;
  std::unordered_set<std::int64_t> numbers;
  std::size_t fields = kSwfFields.size();  // in the preceding line
  for (std::string_view line; reader->next(line);) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (line.front() == ';') {
      parse_swf_header(line, log.header);
      continue;
    }
    auto job = parse_swf_record(line);
    if (!job) {
      problems.bad_line(*reader, job.error().what);
      continue;
    }
    if (const auto before = std::exchange(fields, job->fields); reader->cut() && fields < before) {
      problems.bad_line(*reader, fmt::format("{}, expected {}", counted(fields, "field"), before));
    } else if (!numbers.insert(job->number).second) {
      problems.bad_line(
          reader->line(),
          fmt::format("field 1 ({}): '{}' occurs twice, expected a different number for each job",
                      kSwfFields[0], job->number));
    } else if (job->run_time <= 0) {
      summary.skip("never ran", std::to_string(job->number));
    } else {
      job->line = reader->line();
      log.jobs.push_back(*job);
    }
  }
  if (!reader->damage().empty()) problems.damage(reader->line() + 1, reader->damage());
  if (log.jobs.empty()) return problems.nothing_left("job record");
  const auto earlier = [](const SwfJob& a, const SwfJob& b) { return a.submitted < b.submitted; };
  if (!std::is_sorted(log.jobs.begin(), log.jobs.end(), earlier))  // most logs are
    std::stable_sort(log.jobs.begin(), log.jobs.end(), earlier);
  drop_vain_waits(log);
  log.jobs.shrink_to_fit();  // the jobs are kept for the whole simulation
  return log;
}

void drop_vain_waits(SwfLog& log) {
  if (std::none_of(log.jobs.begin(), log.jobs.end(),
                   [](const SwfJob& job) { return job.preceding >= 0; }))
    return;
  std::unordered_set<std::int64_t> before;
  for (SwfJob& job : log.jobs) {
    if (!before.contains(job.preceding)) job.preceding = -1;
    before.insert(job.number);
  }
}

Status drop_oversized(SwfLog& log, std::int64_t procs, const std::string& path,
                      TraceSummary& summary) {
  TraceProblems problems(path, summary);
  std::erase_if(log.jobs, [&](const SwfJob& job) {
    if (job.procs <= procs) return false;
    summary.skip("requested more processors than the machine has", std::to_string(job.number));
    problems.note(job.line, fmt::format("field 8 ({}): job {} requests {}, expected at most the {} "
                                        "processors of the machine; skipped",
                                        kSwfFields[7], job.number, job.procs, procs));
    return true;
  });
  if (log.jobs.empty()) return problems.nothing_left("job record");
  drop_vain_waits(log);
  return Done{};
}

Result<std::vector<NodeReport>> machine_of(const SwfHeader& header) {
  const auto nodes = header.max_nodes > 0 ? header.max_nodes : header.max_procs;
  const auto procs = header.max_procs > 0 ? header.max_procs : header.max_nodes;
  if (nodes <= 0)
    return Error{
        "the log's header has neither MaxNodes nor MaxProcs: expected one of them, or a resource "
        "trace in SIMRESOURCETRACEFILE"};
  if (nodes > kMostNodes || procs / nodes > std::numeric_limits<std::int32_t>::max() ||
      procs < nodes)
    return Error{
        fmt::format("the log's header has MaxNodes {} and MaxProcs {}: expected at least one "
                    "processor per node, and at most {} nodes",
                    nodes, procs, kMostNodes)};
  const auto width = fmt::formatted_size("{}", nodes);
  std::vector<NodeReport> machine(static_cast<std::size_t>(nodes));
  for (std::int64_t i = 0; i < nodes; ++i) {
    Node& node = machine[static_cast<std::size_t>(i)].node;
    node.name = fmt::format("n{:0{}}", i + 1, width);
    node.reported = NodeState::idle;
    const auto share = procs / nodes + (i < procs % nodes ? 1 : 0);
    node.configured = Resources(static_cast<Resources::Quantity>(share));
  }
  return machine;
}

JobReport report_of(const SwfJob& job, const SwfHeader& header, const SwfMachine& machine) {
  JobReport report;
  report.name = std::to_string(job.number);
  report.user = tagged("u", job.user);
  report.group = tagged("g", job.group);
  if (auto name = class_of(job); machine.classes.contains(name)) report.job_class = std::move(name);
  if (job.preceding >= 0 && job.think < 0)
    report.job.dependencies = {{DependencyKind::after_any, std::to_string(job.preceding)}};
  if (job.executable >= 0) report.job.executable = tagged("app", job.executable);
  report.job.submitted = header.start + Seconds(job.submitted);
  report.job.recorded = RecordedRun{Seconds(job.run_time), job.proc_seconds};
  report.request.limit = Seconds(job.limit);
  report.request.access.usual = machine.access;
  Requirement& requirement = report.request.requirements.front();
  requirement.tasks = job.procs;
  if (machine.memory && job.memory > 0) requirement.memory = {Comparison::at_least, job.memory};
  report.features.emplace_back();
  return report;
}

std::unique_ptr<Workload> make_workload(SwfLog log, SwfMachine machine) {
  return std::make_unique<SwfWorkload>(std::move(log), std::move(machine));
}

}  // namespace maui
