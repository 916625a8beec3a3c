// Runs of one workload side by side: the basis of tables, expectations and reports.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/expectation.h"
#include "compare/groups.h"
#include "compare/measures.h"
#include "compare/outcome.h"

namespace maui::compare {

struct GroupMeasures {
  std::string name;
  JobMeasures of;
};

/// A run with all that a report shows of it.
struct Run {
  Outcome outcome;
  RunMeasures measures;
  std::vector<std::vector<GroupMeasures>> groups;  // in the order of groupings()
};

/// The values of measures(), in their order, of each run of one resampled workload.
using Resample = std::vector<std::vector<double>>;

struct Comparison {
  std::string workload;   // its name in headings
  std::vector<Run> runs;  // the first run is the base
  SizeClasses classes{PlotSettings{}};
  std::vector<Resample> resamples;
  /// The part of the jobs that may differ in a resampled workload; nullopt if no workload was
  /// resampled.
  std::optional<double> redrawn;
};

/// Measures the outcomes.  Requires at least one outcome.
Comparison compare_outcomes(std::string workload, std::vector<Outcome> outcomes,
                            const PlotSettings& plot);

/// Returns the value of a measure in a run; an error if there is no such group.
Result<double> value_of(const Comparison& comparison, std::size_t run, const MeasureName& name);

/// The result of judging a run by an expectation.
struct Judgement {
  std::string expectation, variant;
  Unit unit = Unit::ratio;
  Expectation::Verdict verdict;
};
struct Judged {
  std::vector<Judgement> judgements;
  std::vector<std::string> impossible;  // why a run cannot be judged by an expectation
};
/// Judges every run but the base (the base if it is the only run) by every expectation.  Unless
/// there is no expectation, or one about jobs that never started, a run with more of these than the
/// base also gets a judgement of its own, "not met".
Judged judge(const Comparison& comparison, const std::vector<Expectation>& expectations);

/// The interval of a measure's change against the base that covers nine of ten resampled
/// workloads.
struct Interval {
  double low = 0, high = 0;  // in the measure's own unit
  /// True if the change cannot be explained by chance alone.
  bool clear() const { return low > 0 || high < 0; }
};
Interval change_interval(const Comparison& comparison, std::size_t run, const Measure& measure);

/// Returns the part of the jobs whose users have jobs in several weeks; all other jobs are the same
/// in every resampled workload.
double redrawn_part(const Outcome& outcome);
/// Returns a note if the intervals say little or nothing about chance; else empty.
std::string resample_note(const Comparison& comparison);

/// Returns the names of finished runs in which every job started and ended as in the base.
std::vector<std::string> same_as_base(const Comparison& comparison);

/// The time from the first submission to the last end of a run.
struct Period {
  Time begin{0}, end{0};
};
Period period_of(const Outcome& outcome);

}  // namespace maui::compare
