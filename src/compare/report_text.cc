#include "compare/report_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/text.h"
#include "base/utf8.h"

namespace maui::compare {
namespace {

/// The measures shown on a terminal; the report has all.
constexpr std::string_view kShown[] = {
    "jobs",
    "neverstarted",
    "wait.mean",
    "wait.median",
    "wait.p95",
    "wait.worst",
    "slowdown.mean",
    "slowdown.p95",
    "xfactor.mean",
    "utilisation",
    "queue.mean",
    "backfilled.jobs",
    "backfilled.prochours",
    "fairness",
    "makespan",
};
constexpr std::size_t kTitleWidth = 28, kColumnWidth = 22, kChangeWidth = 9;

std::string heading(const Comparison& comparison) {
  const Outcome& base = comparison.runs.front().outcome;
  const auto since = base.jobs.empty()
                         ? std::string()
                         : fmt::format(" from {} on", format_date(period_of(base).begin, true));
  return fmt::format("{}\n{}{}, {}, {}\n", comparison.workload, counted(base.jobs.size(), "job"),
                     since, counted(base.nodes, "node"), counted(base.procs, "processor"));
}

std::string table(const Comparison& comparison, std::size_t first, std::size_t end) {
  std::vector<std::size_t> columns{0};
  for (std::size_t i = first; i < end; ++i) columns.push_back(i);
  std::string text(kTitleWidth, ' ');
  std::vector<std::size_t> widths;
  for (const auto column : columns) {
    const auto& name = comparison.runs[column].outcome.variant;
    widths.push_back(
        std::max(column == 0 ? kColumnWidth - kChangeWidth : kColumnWidth, name.size() + 2));
    text += fmt::format("{:>{}}", name, widths.back());
  }
  text += "\n";
  for (const auto name : kShown) {
    const Measure& measure = *find_measure(name);
    text += fmt::format("{:<{}}", measure.title, kTitleWidth);
    const double base = measure.of(comparison.runs.front().measures);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = measure.of(comparison.runs[columns[i]].measures);
      const auto shown = format_measure(value, measure.unit);
      if (columns[i] == 0)
        text += fmt::format("{:>{}}", shown, widths[i]);
      else
        text += fmt::format("{:>{}}{:>{}}", shown, widths[i] - kChangeWidth,
                            format_change(value, base), kChangeWidth);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, std::size_t width) {
  std::string text = heading(comparison);
  const auto count = comparison.runs.size();
  const std::size_t base_width = kTitleWidth + kColumnWidth - kChangeWidth;
  const std::size_t beside =
      std::max<std::size_t>(1, width > base_width ? (width - base_width) / kColumnWidth : 1);
  std::size_t first = 1;
  do {
    const auto end = std::min(count, first + beside);
    text += "\n" + table(comparison, first, end);
    first = end;
  } while (first < count);
  return text;
}

std::string resamples_text(const Comparison& comparison) {
  std::string text;
  if (const auto note = resample_note(comparison); !note.empty()) text = note + "\n";
  if (comparison.resamples.empty()) return text;
  if (!text.empty()) text += "\n";
  text += fmt::format("Bounds of the changes against {} in nine of ten of {} resampled workloads\n",
                      comparison.runs.front().outcome.variant, comparison.resamples.size());
  for (std::size_t run = 1; run < comparison.runs.size(); ++run) {
    text += fmt::format("\n{}\n", comparison.runs[run].outcome.variant);
    for (const auto name : kShown) {
      const Measure& measure = *find_measure(name);
      const auto interval = change_interval(comparison, run, measure);
      if (interval.low == 0 && interval.high == 0) continue;
      text += fmt::format(
          "  {:<26}{:>16} to {:>16}{}\n", measure.title, format_signed(interval.low, measure.unit),
          format_signed(interval.high, measure.unit), interval.clear() ? "" : "  may be chance");
    }
  }
  return text;
}

std::string judgements_text(const std::vector<Judgement>& judgements) {
  std::string text;
  for (const auto& judgement : judgements)
    text += fmt::format("{}: {}: {} ({} against {})\n", judgement.verdict.met ? "met" : "NOT MET",
                        judgement.variant, judgement.expectation,
                        format_measure(judgement.verdict.left, judgement.unit),
                        format_measure(judgement.verdict.right, judgement.unit));
  return text;
}

}  // namespace maui::compare
