#include "history/event_line.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/percent.h"
#include "base/text.h"
#include "sched/query/reason_words.h"

namespace maui::history {
namespace {

constexpr std::string_view kNone = "-";

/// Reads the words of a line one after the other, and notes whether all were there and valid.
class Words {
 public:
  explicit Words(std::string_view line) : words_(words(line)) {}

  std::string_view word() {
    if (at_ < words_.size()) return words_[at_++];
    complete_ = false;
    return {};
  }
  std::string name() { return percent_unescaped(word()); }
  std::int64_t number() {
    const auto value = parse_integer<std::int64_t>(word());
    complete_ = complete_ && value && *value >= 0;
    return value.value_or(0);
  }
  std::int64_t code() {
    const auto value = parse_integer<std::int64_t>(word());
    complete_ = complete_ && value.has_value();
    return value.value_or(0);
  }
  Time time() { return Time(number()); }
  bool all_read() const { return complete_ && at_ == words_.size(); }

 private:
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  bool complete_ = true;
};

std::string field(std::string_view name) {
  return name.empty() ? std::string(kNone) : percent_escaped(name);
}

std::string line_of(const JobEnding& job) {
  return fmt::format("JOB {} {} {} {} {}", field(job.name), job.submitted.raw(), job.ended.raw(),
                     job.exit_code, waits_text(job.waits));
}

std::string line_of(const PastReservation& reservation) {
  return fmt::format("RES {} {} {} {} {} {}", field(reservation.name), field(reservation.type),
                     reservation.start.raw(), reservation.end.raw(), reservation.nodes,
                     reservation.procs);
}

std::string line_of(const MinuteOfUse& use) {
  return fmt::format("USE {} {} {} {} {} {}", use.start.raw(), use.seconds, use.busy, use.up,
                     use.active, use.waiting);
}

Result<JobEnding> read_job(Words& in) {
  JobEnding job;
  job.name = in.name();
  job.submitted = in.time();
  job.ended = in.time();
  job.exit_code = in.code();
  auto waits = parse_waits(in.word());
  if (!waits) return waits.error();
  job.waits = *std::move(waits);
  return job;
}

PastReservation read_reservation(Words& in) {
  PastReservation reservation;
  reservation.name = in.name();
  reservation.type = in.name();
  reservation.start = in.time();
  reservation.end = in.time();
  reservation.nodes = in.number();
  reservation.procs = in.number();
  return reservation;
}

MinuteOfUse read_use(Words& in) {
  MinuteOfUse use;
  use.start = in.time();
  use.seconds = in.number();
  use.busy = in.number();
  use.up = in.number();
  use.active = in.number();
  use.waiting = in.number();
  return use;
}

Result<Event> read_event(Words& in) {
  const auto kind = in.word();
  if (kind == "RES") return Event(read_reservation(in));
  if (kind == "USE") return Event(read_use(in));
  if (kind != "JOB")
    return Error{
        fmt::format("invalid kind of event '{}': expected JOB, RES or USE", kind.substr(0, 20))};
  auto job = read_job(in);
  if (!job) return job.error();
  return Event(*std::move(job));
}

/// Returns a reason as it is written in a line.
std::string reason_field(std::string reason) {
  std::replace(reason.begin(), reason.end(), ' ', '_');
  return percent_escaped(reason, ":,");
}

/// Returns the fields of the planner's reasons, by number.
std::vector<std::string> planner_fields() {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < kReasonCount; ++i)
    fields.push_back(reason_field(std::string(reason_words(static_cast<Reason>(i)))));
  return fields;
}

void append_wait(std::string& out, std::string_view field, Time start, Time end) {
  if (!out.empty()) out += ',';
  out += field;
  fmt::format_to(std::back_inserter(out), FMT_COMPILE(":{}-{}"), start.raw(), end.raw());
}

}  // namespace

std::string event_line(const Event& event) {
  return std::visit([](const auto& record) { return line_of(record); }, event);
}

Result<Event> parse_event_line(std::string_view line) {
  Words in(line);
  auto event = read_event(in);
  if (event && !in.all_read()) return Error{"expected a name or a number in each of its fields"};
  return event;
}

std::string waits_text(const std::vector<Wait>& waits) {
  std::string text;
  for (const Wait& wait : waits) append_wait(text, reason_field(wait.reason), wait.start, wait.end);
  return text.empty() ? std::string(kNone) : text;
}

std::string waits_text(const std::vector<WaitHistory::Period>& periods) {
  static const std::vector<std::string> fields = planner_fields();
  constexpr std::size_t kUsual = 128;
  std::string text;
  text.reserve(kUsual);
  for (const auto& period : periods)
    append_wait(text, fields[static_cast<std::size_t>(period.reason)], period.start, period.end);
  return text.empty() ? std::string(kNone) : text;
}

Result<std::vector<Wait>> parse_waits(std::string_view text) {
  std::vector<Wait> waits;
  if (text == kNone || text.empty()) return waits;
  for (const auto item : split(text, ',')) {
    const auto colon = item.find(':'), dash = item.find('-', colon);
    const auto start = dash == item.npos
                           ? std::nullopt
                           : parse_integer<std::int64_t>(item.substr(colon + 1, dash - colon - 1));
    const auto end =
        dash == item.npos ? std::nullopt : parse_integer<std::int64_t>(item.substr(dash + 1));
    if (colon == item.npos || !start || !end)
      return Error{fmt::format("invalid wait '{}': expected REASON:START-END", item.substr(0, 60))};
    std::string reason = percent_unescaped(item.substr(0, colon));
    std::replace(reason.begin(), reason.end(), '_', ' ');
    waits.push_back({std::move(reason), Time(*start), Time(*end)});
  }
  return waits;
}

std::vector<Wait> waits_of(const std::vector<WaitHistory::Period>& periods) {
  std::vector<Wait> waits;
  for (const auto& period : periods)
    waits.push_back({std::string(reason_words(period.reason)), period.start, period.end});
  return waits;
}

}  // namespace maui::history
