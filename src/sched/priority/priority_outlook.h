// The priorities of jobs as functions of time, and when the order of two jobs changes (guide 5.1).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sched/priority/priority_judge.h"

namespace maui {

/// A job's priority at one time.
struct PriorityAtTime {
  double exact = 0;
  std::int64_t priority = 0;
  bool rejected = false;
  bool free = true;      // neither bound has cut off the sum
  double bending = 0;    // the part that may change unevenly; 0 for a straight line
  bool straight = true;  // nothing bends from here on
};

/// A job's lowest and highest priority at both ends of a span while fairshare changes.  For a fixed
/// fairshare value, the priority only rises or only falls in between.
struct PriorityBounds {
  PriorityAtTime low_first, high_first, low_last, high_last;

  double least() const { return std::min(low_first.exact, low_last.exact); }
  double most() const { return std::max(high_first.exact, high_last.exact); }
  double bending(const PriorityAtTime& end) const { return low_first.straight ? 0 : end.bending; }
  double bends_least() const { return std::min(bending(low_first), bending(low_last)); }
  double bends_most() const { return std::max(bending(high_first), bending(high_last)); }
  double rest(const PriorityAtTime& end) const { return end.exact - bending(end); }
  /// Returns the size of the numbers that are added, on which the error of a sum depends.
  double size() const {
    return std::abs(least()) + std::abs(most()) + std::abs(bends_least()) + std::abs(bends_most());
  }
  bool free() const { return low_first.free && high_first.free && low_last.free && high_last.free; }
  /// True if no bound bends the lowest and the highest priority, each a straight line by itself.
  bool keeps_straight() const {
    const auto keeps = [](const PriorityAtTime& first, const PriorityAtTime& last) {
      return (first.free && last.free) || first.exact == last.exact;
    };
    return keeps(low_first, low_last) && keeps(high_first, high_last);
  }
  /// True if the rounded priority is the same throughout.
  bool keeps_points() const {
    const auto points = low_first.priority;
    return high_first.priority == points && low_last.priority == points &&
           high_last.priority == points;
  }
  /// True if the job is always rejected (`rejected`), or never.
  bool keeps_rejection(bool rejected) const {
    return low_first.rejected == rejected && high_first.rejected == rejected &&
           low_last.rejected == rejected && high_last.rejected == rejected;
  }
};

/// A job's priority as a function of time over the span of an outlook.
struct PriorityCurve {
  const Job* job = nullptr;
  Course course = Course::linear;
  bool stalled = false;                 // its queue time stands still (JOBPRIOACCRUALPOLICY)
  PriorityAtTime first, last;           // at both ends of the span
  std::optional<PriorityBounds> whole;  // over the span, if fairshare changes
};

class PriorityOutlook {
 public:
  /// An outlook from `now` until `before`; `ahead` describes how fairshare changes.
  PriorityOutlook(const Cluster& cluster, const Settings& settings, Time now, Time before,
                  const FairshareAhead& ahead);

  PriorityCurve curve(const Job& job, bool stalled);

  /// Returns the first time at which `a` starts or stops being above `b` (with `strictly`; else at
  /// or above it); `before` if that does not happen earlier.
  Time flip(const PriorityCurve& a, const PriorityCurve& b, bool strictly, Time before);

  /// Returns the first time at which a job starts or stops being rejected (REJECTNEGPRIOJOBS);
  /// `before` if that does not happen earlier.
  Time rejection(const PriorityCurve& curve, Time before);

  /// Returns how many priorities have been computed.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  PriorityAtTime at(const PriorityCurve& curve, Time when);
  PriorityBounds bounds(const PriorityCurve& curve, Time from, Time to);
  PriorityAtTime evaluate(const PriorityCurve& curve, Time when, const PriorityJudge::Span& span);
  bool stays_between(const PriorityBounds& a, const PriorityBounds& b, bool linear, bool above,
                     bool strictly) const;

  PriorityJudge judge_;
  Time now_, before_;
  bool moves_;  // fairshare changes
  bool exact_;  // unrounded priorities count
  bool bounded_below_;
  std::int64_t evaluations_ = 0;
};

}  // namespace maui
