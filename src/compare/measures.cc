#include "compare/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/duration.h"

namespace maui::compare {
namespace {

constexpr double kLeastRun = 10;  // seconds (Feitelson and others, 1997)

template <Distribution JobMeasures::*What, double Distribution::*Which>
double of_jobs(const RunMeasures& run) {
  return run.all.*What.*Which;
}
template <double JobMeasures::*What>
double of_all(const RunMeasures& run) {
  return run.all.*What;
}
template <double RunMeasures::*What>
double of_run(const RunMeasures& run) {
  return run.*What;
}

using J = JobMeasures;
using D = Distribution;
using R = RunMeasures;

constexpr Measure kMeasures[] = {
    {"jobs", "jobs that ran", Unit::count, true,
     [](const R& run) { return static_cast<double>(run.all.jobs); }},
    {"neverstarted", "jobs that never started", Unit::count, false, of_run<&R::never_started>},
    {"wait.mean", "wait, mean", Unit::seconds, true, of_jobs<&J::wait, &D::mean>},
    {"wait.median", "wait, median", Unit::seconds, true, of_jobs<&J::wait, &D::median>},
    {"wait.p95", "wait, 95 %", Unit::seconds, true, of_jobs<&J::wait, &D::p95>},
    {"wait.p99", "wait, 99 %", Unit::seconds, true, of_jobs<&J::wait, &D::p99>},
    {"wait.worst", "wait, worst", Unit::seconds, true, of_jobs<&J::wait, &D::worst>},
    {"slowdown.mean", "slowdown, mean", Unit::ratio, true, of_jobs<&J::slowdown, &D::mean>},
    {"slowdown.median", "slowdown, median", Unit::ratio, true, of_jobs<&J::slowdown, &D::median>},
    {"slowdown.p95", "slowdown, 95 %", Unit::ratio, true, of_jobs<&J::slowdown, &D::p95>},
    {"slowdown.p99", "slowdown, 99 %", Unit::ratio, true, of_jobs<&J::slowdown, &D::p99>},
    {"slowdown.worst", "slowdown, worst", Unit::ratio, true, of_jobs<&J::slowdown, &D::worst>},
    {"xfactor.mean", "XFactor, mean", Unit::ratio, true, of_jobs<&J::xfactor, &D::mean>},
    {"xfactor.median", "XFactor, median", Unit::ratio, true, of_jobs<&J::xfactor, &D::median>},
    {"xfactor.p95", "XFactor, 95 %", Unit::ratio, true, of_jobs<&J::xfactor, &D::p95>},
    {"xfactor.p99", "XFactor, 99 %", Unit::ratio, true, of_jobs<&J::xfactor, &D::p99>},
    {"xfactor.worst", "XFactor, worst", Unit::ratio, true, of_jobs<&J::xfactor, &D::worst>},
    {"backfilled.jobs", "backfilled jobs", Unit::percent, true, of_all<&J::backfilled_jobs>},
    {"backfilled.prochours", "backfilled proc hours", Unit::percent, true,
     of_all<&J::backfilled_proc_hours>},
    {"prochours", "processor hours", Unit::count, true, of_all<&J::proc_hours>},
    {"utilisation", "utilisation", Unit::percent, false, of_run<&R::utilisation>},
    {"makespan", "first submission to last end", Unit::seconds, false, of_run<&R::makespan>},
    {"queue.mean", "waiting jobs, mean", Unit::ratio, false, of_run<&R::queue_mean>},
    {"queue.worst", "waiting jobs, most", Unit::count, false, of_run<&R::queue_worst>},
    {"fairness", "fairness among users (Jain)", Unit::ratio, false, of_run<&R::fairness>},
};

double per_cent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double mean_slowdown_fairness(const Outcome& outcome) {
  std::map<std::uint32_t, std::pair<double, double>> users;  // sum and count
  for (const JobOutcome& job : outcome.jobs) {
    auto& [sum, count] = users[job.who[CredentialKind::user]];
    sum += bounded_slowdown(job);
    count += 1;
  }
  std::vector<double> means;
  means.reserve(users.size());
  for (const auto& [user, total] : users) means.push_back(total.first / total.second);
  return jain_index(means);
}

/// Returns the most jobs that waited at one time.
double longest_queue(const Outcome& outcome) {
  std::vector<std::pair<Time, int>> steps;
  steps.reserve(2 * outcome.jobs.size());
  for (const JobOutcome& job : outcome.jobs) {
    steps.emplace_back(job.submitted, +1);
    steps.emplace_back(job.started, -1);  // sorts before jobs submitted at that time
  }
  std::sort(steps.begin(), steps.end());
  int waiting = 0, most = 0;
  for (const auto& [when, step] : steps) most = std::max(most, waiting += step);
  return most;
}

}  // namespace

double bounded_slowdown(const JobOutcome& job) {
  const auto run = std::max(kLeastRun, static_cast<double>(job.run.raw()));
  return std::max(1.0, static_cast<double>((job.ended - job.submitted).raw()) / run);
}

double xfactor(const JobOutcome& job) {
  const auto limit = std::max<std::int64_t>(1, job.limit.raw());
  return static_cast<double>((job.ended - job.submitted).raw()) / static_cast<double>(limit);
}

double jain_index(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(values.size()) * squares) : 1;
}

JobMeasures measures_of(std::span<const JobOutcome* const> jobs) {
  JobMeasures result;
  std::vector<double> waits, slowdowns, xfactors;
  for (auto* values : {&waits, &slowdowns, &xfactors}) values->reserve(jobs.size());
  double all = 0, backfilled = 0, backfilled_jobs = 0;
  for (const JobOutcome* job : jobs) {
    waits.push_back(static_cast<double>(job->wait().raw()));
    slowdowns.push_back(bounded_slowdown(*job));
    xfactors.push_back(xfactor(*job));
    all += job->proc_seconds();
    if (!job->backfilled) continue;
    backfilled += job->proc_seconds();
    backfilled_jobs += 1;
  }
  result.jobs = static_cast<std::int64_t>(jobs.size());
  result.proc_hours = all / kHourSeconds;
  result.wait = distribution_of(std::move(waits));
  result.slowdown = distribution_of(std::move(slowdowns));
  result.xfactor = distribution_of(std::move(xfactors));
  result.backfilled_jobs = per_cent(backfilled_jobs, static_cast<double>(jobs.size()));
  result.backfilled_proc_hours = per_cent(backfilled, all);
  return result;
}

RunMeasures measures_of(const Outcome& outcome) {
  RunMeasures run;
  run.never_started = static_cast<double>(outcome.left.size());
  if (outcome.jobs.empty()) return run;
  std::vector<const JobOutcome*> jobs;
  jobs.reserve(outcome.jobs.size());
  Time first = kForever, last{0};
  double waiting = 0;
  for (const JobOutcome& job : outcome.jobs) {
    jobs.push_back(&job);
    first = std::min(first, job.submitted);
    last = std::max(last, job.ended);
    waiting += static_cast<double>((job.started - job.submitted).raw());
  }
  run.all = measures_of(jobs);
  run.makespan = static_cast<double>((last - first).raw());
  run.utilisation = per_cent(run.all.proc_hours * kHourSeconds,
                             static_cast<double>(outcome.procs) * run.makespan);
  run.queue_mean = run.makespan > 0 ? waiting / run.makespan : 0;
  run.queue_worst = longest_queue(outcome);
  run.fairness = mean_slowdown_fairness(outcome);
  return run;
}

std::span<const Measure> measures() { return kMeasures; }

const Measure* find_measure(std::string_view name) {
  for (const Measure& measure : kMeasures)
    if (measure.name == name) return &measure;
  return nullptr;
}

std::string format_measure(double value, Unit unit) {
  switch (unit) {
    case Unit::count:
      return fmt::format("{:.0f}", value);
    case Unit::seconds:
      return format_duration(Seconds(std::llround(value)));
    case Unit::ratio:
      return fmt::format("{:.2f}", value);
    case Unit::percent:
      return fmt::format("{:.1f} %", value);
  }
  return {};
}

std::string format_signed(double value, Unit unit) {
  return (value < 0 ? "-" : "+") + format_measure(std::abs(value), unit);
}

std::string format_change(double value, double base) {
  if (value == base) return "";
  if (base == 0) return "from 0";
  const double percent = 100 * (value - base) / base;
  if (std::abs(percent) >= 1000) return fmt::format("x{:.3g}", value / base);
  return fmt::format("{:+.1f} %", percent);
}

}  // namespace maui::compare
