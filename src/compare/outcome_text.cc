#include "compare/outcome_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <limits>

#include "base/percent.h"
#include "base/text.h"

namespace maui::compare {
namespace {

constexpr std::string_view kFirstLine = "maui-outcome 2";
constexpr std::int64_t kMost = std::int64_t{1} << 50;

/// Returns the text as one word; "-" if it is empty.
std::string word(std::string_view text) {
  const auto escaped = percent_escaped(text);
  return escaped.empty() || escaped.front() == '-' ? "-" + escaped : escaped;
}

std::string text_of(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return percent_unescaped(word);
}

class OutcomeReader {
 public:
  explicit OutcomeReader(std::string_view text) : text_(text) {}

  Result<Outcome> read() {
    if (!next() || line_ != kFirstLine) return wrong("an outcome of this release");
    while (next()) {
      words_ = words(line_);
      if (words_.empty()) return wrong("a word");
      if (words_[0] == "end") return std::move(outcome_);
      if (!take()) return wrong("a line of an outcome");
    }
    return wrong("more lines: the text was cut off");
  }

 private:
  bool next() {
    const auto end = text_.find('\n');
    if (end == text_.npos) return false;
    line_ = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    ++number_;
    return true;
  }
  Error wrong(std::string_view expected) const {
    return Error{fmt::format("line {}: expected {}", number_, expected)};
  }
  bool integer(std::size_t at, std::int64_t& into, std::int64_t most = kMost) const {
    const auto value = parse_integer<std::int64_t>(words_[at]);
    if (!value || *value < 0 || *value > most) return false;
    into = *value;
    return true;
  }
  bool take() {
    const auto what = words_[0];
    const auto count = words_.size();
    if (what == "job") return count == 16 && take_job();
    if (what == "name") return count == 3 && take_name();
    if (what == "left" && count == 3)
      return outcome_.left.push_back({text_of(words_[1]), text_of(words_[2])}), true;
    if (what == "problem" && count == 2)
      return outcome_.problems.push_back(text_of(words_[1])), true;
    if (what == "skipped") return count >= 3 && take_skipped();
    if (what == "target") return count == 4 && take_target();
    if (what == "variant" && count == 2) return outcome_.variant = text_of(words_[1]), true;
    if (what == "unfinished" && count == 1) return outcome_.unfinished = true;
    if (what == "damaged" && count == 1) return outcome_.damaged = true;
    return what == "machine" && count == 5 && integer(1, outcome_.nodes) &&
           integer(2, outcome_.procs) && integer(3, outcome_.skipped) &&
           integer(4, outcome_.bad_lines);
  }
  bool take_skipped() {
    auto& skipped = outcome_.skipped_because[text_of(words_[2])];
    for (std::size_t i = 3; i < words_.size(); ++i) skipped.first.push_back(text_of(words_[i]));
    return integer(1, skipped.jobs);
  }
  bool kind(std::size_t at, CredentialKind& into) const {
    std::int64_t value = 0;
    if (!integer(at, value, kCredentialKinds.size() - 1)) return false;
    into = kCredentialKinds[static_cast<std::size_t>(value)];
    return true;
  }
  bool take_name() {
    CredentialKind of{};
    if (!kind(1, of)) return false;
    outcome_.names[of].push_back(text_of(words_[2]));
    return true;
  }
  bool take_target() {
    ShareTarget target;
    const auto percent = parse_number(words_[3]);
    if (!kind(1, target.kind) || !percent) return false;
    target.name = text_of(words_[2]);
    target.percent = *percent;
    outcome_.targets.push_back(std::move(target));
    return true;
  }
  /// Parses "11:300,15:20": reasons and seconds; "." for none.
  static bool reasons(std::string_view text, std::vector<WaitReason>& into) {
    if (text == ".") return true;
    for (const auto item : split(text, ',')) {
      const auto colon = item.find(':');
      if (colon == item.npos) return false;
      const auto reason = parse_integer<int>(item.substr(0, colon));
      const auto seconds = parse_integer<std::int64_t>(item.substr(colon + 1));
      if (!reason || *reason < 0 || *reason >= static_cast<int>(kReasonCount) || !seconds ||
          *seconds < 0 || *seconds > kMost)
        return false;
      into.push_back({static_cast<Reason>(*reason), Seconds(*seconds)});
    }
    return true;
  }
  bool take_job() {
    JobOutcome job;
    job.name = text_of(words_[1]);
    std::size_t at = 2;
    for (const auto kind : kCredentialKinds) {
      std::int64_t value = 0;
      const auto known = static_cast<std::int64_t>(outcome_.names[kind].size());
      if (!integer(at++, value, known - 1)) return false;
      job.who[kind] = static_cast<std::uint32_t>(value);
    }
    std::int64_t limit = 0, run = 0, submitted = 0, started = 0, ended = 0, backfilled = 0,
                 bypass = 0;
    if (!integer(at, job.procs) || !integer(at + 1, limit) || !integer(at + 2, run) ||
        !integer(at + 3, submitted) || !integer(at + 4, started) || !integer(at + 5, ended) ||
        !integer(at + 6, backfilled, 1) ||
        !integer(at + 7, bypass, std::numeric_limits<std::int32_t>::max()))
      return false;
    if (!reasons(words_[at + 8], job.reasons) || submitted > started || started > ended ||
        run > ended - submitted)
      return false;
    job.limit = Seconds(limit);
    job.run = Seconds(run);
    job.submitted = Time(submitted);
    job.started = Time(started);
    job.ended = Time(ended);
    job.backfilled = backfilled == 1;
    job.bypass = static_cast<std::int32_t>(bypass);
    outcome_.jobs.push_back(std::move(job));
    return true;
  }

  std::string_view text_, line_;
  std::vector<std::string_view> words_;
  std::int64_t number_ = 0;
  Outcome outcome_;
};

}  // namespace

std::string outcome_text(const Outcome& outcome) {
  std::string text(kFirstLine);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "\nvariant {}\nmachine {} {} {} {}\n", word(outcome.variant), outcome.nodes,
                 outcome.procs, outcome.skipped, outcome.bad_lines);
  for (const auto kind : kCredentialKinds)
    for (const auto& name : outcome.names[kind])
      fmt::format_to(out, "name {} {}\n", static_cast<int>(kind), word(name));
  for (const auto& target : outcome.targets)
    fmt::format_to(out, "target {} {} {}\n", static_cast<int>(target.kind), word(target.name),
                   target.percent);
  for (const auto& [reason, skipped] : outcome.skipped_because) {
    fmt::format_to(out, "skipped {} {}", skipped.jobs, word(reason));
    for (const auto& job : skipped.first) fmt::format_to(out, " {}", word(job));
    text += '\n';
  }
  for (const auto& problem : outcome.problems) fmt::format_to(out, "problem {}\n", word(problem));
  for (const auto& job : outcome.jobs) {
    fmt::format_to(out, "job {}", word(job.name));
    for (const auto kind : kCredentialKinds) fmt::format_to(out, FMT_COMPILE(" {}"), job.who[kind]);
    fmt::format_to(out, FMT_COMPILE(" {} {} {} {} {} {} {} {} "), job.procs, job.limit.raw(),
                   job.run.raw(), job.submitted.raw(), job.started.raw(), job.ended.raw(),
                   job.backfilled ? 1 : 0, job.bypass);
    const char* before = "";
    for (const auto& [reason, how_long] : job.reasons) {
      fmt::format_to(out, FMT_COMPILE("{}{}:{}"), before, static_cast<int>(reason), how_long.raw());
      before = ",";
    }
    text += job.reasons.empty() ? ".\n" : "\n";
  }
  for (const auto& job : outcome.left)
    fmt::format_to(out, "left {} {}\n", word(job.name), word(job.reason));
  if (outcome.damaged) text += "damaged\n";
  if (outcome.unfinished) text += "unfinished\n";
  return text + "end\n";
}

Result<Outcome> read_outcome_text(std::string_view text) { return OutcomeReader(text).read(); }

}  // namespace maui::compare
