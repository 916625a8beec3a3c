#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace maui::compare {
namespace {

constexpr std::int64_t kWeek = 7 * kDaySeconds;
constexpr double kEnough = 0.5;  // part of the jobs; with less, intervals are too narrow

}  // namespace

Period period_of(const Outcome& outcome) {
  if (outcome.jobs.empty()) return {};
  Period period{kForever, Time(0)};
  for (const JobOutcome& job : outcome.jobs) {
    period.begin = std::min(period.begin, job.submitted);
    period.end = std::max(period.end, job.ended);
  }
  return period;
}

Comparison compare_outcomes(std::string workload, std::vector<Outcome> outcomes,
                            const PlotSettings& plot) {
  Comparison comparison{std::move(workload), {}, SizeClasses(plot), {}, std::nullopt};
  for (Outcome& outcome : outcomes) {
    Run run{std::move(outcome), {}, {}};
    run.measures = measures_of(run.outcome);
    for (const Grouping& grouping : groupings()) {
      auto& measured = run.groups.emplace_back();
      for (const Group& group : groups_of(run.outcome, grouping, comparison.classes))
        measured.push_back({group.name, measures_of(group.jobs)});
    }
    comparison.runs.push_back(std::move(run));
  }
  return comparison;
}

Interval change_interval(const Comparison& comparison, std::size_t run, const Measure& measure) {
  const auto at = static_cast<std::size_t>(&measure - measures().data());
  std::vector<double> changes;
  for (const Resample& resample : comparison.resamples)
    changes.push_back(resample[run][at] - resample[0][at]);
  if (changes.empty()) return {};
  std::sort(changes.begin(), changes.end());
  const auto outside = changes.size() / 20;  // one in twenty at each end
  return {changes[outside], changes[changes.size() - 1 - outside]};
}

double redrawn_part(const Outcome& outcome) {
  struct User {
    std::int64_t jobs = 0, week = -1;
    bool several = false;
  };
  std::map<std::uint32_t, User> users;
  const Time begin = period_of(outcome).begin;
  for (const JobOutcome& job : outcome.jobs) {
    User& user = users[job.who[CredentialKind::user]];
    const auto week = (job.submitted - begin).raw() / kWeek;
    user.several = user.several || (user.jobs > 0 && week != user.week);
    user.week = week;
    ++user.jobs;
  }
  std::int64_t drawn = 0;
  for (const auto& [number, user] : users) drawn += user.several ? user.jobs : 0;
  return outcome.jobs.empty()
             ? 0
             : static_cast<double>(drawn) / static_cast<double>(outcome.jobs.size());
}

std::string resample_note(const Comparison& comparison) {
  if (!comparison.redrawn || *comparison.redrawn >= kEnough) return {};
  if (*comparison.redrawn == 0)
    return "Which changes may be chance is unknown: no user has jobs in two weeks of this "
           "workload, so all resampled workloads are the same. Use a workload of several weeks.";
  return fmt::format(
      "Only {:.0f} % of the jobs are of users who have jobs in several weeks. The others are the "
      "same in all resampled workloads: the bounds are too narrow.",
      std::max(1.0, 100 * *comparison.redrawn));
}

std::vector<std::string> same_as_base(const Comparison& comparison) {
  const auto schedule_of = [](const Outcome& outcome) {
    std::map<std::string_view, std::pair<Time, Time>> schedule;
    for (const JobOutcome& job : outcome.jobs)
      schedule.emplace(job.name, std::pair(job.started, job.ended));
    return schedule;
  };
  std::vector<std::string> same;
  if (comparison.runs.size() < 2) return same;
  const auto base = schedule_of(comparison.runs.front().outcome);
  for (std::size_t run = 1; run < comparison.runs.size(); ++run)
    if (const Outcome& outcome = comparison.runs[run].outcome;
        !outcome.unfinished && schedule_of(outcome) == base)
      same.push_back(outcome.variant);
  return same;
}

Result<double> value_of(const Comparison& comparison, std::size_t run, const MeasureName& name) {
  const Run& chosen = comparison.runs[name.of_base ? 0 : run];
  if (name.grouping == nullptr) return name.measure->of(chosen.measures);
  const auto kind = static_cast<std::size_t>(name.grouping - groupings().data());
  for (const auto& group : chosen.groups[kind]) {
    if (group.name != name.group) continue;
    RunMeasures alone;
    alone.all = group.of;
    return name.measure->of(alone);
  }
  return Error{fmt::format("no job of {} '{}' ran", name.grouping->title, name.group)};
}

namespace {

/// Adds a judgement about jobs that never started, which no measure of waits counts.  A run with
/// more of them than the base fails, unless an expectation is about their number.
void judge_never_started(const Comparison& comparison, const std::vector<Expectation>& expectations,
                         std::vector<Judgement>& judgements) {
  const Measure* const measure = find_measure("neverstarted");
  for (const Expectation& expectation : expectations)
    if (expectation.subject().measure == measure) return;
  if (expectations.empty()) return;
  const double base = measure->of(comparison.runs.front().measures);
  for (const Run& run : comparison.runs)
    if (const double left = measure->of(run.measures); left > base)
      judgements.push_back(
          {"neverstarted <= base", run.outcome.variant, measure->unit, {false, left, base}});
}

}  // namespace

Judged judge(const Comparison& comparison, const std::vector<Expectation>& expectations) {
  Judged judged;
  const std::size_t first = comparison.runs.size() > 1 ? 1 : 0;
  for (std::size_t run = first; run < comparison.runs.size(); ++run)
    for (const Expectation& expectation : expectations) {
      const auto verdict = expectation.judge(
          [&](const MeasureName& name) { return value_of(comparison, run, name); });
      const std::string& variant = comparison.runs[run].outcome.variant;
      if (verdict)
        judged.judgements.push_back(
            {expectation.text(), variant, expectation.subject().measure->unit, *verdict});
      else
        judged.impossible.push_back(fmt::format("--expect '{}': {}: {}", expectation.text(),
                                                variant, verdict.error().what));
    }
  judge_never_started(comparison, expectations, judged.judgements);
  return judged;
}

}  // namespace maui::compare
