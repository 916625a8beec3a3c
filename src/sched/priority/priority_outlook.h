// The priorities of jobs as functions of time, and when the order of two jobs changes (guide 5.1).
//
// Between its bends a priority is a straight line, except for fairshare and for targets that are
// still ahead: each part of these only rises or only falls.  Its values at both ends of a span are
// therefore the bounds between which it stays.
#pragma once
#include <algorithm>
#include <cstdint>

#include "sched/priority/priority_judge.h"

namespace maui {

/// A job's priority at one time.
struct PriorityAtTime {
  double exact = 0;
  std::int64_t rank = 0;  // orders jobs: the whole priority, or the exact one
  bool rejected = false;
};

/// The least and the greatest value of a part of a priority during a span of time.
struct PriorityBounds {
  double least = 0, most = 0;

  friend PriorityBounds operator+(const PriorityBounds& a, const PriorityBounds& b) {
    return {a.least + b.least, a.most + b.most};
  }
  friend PriorityBounds operator-(const PriorityBounds& a, const PriorityBounds& b) {
    return {a.least - b.most, a.most - b.least};
  }
};

/// A job's priority during a span of time: a straight line, fairshare and the rest.
struct PrioritySpan {
  double first = 0, last = 0;  // the line at both ends
  PriorityBounds fairshare, rest;
  double size = 0;              // of the numbers that are added: the error of the sum depends on it
  bool placed_by_hand = false;  // the bounds of priorities do not apply

  PriorityBounds sum() const {
    return PriorityBounds{std::min(first, last), std::max(first, last)} + fairshare + rest;
  }
};

/// A job's priority as a function of time over the span of an outlook.
struct PriorityCurve {
  const Job* job = nullptr;
  Time end{0};                 // of the span
  bool stalled = false;        // its queue time stands still (JOBPRIOACCRUALPOLICY)
  PriorityAtTime first, last;  // at both ends of the span
  PrioritySpan whole;
};

class PriorityOutlook {
 public:
  /// An outlook from `now` until `before`; `ahead` describes how fairshare changes.
  PriorityOutlook(const Cluster& cluster, const Settings& settings, Time now, Time before,
                  const FairshareAhead& ahead);

  PriorityCurve curve(const Job& job, bool stalled);
  /// Lets the outlook end earlier, and the curves that are made from then on: over a shorter span,
  /// fewer priorities must be examined more closely.
  void end_at(Time before) { before_ = before; }
  /// True if the curve ends where the outlook does.
  bool is_up_to_date(const PriorityCurve& curve) const {
    return curve.job != nullptr && curve.end == before_;
  }

  /// Returns the first time at which `a` starts or stops being above `b` (with `strictly`; else at
  /// or above it); `before` if that does not happen earlier.  Requires curves that are up to date.
  Time flip(const PriorityCurve& a, const PriorityCurve& b, bool strictly, Time before);

  /// Returns the first time at which a job starts or stops being rejected (REJECTNEGPRIOJOBS);
  /// `before` if that does not happen earlier.
  Time rejection(const PriorityCurve& curve, Time before);

  /// Returns how many priorities have been computed.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  PriorityBreakdown look(const PriorityCurve& curve, Time when);
  PriorityAtTime at_time(const PriorityBreakdown& found) const;
  PrioritySpan span(const Job& job, const PriorityBreakdown& first,
                    const PriorityBreakdown& last) const;
  PriorityBounds bounds_of(Component component, const Job& job, const PriorityBreakdown& first,
                           const PriorityBreakdown& last) const;
  PriorityBounds bounded(const PrioritySpan& span) const;
  bool keeps_rank(const PrioritySpan& span) const;
  PriorityBounds difference(const PrioritySpan& a, const PrioritySpan& b,
                            bool same_fairshare) const;
  bool is_clear(const PriorityBounds& difference, double size, bool above, bool strictly) const;

  PriorityJudge judge_;
  PriorityRange range_;
  Time now_, before_;
  bool exact_;  // unrounded priorities count
  std::int64_t evaluations_ = 0;
};

}  // namespace maui
