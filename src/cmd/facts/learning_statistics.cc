#include "cmd/facts/learning_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "cmd/access.h"

namespace maui {
namespace {

using Coverage = IntervalCalibration::Coverage;

// Numbers of similar jobs, in the classes of IntervalCalibration.
constexpr std::array<std::string_view, IntervalCalibration::kClasses> kSimilar = {"0", "1-3",
                                                                                  "4-8"};

double mean(double sum, std::int64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : -1;
}
double mean_hours(double seconds, std::int64_t count) {
  return count > 0 ? mean(seconds, count) / kHourSeconds : -1;
}
double percent_of(std::int64_t part, std::int64_t whole) {
  return mean(100 * static_cast<double>(part), whole);
}

LearningRow row_of(std::string name, const ForecastTotals& totals) {
  LearningRow row;
  row.name = std::move(name);
  row.jobs = totals.jobs;
  if (totals.limit_seconds > 0) row.limit_used = 100 * totals.run_seconds / totals.limit_seconds;
  row.ends = totals.foreseen;
  row.within = percent_of(totals.within, totals.foreseen);
  row.end_error = mean_hours(totals.error, totals.foreseen);
  row.limit_end_error = mean_hours(totals.limit_error, totals.foreseen);
  row.starts = totals.starts;
  row.start_error = mean_hours(totals.start_error, totals.starts);
  row.limit_start_error = mean_hours(totals.limit_start_error, totals.starts);
  return row;
}

/// Orders the rows by number of jobs, largest first.
template <class IdType>
std::vector<LearningRow> rows_of(const Names<IdType>& names,
                                 const std::map<IdType, ForecastTotals>& totals) {
  std::vector<LearningRow> rows;
  for (const auto& [id, sums] : totals) rows.push_back(row_of(names[id], sums));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.jobs > b.jobs; });
  return rows;
}

}  // namespace

Answer learning_statistics(const Context& context) {
  const Statistics& statistics = context.engine.statistics();
  const RunTimeLearning& learning = context.engine.learning();
  LearningReply reply;
  reply.since = statistics.since.raw();
  reply.learning = context.settings().learning.use != LearningUse::none;
  reply.by_user = rows_of(context.cluster().users, statistics.forecasts.users);
  if (!is_admin(context, 3)) {
    std::erase_if(reply.by_user,
                  [&](const LearningRow& row) { return row.name != context.request.user; });
    return Reply(std::move(reply));
  }
  reply.users = static_cast<std::int64_t>(learning.history().users());
  reply.kinds = static_cast<std::int64_t>(learning.history().rings());
  reply.by_class = rows_of(context.cluster().classes, statistics.forecasts.classes);
  reply.all = row_of("ALL", statistics.forecasts.all);
  for (std::size_t i = 0; i < kSimilar.size(); ++i) {
    const Coverage& seen = learning.calibration().coverage()[i];
    reply.intervals.push_back(
        {std::string(kSimilar[i]), seen.jobs, percent_of(seen.within, seen.jobs)});
  }
  return Reply(std::move(reply));
}

std::vector<std::string> interval_warnings(const Context& context) {
  constexpr std::int64_t kEnough = 100;  // jobs needed for a conclusion
  constexpr double kLeast = 85;          // per cent, of the intended 90
  std::vector<std::string> warnings;
  if (context.settings().learning.use == LearningUse::none) return warnings;
  for (std::size_t i = 1; i < kSimilar.size(); ++i) {  // jobs without similar ones have no interval
    const Coverage& seen = context.engine.learning().calibration().coverage()[i];
    const double within = percent_of(seen.within, seen.jobs);
    if (seen.jobs < kEnough || within >= kLeast) continue;
    warnings.push_back(
        fmt::format("intervals of expected ends are too narrow: of {} jobs with {} earlier "
                    "similar jobs, {:.0f}% "
                    "ended in the interval, not 90%",
                    seen.jobs, kSimilar[i], std::floor(within)));
  }
  return warnings;
}

}  // namespace maui
