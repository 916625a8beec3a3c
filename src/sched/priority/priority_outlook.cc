#include "sched/priority/priority_outlook.h"

namespace maui {
namespace {

// The priorities of two jobs, a and b, at one time.
struct Pair {
  PriorityAtTime a, b;
  Time when{0};

  bool above(bool strictly) const {
    return strictly ? a.priority > b.priority : a.priority >= b.priority;
  }
};

// True if rounding cannot change whether a job is above another, given this difference.
bool clear(double difference, bool above, bool strictly) {
  if (above) return difference >= (strictly ? 1 : 0);
  return difference <= (strictly ? 0 : -1);
}

// The same check for unrounded priorities: only the error of the arithmetic counts.
constexpr double kArithmetic = 1e-6;
bool clear_exactly(double a, double b, bool above) {
  const double least = kArithmetic * (1 + std::abs(a) + std::abs(b));
  return above ? a - b >= least : b - a >= least;
}

// True if the priorities of the jobs are equal at all times.
bool alike(const PriorityCurve& a, const PriorityCurve& b) {
  const Job &job_a = *a.job, &job_b = *b.job;
  return job_a.queued == job_b.queued && job_a.request == job_b.request &&
         job_a.credentials == job_b.credentials && job_a.waiting() && job_b.waiting() &&
         a.stalled == b.stalled && a.first.exact == b.first.exact && a.last.exact == b.last.exact;
}

// Two straight lines cross once, but the arithmetic cannot tell the exact second.
Time shortly_before_crossing(const Pair& first, const Pair& last) {
  const double begin = first.a.exact - first.b.exact;
  const double end = last.a.exact - last.b.exact;
  if (begin == 0 || (begin < 0) == (end < 0)) return first.when;
  const double rate = (begin - end) / static_cast<double>((last.when - first.when).raw());
  const double unclear = kArithmetic * (1 + 2 * std::abs(last.a.exact)) / std::abs(rate);
  const double seconds = begin / rate - 2 * unclear - 2;
  return first.when + Seconds(static_cast<std::int64_t>(std::max(0.0, seconds)));
}

// Returns the first time after `at` and before `before` at which `changed` is true.  Takes the
// longest steps over which the state `stays` as in `here`, found by halving.
template <class Seen, class Look, class Changed, class Stays>
Time walk(Seen here, Time at, std::int64_t step, Time before, Look look, Changed changed,
          Stays stays) {
  while (at + Seconds(1) < before) {
    step = std::clamp<std::int64_t>(step, 1, (before - at).raw() - 1);
    const auto there = look(at + Seconds(step));
    if (step == 1 && changed(there)) return at + Seconds(1);
    if (step > 1 && !stays(here, there)) {
      step /= 2;
      continue;
    }
    at = at + Seconds(step);
    here = there;
    step *= 2;
  }
  return before;
}

}  // namespace

PriorityOutlook::PriorityOutlook(const Cluster& cluster, const Settings& settings, Time now,
                                 Time before, const FairshareAhead& ahead)
    : judge_(cluster, settings, now),
      now_(now),
      before_(before),
      moves_(ahead.changes()),
      exact_(settings.learning.orders_queue()),
      bounded_below_(!settings.priority.allow_negative) {
  if (moves_) judge_.follow(ahead);
}

PriorityCurve PriorityOutlook::curve(const Job& job, bool stalled) {
  PriorityCurve made{&job, stalled ? Course::linear : judge_.course(job, before_), stalled, {}, {},
                     {}};
  made.first = at(made, now_);
  made.last = at(made, before_);
  if (moves_) made.whole = bounds(made, now_, before_);
  return made;
}

Time PriorityOutlook::flip(const PriorityCurve& a, const PriorityCurve& b, bool strictly,
                           Time before) {
  const bool linear = a.course == Course::linear && b.course == Course::linear;
  const bool steady = a.course != Course::other && b.course != Course::other;
  const Pair first{a.first, b.first, now_}, last{a.last, b.last, before_};
  const bool above = first.above(strictly);
  // True if the relation of the jobs cannot change between these two times.
  const auto stays = [&](const Pair& from, const Pair& to) {
    if (to.above(strictly) != above || !steady) return false;
    return moves_ ? stays_between(bounds(a, from.when, to.when), bounds(b, from.when, to.when),
                                  linear, above, strictly)
                  : stays_between({from.a, from.a, to.a, to.a}, {from.b, from.b, to.b, to.b},
                                  linear, above, strictly);
  };
  if (alike(a, b) || stays(first, last)) return before;
  const auto look = [&](Time when) { return Pair{at(a, when), at(b, when), when}; };
  const auto flipped = [&](const Pair& pair) { return pair.above(strictly) != above; };
  if (exact_ && linear && !moves_)  // only a guess where a bound bends a line
    if (const Time near = shortly_before_crossing(first, last); near > now_ && near < before)
      if (const Pair there = look(near); stays(first, there))
        return walk(there, near, 1, before, look, flipped, stays);
  return walk(first, now_, (before - now_).raw() / 2, before, look, flipped, stays);
}

Time PriorityOutlook::rejection(const PriorityCurve& curve, Time before) {
  struct Seen {
    bool rejected = false;
    Time when{0};
  };
  const bool first = curve.first.rejected;
  const auto look = [&](Time when) { return Seen{at(curve, when).rejected, when}; };
  const auto changed = [&](const Seen& seen) { return seen.rejected != first; };
  const auto stays = [&](const Seen& from, const Seen& to) {
    if (curve.course == Course::other || to.rejected != first) return false;
    return !moves_ || bounds(curve, from.when, to.when).keeps_rejection(first);
  };
  const Seen begin{first, now_};
  if (stays(begin, {curve.last.rejected, before_})) return before;
  return walk(begin, now_, (before - now_).raw() / 2, before, look, changed, stays);
}

// Evaluates both ends with the lowest and the highest fairshare of the span: for a fixed fairshare
// value, the priority only rises or only falls.
PriorityBounds PriorityOutlook::bounds(const PriorityCurve& curve, Time from, Time to) {
  if (curve.whole && from == now_ && to == before_) return *curve.whole;
  const auto value = [&](Time when, bool highest) {
    return evaluate(curve, when, {from, to, highest});
  };
  return {value(from, false), value(from, true), value(to, false), value(to, true)};
}

// A straight part lies between its ends, and so does a bending part, which only rises or only
// falls.  `linear`: both priorities are straight lines where no bound bends them.
bool PriorityOutlook::stays_between(const PriorityBounds& a, const PriorityBounds& b, bool linear,
                                    bool above, bool strictly) const {
  if (a.keeps_points() && b.keeps_points()) return true;
  if (linear && a.keeps_straight() && b.keeps_straight()) {
    const auto differ = [&](const PriorityAtTime& mine, const PriorityAtTime& its) {
      return exact_ && !moves_ ? clear_exactly(mine.exact, its.exact, above)
                               : clear(mine.exact - its.exact, above, strictly);
    };
    return above ? differ(a.low_first, b.high_first) && differ(a.low_last, b.high_last)
                 : differ(a.high_first, b.low_first) && differ(a.high_last, b.low_last);
  }
  double least = a.least() - b.most();
  double most = a.most() - b.least();
  if (a.free() && b.free()) {
    least = a.bends_least() - b.bends_most() +
            std::min(a.rest(a.low_first) - b.rest(b.high_first),
                     a.rest(a.low_last) - b.rest(b.high_last));
    most = a.bends_most() - b.bends_least() +
           std::max(a.rest(a.high_first) - b.rest(b.low_first),
                    a.rest(a.high_last) - b.rest(b.low_last));
  }
  const double size = 1 + a.size() + b.size();
  if (exact_) return above ? least >= kArithmetic * size : most <= -kArithmetic * size;
  constexpr double kDigits = 1e-12;  // relative error of the differences of sums
  return clear(above ? least - kDigits * size : most + kDigits * size, above, strictly);
}

PriorityAtTime PriorityOutlook::at(const PriorityCurve& curve, Time when) {
  return evaluate(curve, when, {when, when, false});
}

PriorityAtTime PriorityOutlook::evaluate(const PriorityCurve& curve, Time when,
                                         const PriorityJudge::Span& span) {
  judge_.look_at(curve.stalled ? now_ : when, span);
  const PriorityBreakdown found = judge_.breakdown(*curve.job);
  ++evaluations_;
  PriorityAtTime made{found.bounded, exact_ ? rank_of(found.bounded) : found.priority,
                      found.rejected};
  made.free =
      found.bounded < static_cast<double>(kMaxPriority) && (found.bounded > 0 || !bounded_below_);
  if (curve.course == Course::linear) return made;
  made.bending = judge_.bending_part(found, *curve.job);
  made.straight = judge_.bends_no_more(*curve.job);
  return made;
}

}  // namespace maui
