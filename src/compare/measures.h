// The measures of a run (guide 9; docs/manual/compare.md says what each means).
//
// Wait: all of a job's time in the system that it did not run.  Bounded slowdown: time in the
// system over run time, which counts as 10 seconds at least.  Expansion factor (XFactor): time in
// the system over wallclock limit, as showstats has it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/distribution.h"
#include "compare/outcome.h"

namespace maui::compare {

double bounded_slowdown(const JobOutcome& job);
double xfactor(const JobOutcome& job);

/// Measures of any set of jobs.
struct JobMeasures {
  std::int64_t jobs = 0;
  double proc_hours = 0;
  Distribution wait, slowdown, xfactor;                   // wait: seconds
  double backfilled_jobs = 0, backfilled_proc_hours = 0;  // per cent
};
JobMeasures measures_of(std::span<const JobOutcome* const> jobs);

/// Measures of a whole run besides.
struct RunMeasures {
  JobMeasures all;
  double utilisation = 0;  // per cent of the processors, from the first submission to the last end
  double makespan = 0;     // seconds between these
  double queue_mean = 0, queue_worst = 0;  // waiting jobs
  double fairness = 1;  // Jain's index of the users' mean bounded slowdowns: 1 is equal for all
  double never_started = 0;  // jobs
};
RunMeasures measures_of(const Outcome& outcome);

/// (sum x)^2 / (n * sum x^2): 1 where all are equal, 1/n where one has everything.
double jain_index(std::span<const double> values);

enum class Unit : std::uint8_t { count, seconds, ratio, percent };

/// A measure by its name: what tables show and expressions name.
struct Measure {
  std::string_view name, title;
  Unit unit;
  bool of_jobs;  // it can be asked of a group of jobs: RunMeasures::all alone counts
  double (*of)(const RunMeasures&);
};
std::span<const Measure> measures();
/// Nothing where no measure has the name.
const Measure* find_measure(std::string_view name);

/// "1:23:45" or "2:01:23:45", "12.34", "87.6 %", "1234".
std::string format_measure(double value, Unit unit);
/// The same of a difference, with its sign.
std::string format_signed(double value, Unit unit);
/// "+12.3 %" where that is what has changed, "x25" where it is much; empty for no change.
std::string format_change(double value, double base);

}  // namespace maui::compare
