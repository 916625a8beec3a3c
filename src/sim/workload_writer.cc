// Writes workload records of statistics files (guide 16.3, 14.6).
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/comparison_names.h"
#include "base/host_range.h"
#include "base/job_flag_names.h"
#include "base/percent.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "model/busy_procs.h"
#include "model/job_dates.h"
#include "model/placement.h"
#include "sim/trace_fields.h"
#include "sim/workload_fields.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

constexpr std::size_t kRangesFrom = 64;        // hosts; longer lists are written with ranges
constexpr std::string_view kEndHosts = "[]:";  // end a host's name in a list

/// Appends text so that it can be read back: no white space, and no word that means "no value".
void append_readable(std::string& out, std::string_view text, std::string_view also = {}) {
  if (text.empty()) {
    out += kNoValue;
    return;
  }
  const bool stands_for_none = text == kNoValue || text == "[DEFAULT]" || text == "0";
  append_percent_escaped(out, text, stands_for_none ? text.substr(0, 1) : also);
}

template <class IdType>
void append_name(std::string& out, const Names<IdType>& names, IdType id,
                 std::string_view also = {}) {
  append_readable(out, id.valid() ? names[id] : std::string_view(), also);
}

/// Builds a record: fields separated by blanks.
class RecordLine {
 public:
  RecordLine() { text_.reserve(kUsualLength); }

  /// The text to which the current field is appended; end() ends the field.
  std::string& text() { return text_; }
  /// Ends the field, right-aligned in `columns`.
  void end(std::size_t columns = 0) {
    if (columns > 0) text_.insert(begin_, missing(columns), ' ');
    end_aligned();
  }
  /// Ends the field, left-aligned in `columns`.
  void end_left(std::size_t columns) {
    text_.append(missing(columns), ' ');
    end_aligned();
  }

  void word(std::string_view word, std::size_t columns = 0) {
    text_ += word;
    end(columns);
  }
  void number(std::int64_t value, std::size_t columns = 0) {
    const fmt::format_int digits(value);
    text_.append(columns - std::min(columns, digits.size()), ' ');
    text_.append(digits.data(), digits.size());
    end_aligned();
  }
  void megabytes(std::int64_t value) {
    const fmt::format_int digits(value);
    text_.append(digits.data(), digits.size());
    word("M");
  }
  void hundredths(double value) {
    std::array<char, std::numeric_limits<double>::max_exponent10 + 8> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                       std::chars_format::fixed, 2);
    word({digits.data(), written.ptr});
  }
  void field(std::string_view text) {
    append_readable(text_, text);
    end();
  }
  template <class IdType>
  void named(const Names<IdType>& names, IdType id, std::size_t columns = 0) {
    append_name(text_, names, id);
    end(columns);
  }

  /// Returns the line without the blank at its end.
  std::string finished() {
    text_.pop_back();
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kUsualLength = 512;

  void end_aligned() {
    text_ += ' ';
    begin_ = text_.size();
  }
  /// Returns how many characters of UTF-8 the field is short of `columns`.
  std::size_t missing(std::size_t columns) const {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
    const auto wide = static_cast<std::size_t>(
        std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin_), text_.end(), begins));
    return columns - std::min(columns, wide);
  }

  std::string text_;
  std::size_t begin_ = 0;  // of the current field
};

/// Appends the name at the start of a record: '#' would begin a comment, VERSION a header.
void append_first_field(std::string& out, std::string_view name) {
  if (name.starts_with('#') || name == "VERSION")
    append_percent_escaped(out, name, name.substr(0, 1));
  else
    append_readable(out, name);
}

void append_hosts(std::string& out, const Cluster& cluster, std::span<const NodeId> nodes) {
  if (nodes.empty()) {
    out += kNoValue;
  } else if (nodes.size() < kRangesFrom) {
    for (const NodeId id : nodes) {
      append_percent_escaped(out, cluster.node(id).name, kEndHosts);
      out += ':';
    }
    out.pop_back();
  } else {
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const NodeId id : nodes)
      names.push_back(percent_escaped(cluster.node(id).name, kEndHosts));
    out += join(compress_hosts(names), ":");
  }
}

/// Returns the nodes as a list of ranges, in the resource manager's order, from runs of nodes with
/// consecutive names; nullopt if a name must be escaped.
std::optional<std::string> hosts_in_ranges(const Cluster& cluster, const Placement& placement) {
  std::vector<NodeRun> runs;
  for (const Placement::Part& part : placement.parts()) runs.push_back(part.nodes);
  std::sort(runs.begin(), runs.end(),
            [](const NodeRun& a, const NodeRun& b) { return a.first < b.first; });
  using Names = std::pair<std::string_view, std::string_view>;  // first and last of a range
  std::vector<Names> all;
  const auto name = [&](std::uint32_t node) -> std::string_view {
    return cluster.node(NodeId(node)).name;
  };
  std::uint32_t done = 0;  // skips nodes that serve several requirements
  for (const NodeRun& run : runs) {
    for (std::uint32_t at = std::max(run.first, done); at < run.end;) {
      const std::uint32_t end = std::min(run.end, cluster.series_of(NodeId(at)).end);
      if (!all.empty() && counts_up(all.back().second, name(at)))
        all.back().second = name(end - 1);
      else
        all.emplace_back(name(at), name(end - 1));
      at = end;
    }
    done = std::max(done, run.end);
  }
  std::string text;
  for (const auto& [first, last] : all) {
    if (!needs_no_escapes(first, kEndHosts)) return std::nullopt;
    if (!text.empty()) text += ':';
    text += host_series(first, last);
  }
  return text;
}

void append_allocated_hosts(std::string& out, const Cluster& cluster, const Job& job) {
  if (job.placement.size() >= kRangesFrom && node_count(job.placement) >= kRangesFrom) {
    if (const auto text = hosts_in_ranges(cluster, job.placement)) {
      out += *text;
      return;
    }
  }
  std::vector<NodeId> nodes;
  nodes.reserve(job.placement.size());
  for (const auto& share : job.placement) nodes.push_back(share.node);
  // Nodes that serve several requirements are listed once.
  if (cluster.request_of(job.id).requirements.size() > 1) {
    std::vector<NodeId> order = nodes;
    std::sort(order.begin(), order.end());
    if (std::adjacent_find(order.begin(), order.end()) != order.end()) {
      order.erase(std::unique(order.begin(), order.end()), order.end());
      nodes = order;
    }
  }
  append_hosts(out, cluster, nodes);
}

std::string flags(const Job& job) {
  std::string text;
  for (const auto& row : kJobFlagNames) {
    if (has(job.flags, row.value)) text.append("[").append(row.name).append("]");
  }
  return text;
}

void append_features(std::string& out, const Cluster& cluster, const Requirement& requirement) {
  if (requirement.features.empty()) out += kNoValue;
  for (const auto id : requirement.features) {
    out += '[';
    append_percent_escaped(out, cluster.features[id], "[]");
    out += ']';
  }
}

void append_class(std::string& out, const Cluster& cluster, const Job& job,
                  const Requirement& requirement) {
  const ClassId id = job.credentials.job_class;
  if (!id.valid()) {
    out += "[DEFAULT:1]";
    return;
  }
  int initiators = 1;
  for (const auto& [what, amount] : requirement.per_task.extra()) {
    if (cluster.consumables[what] == initiator_name(cluster.classes[id])) initiators = amount;
  }
  out += '[';
  append_percent_escaped(out, cluster.classes[id], "[]");
  fmt::format_to(std::back_inserter(out), FMT_COMPILE(":{}]"), initiators);
}

std::string_view comparison(const Bound& bound) {
  // Records write "at least 0" for no demand.
  return bound.compare == Comparison::any ? ">="
                                          : name_of<Comparison>(kComparisonSigns, bound.compare);
}

std::int64_t epoch(Time when) { return when < kForever && when > Time(0) ? when.raw() : 0; }

// Returns the processor seconds that the job used, as recorded or measured; if neither is known,
// those of all processors it held.
double proc_seconds(const Cluster& cluster, const Job& job, bool ran) {
  if (!ran) return 0;
  const Seconds run_time = job.ended - job.started - job.suspended_time;
  return utilised_procs(cluster, job) * static_cast<double>(run_time.raw());
}

int allocated_tasks(const Job& job, const Request& request) {
  if (job.placement.empty()) return request.total_tasks();  // the nodes are unknown
  return static_cast<int>(task_count(job.placement));
}

// Fields 1 to 12: credentials, size, limit and times.
void write_run(RecordLine& line, const Cluster& cluster, const Job& job, const Request& request,
               const JobDates& dates, bool ran) {
  const auto& requirement = request.requirements.front();
  const auto& who = job.credentials;
  const std::int64_t started = ran ? epoch(dates.started) : 0;
  append_first_field(line.text(), job.name);
  line.end_left(20);
  line.number(requirement.nodes, 3);
  line.number(request.total_tasks(), 4);
  line.named(cluster.users, who.user, 8);
  line.named(cluster.groups, who.group, 8);
  line.number(request.limit < kUnlimited ? request.limit.raw() : 0, 7);
  line.word(job.state == JobState::completed && ran ? "Completed"
            : job.state == JobState::removed        ? "Removed"
                                                    : "NotRun",
            9);
  append_class(line.text(), cluster, job, requirement);
  line.end(11);
  line.number(epoch(dates.submitted));
  line.number(started);
  line.number(started);
  line.number(epoch(job.ended));
}

// Fields 13 to 30: what the job required of nodes, and what happened to it.
void write_demands(RecordLine& line, const Cluster& cluster, const Job& job, const Request& request,
                   const JobDates& dates, bool ran) {
  const auto& requirement = request.requirements.front();
  const auto& who = job.credentials;
  line.field(requirement.network);
  line.field(requirement.architecture);
  line.field(requirement.operating_system);
  for (const Bound* bound : {&requirement.memory, &requirement.disk}) {
    line.word(comparison(*bound));
    line.megabytes(bound->amount);
  }
  append_features(line.text(), cluster, requirement);
  line.end();
  line.number(epoch(dates.eligible_since));
  line.number(ran ? allocated_tasks(job, request) : request.total_tasks());
  line.number(requirement.tasks_per_node);
  append_readable(line.text(), job.qos_requested, ":");
  line.text() += ':';
  append_name(line.text(), cluster.qos, who.qos, ":");
  line.end();
  line.field(flags(job));
  line.named(cluster.accounts, who.account);
  line.field(job.executable);
  line.field(job.comment);
  line.number(cluster.bypasses(job.id));
  line.hundredths(proc_seconds(cluster, job, ran));
}

// Fields 31 to 44: resources per task, allocated hosts, and constraints.
void write_places(RecordLine& line, const Cluster& cluster, const Job& job, const Request& request,
                  const JobDates& dates, Time began) {
  const auto& task = request.requirements.front().per_task;
  if (job.placement.empty())
    line.word("ALL");
  else
    line.named(cluster.partitions, partition_of(cluster, job.placement));
  line.number(task.procs());
  line.megabytes(task.memory());
  line.megabytes(task.disk());
  line.megabytes(task.swap());
  line.number(epoch(job.earliest_start));
  line.number(epoch(job.deadline));
  append_allocated_hosts(line.text(), cluster, job);
  line.end();
  line.field(job.resource_manager);
  append_hosts(line.text(), cluster, request.host_list);
  line.end();
  line.field(job.required_reservation);
  line.field(job.node_set);
  line.field(job.application_data);
  std::string last;
  if (dates.submitted != job.submitted)
    last = fmt::format("{}{};", kReportedMark, epoch(job.submitted));
  if (dates.started != job.started)
    last += fmt::format("{}{};", kReportedStartMark, epoch(job.started));
  if (began < kForever && (began != job.started || dates.started != job.started))
    last += fmt::format("{}{};", kBeganMark, epoch(began));
  if (job.started < kForever && job.clock_set > Seconds(0))
    last += fmt::format("{}{};", kClockSetMark, job.clock_set.raw());
  const Seconds no_run = job.suspended_time - (dates.started - job.started);
  if (job.started < kForever && no_run > Seconds(0))
    last += fmt::format("{}{};", kSuspendedMark, no_run.raw());
  if (!job.title.empty()) last.append(kTitleMark).append(job.title);
  line.field(last);
}

}  // namespace

std::string workload_trace_header() {
  std::string text = "VERSION 230\n#";
  for (std::string_view name : kWorkloadFields) {
    std::string word(name);
    std::erase(word, ' ');
    text += " " + word;
  }
  return text + "\n";
}

std::string write_workload_record(const Cluster& cluster, const Job& job, Time began) {
  const Request& request = cluster.request_of(job.id);
  const JobDates dates = dates_of(job);
  const bool ran = job.started < kForever;
  RecordLine line;
  write_run(line, cluster, job, request, dates, ran);
  write_demands(line, cluster, job, request, dates, ran);
  write_places(line, cluster, job, request, dates, began);
  return line.finished();
}

}  // namespace maui
