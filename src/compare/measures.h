// The measures of a run (guide 9; docs/manual/compare.md defines them).
//
// Wait: the time in the system during which a job did not run.  Bounded slowdown: time in the
// system over run time, which counts as at least 10 seconds.  Expansion factor (XFactor): time in
// the system over wallclock limit, as in showstats.
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

/// Measures of a whole run, of which `all` covers its jobs.
struct RunMeasures {
  JobMeasures all;
  double utilisation = 0;                  // per cent of the processors over the makespan
  double makespan = 0;                     // seconds from the first submission to the last end
  double queue_mean = 0, queue_worst = 0;  // waiting jobs
  double fairness = 1;       // Jain's index of the users' mean bounded slowdowns; 1: equal
  double never_started = 0;  // jobs
};
RunMeasures measures_of(const Outcome& outcome);

/// Returns (sum x)^2 / (n * sum x^2): 1 if all are equal, 1/n if one value has the whole sum.
double jain_index(std::span<const double> values);

enum class Unit : std::uint8_t { count, seconds, ratio, percent };

/// A named measure, which tables show and expressions use.
struct Measure {
  std::string_view name, title;
  Unit unit;
  bool of_jobs;  // applies to groups of jobs: `of` uses RunMeasures::all only
  double (*of)(const RunMeasures&);
};
std::span<const Measure> measures();
/// Returns nullptr if there is no such measure.
const Measure* find_measure(std::string_view name);

/// Returns "1:23:45" or "2:01:23:45", "12.34", "87.6 %", "1234".
std::string format_measure(double value, Unit unit);
/// Formats a difference in the same way, with its sign.
std::string format_signed(double value, Unit unit);
/// Returns a change such as "+12.3 %", or "x25" if it is large; empty if there is none.
std::string format_change(double value, double base);

}  // namespace maui::compare
