// Runs of one workload side by side: what tables, expectations and reports are made of.
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

/// A run with all that is shown of it.
struct Run {
  Outcome outcome;
  RunMeasures measures;
  std::vector<std::vector<GroupMeasures>> groups;  // in the order of groupings()
};

/// The values of measures(), in their order, of each run of one resampled workload.
using Resample = std::vector<std::vector<double>>;

struct Comparison {
  std::string workload;   // as it is called in headings
  std::vector<Run> runs;  // the first is the base
  SizeClasses classes{PlotSettings{}};
  std::vector<Resample> resamples;
  /// Part of the jobs that may fall otherwise in a resampled workload; nothing where none were
  /// drawn.
  std::optional<double> redrawn;
};

/// Measures what the outcomes tell.  Requires one at least.
Comparison compare_outcomes(std::string workload, std::vector<Outcome> outcomes,
                            const PlotSettings& plot);

/// The value of a measure in a run; an error where there is no such group.
Result<double> value_of(const Comparison& comparison, std::size_t run, const MeasureName& name);

/// The judgement of a run by an expectation.
struct Judgement {
  std::string expectation, variant;
  Unit unit = Unit::ratio;
  Expectation::Verdict verdict;
};
/// Every expectation about every run but the base; about the base where there is no other.  Where
/// none is about jobs that never started, it is not met that there are more of them than in the
/// base.
Result<std::vector<Judgement>> judge(const Comparison& comparison,
                                     const std::vector<Expectation>& expectations);

/// The interval in which nine of ten resampled workloads put the change of a measure against the
/// base.
struct Interval {
  double low = 0, high = 0;  // in the measure's own unit
  /// Chance alone does not explain it.
  bool clear() const { return low > 0 || high < 0; }
};
Interval change_interval(const Comparison& comparison, std::size_t run, const Measure& measure);

/// The part of the jobs whose users have jobs in several weeks: the others are the same in every
/// resampled workload.
double redrawn_part(const Outcome& outcome);
/// Says where the intervals tell too little, or nothing, of what may be chance; else empty.
std::string resample_note(const Comparison& comparison);

/// The names of finished runs that are the base's: every job started and ended when it did there.
std::vector<std::string> same_as_base(const Comparison& comparison);

/// From the first submission to the last end of a run.
struct Period {
  Time begin{0}, end{0};
};
Period period_of(const Outcome& outcome);

}  // namespace maui::compare
