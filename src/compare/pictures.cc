#include "compare/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/date.h"
#include "compare/charts.h"
#include "compare/timeline.h"

namespace maui::compare {
namespace {

constexpr std::size_t kPicturePlaces = 240;  // points of a line

std::vector<std::string> date_labels(const Timeline& line) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < line.busy.size(); ++i) {
    const Time at = line.begin + line.step * static_cast<std::int64_t>(i);
    const auto date = format_date(at, true);  // "Sun Sep  9 01:59:40 2001"
    labels.push_back(line.step >= Seconds(kDaySeconds / 4) ? date.substr(4, 6)
                                                           : date.substr(4, 12));
  }
  return labels;
}

/// Draws both over the same time: from the first submission to the last end of any run in which
/// jobs ran.
std::vector<Picture> over_time(const Comparison& comparison) {
  Time begin = kForever, end{0};
  for (const Run& run : comparison.runs) {
    if (run.outcome.jobs.empty()) continue;
    const auto period = period_of(run.outcome);
    begin = std::min(begin, period.begin);
    end = std::max(end, period.end);
  }
  begin = std::min(begin, end);  // if no job ran
  Chart busy{"Processors in use", "% of the machine", {}, {}};
  Chart queue{"Waiting jobs", "jobs", {}, {}};
  for (const Run& run : comparison.runs) {
    auto line = timeline_of(run.outcome, begin, end, kPicturePlaces);
    const auto procs = static_cast<double>(std::max<std::int64_t>(1, run.outcome.procs));
    for (double& value : line.busy) value *= 100 / procs;
    if (busy.labels.empty()) busy.labels = queue.labels = date_labels(line);
    busy.series.push_back({run.outcome.variant, std::move(line.busy)});
    queue.series.push_back({run.outcome.variant, std::move(line.waiting)});
  }
  return {{"use", busy.title, line_chart(busy, true)},
          {"queue", queue.title, line_chart(queue, true)}};
}

std::string short_wait(Seconds most) {
  const auto seconds = most.raw();
  if (most == kUnlimited) return "more";
  if (seconds == 0) return "0";
  if (seconds >= kDaySeconds) return fmt::format("{} d", seconds / kDaySeconds);
  if (seconds >= kHourSeconds) return fmt::format("{} h", seconds / kHourSeconds);
  return fmt::format("{} min", seconds / 60);
}

Picture waits(const Comparison& comparison) {
  Chart chart{"Jobs by wait, cumulative", "% of the jobs", {}, {}};
  for (const Run& run : comparison.runs) {
    const auto steps = wait_steps(run.outcome);
    const auto all = static_cast<double>(std::max<std::size_t>(1, run.outcome.jobs.size()));
    Series series{run.outcome.variant, {}};
    std::int64_t sum = 0;
    chart.labels.clear();
    for (const WaitStep& step : steps) {
      sum += step.jobs;
      series.values.push_back(100 * static_cast<double>(sum) / all);
      chart.labels.push_back(short_wait(step.most));
    }
    chart.series.push_back(std::move(series));
  }
  return {"waits", chart.title, line_chart(chart, false)};
}

Picture waits_by_size(const Comparison& comparison) {
  const auto sizes = static_cast<std::size_t>(find_grouping("size") - groupings().data());
  Chart chart{"Mean wait by requested processors", "hours", {}, {}};
  std::set<std::string> seen;
  for (const Run& run : comparison.runs)
    for (const auto& group : run.groups[sizes]) seen.insert(group.name);
  for (const auto& size : comparison.classes.sizes())
    if (seen.contains(size)) chart.labels.push_back(size);
  for (const Run& run : comparison.runs) {
    Series series{run.outcome.variant, std::vector<double>(chart.labels.size())};
    for (const auto& group : run.groups[sizes]) {
      const auto at = std::find(chart.labels.begin(), chart.labels.end(), group.name);
      series.values[static_cast<std::size_t>(at - chart.labels.begin())] =
          group.of.wait.mean / kHourSeconds;
    }
    chart.series.push_back(std::move(series));
  }
  return {"sizes", chart.title, bar_chart(chart)};
}

}  // namespace

std::vector<Picture> pictures_of(const Comparison& comparison) {
  auto pictures = over_time(comparison);
  pictures.push_back(waits(comparison));
  pictures.push_back(waits_by_size(comparison));
  return pictures;
}

}  // namespace maui::compare
