#include "sched/priority/priority_outlook.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maui {
namespace {

using C = Component;

// True if the jobs have waited equally long, belong to the same and have equal priorities now and
// at the end.
bool look_alike(const PriorityCurve& a, const PriorityCurve& b) {
  const Job &job_a = *a.job, &job_b = *b.job;
  return job_a.queued == job_b.queued && job_a.credentials == job_b.credentials &&
         job_a.waiting() && job_b.waiting() && a.stalled == b.stalled &&
         a.first.exact == b.first.exact && a.last.exact == b.last.exact;
}

bool same_parts(const PriorityBreakdown& a, const PriorityBreakdown& b) {
  return a.weighted == b.weighted && a.contribution == b.contribution && a.passed == b.passed;
}

bool placed_by_hand(const Job& job) {
  return job.system_priority.absolute && job.system_priority.value != 0;
}

// Returns the first time after `now` and before `before` at which `changed` is true.  Takes the
// longest steps over which the state `stays` as at their beginning, found by halving.
template <class Look, class Changed, class Stays>
Time walk(Time now, Time before, Look look, Changed changed, Stays stays) {
  Time at = now;
  auto here = look(at);
  std::int64_t step = (before - now).raw() / 2;
  while (at + Seconds(1) < before) {
    step = std::clamp<std::int64_t>(step, 1, (before - at).raw() - 1);
    auto there = look(at + Seconds(step));
    if (step == 1 && changed(there)) return at + Seconds(1);
    if (step > 1 && (changed(there) || !stays(here, there))) {
      step /= 2;
      continue;
    }
    at = at + Seconds(step);
    here = std::move(there);
    step *= 2;
  }
  return before;
}

}  // namespace

PriorityOutlook::PriorityOutlook(const Cluster& cluster, const Settings& settings, Time now,
                                 Time before, const FairshareAhead& ahead)
    : judge_(cluster, settings, now),
      range_(judge_.range()),
      now_(now),
      before_(before),
      exact_(settings.learning.orders_queue()) {
  if (ahead.changes()) judge_.follow(ahead);
}

PriorityCurve PriorityOutlook::curve(const Job& job, bool stalled) {
  PriorityCurve made{&job, before_, stalled, {}, {}, {}};
  const PriorityBreakdown first = look(made, now_), last = look(made, before_);
  made.first = at_time(first);
  made.last = at_time(last);
  made.whole = span(job, first, last);
  return made;
}

Time PriorityOutlook::flip(const PriorityCurve& a, const PriorityCurve& b, bool strictly,
                           Time before) {
  const auto is_above = [&](const PriorityAtTime& mine, const PriorityAtTime& its) {
    return strictly ? mine.rank > its.rank : mine.rank >= its.rank;
  };
  const bool above = is_above(a.first, b.first);
  const bool same_fairshare = judge_.share_fairshare(*a.job, *b.job);
  // True if the relation of the jobs, which is this one at both ends of a span, cannot change in
  // it.
  const auto keeps = [&](const PrioritySpan& mine, const PrioritySpan& its) {
    if (keeps_rank(mine) && keeps_rank(its)) return true;
    return is_clear(difference(mine, its, same_fairshare), 1 + mine.size + its.size, above,
                    strictly);
  };
  if (is_above(a.last, b.last) == above && keeps(a.whole, b.whole)) return before;
  if (look_alike(a, b) &&
      (a.job->request == b.job->request || (same_parts(look(a, now_), look(b, now_)) &&
                                            same_parts(look(a, before_), look(b, before_)))))
    return before;
  struct Pair {
    PriorityBreakdown a, b;
  };
  const auto look_at = [&](Time when) { return Pair{look(a, when), look(b, when)}; };
  const auto flipped = [&](const Pair& pair) {
    return is_above(at_time(pair.a), at_time(pair.b)) != above;
  };
  const auto stays = [&](const Pair& from, const Pair& to) {
    return keeps(span(*a.job, from.a, to.a), span(*b.job, from.b, to.b));
  };
  return walk(now_, before, look_at, flipped, stays);
}

Time PriorityOutlook::rejection(const PriorityCurve& curve, Time before) {
  if (placed_by_hand(*curve.job)) return before;
  const bool first = curve.first.rejected;
  const auto keeps = [](const PrioritySpan& span) {
    const PriorityBounds sum = span.sum();
    return PriorityRange::below_zero(sum.least) == PriorityRange::below_zero(sum.most);
  };
  if (curve.last.rejected == first && keeps(curve.whole)) return before;
  const auto look_at = [&](Time when) { return look(curve, when); };
  const auto changed = [&](const PriorityBreakdown& seen) { return seen.rejected != first; };
  const auto stays = [&](const PriorityBreakdown& from, const PriorityBreakdown& to) {
    return keeps(span(*curve.job, from, to));
  };
  return walk(now_, before, look_at, changed, stays);
}

// While a job's queue time stands still, fairshare moves on.
PriorityBreakdown PriorityOutlook::look(const PriorityCurve& curve, Time when) {
  judge_.look_at(curve.stalled ? now_ : when, when);
  ++evaluations_;
  return judge_.breakdown(*curve.job);
}

PriorityAtTime PriorityOutlook::at_time(const PriorityBreakdown& found) const {
  return {found.bounded, exact_ ? rank_of(found.bounded) : found.priority, found.rejected};
}

// Where the same bends lie behind, service and use are straight.
PrioritySpan PriorityOutlook::span(const Job& job, const PriorityBreakdown& first,
                                   const PriorityBreakdown& last) const {
  PrioritySpan made;
  made.placed_by_hand = placed_by_hand(job);
  if (made.placed_by_hand) {
    made.first = made.last = first.bounded;
    return made;
  }
  const bool straight = first.passed == last.passed;
  const bool targets_ahead = (first.passed & kTargetsReached) == 0;
  made.first = made.last = static_cast<double>(job.system_priority.value);
  for (const ComponentInfo& info : components()) {
    const double begin = first.contribution[index_of(info.component)];
    const double end = last.contribution[index_of(info.component)];
    made.size += std::abs(begin) + std::abs(end);
    if (info.component == C::fairshare) {
      made.fairshare = bounds_of(info.component, job, first, last);
    } else if (straight && !(info.component == C::target && targets_ahead)) {
      made.first += begin;
      made.last += end;
    } else {
      made.rest = made.rest + bounds_of(info.component, job, first, last);
    }
  }
  for (std::size_t i = 0; i < kSubcomponents; ++i)
    made.size += std::abs(first.weighted[i]) + std::abs(last.weighted[i]);
  return made;
}

// Each subcomponent only rises or only falls.
PriorityBounds PriorityOutlook::bounds_of(Component component, const Job& job,
                                          const PriorityBreakdown& first,
                                          const PriorityBreakdown& last) const {
  PriorityBounds sum;
  for (const SubcomponentInfo& info : subcomponents()) {
    if (info.component != component) continue;
    const double begin = first.weighted[index_of(info.subcomponent)];
    const double end = last.weighted[index_of(info.subcomponent)];
    sum = sum + PriorityBounds{std::min(begin, end), std::max(begin, end)};
  }
  const double one = judge_.contribution_of_sum(component, sum.least, job);
  const double other = judge_.contribution_of_sum(component, sum.most, job);
  return {std::min(one, other), std::max(one, other)};
}

PriorityBounds PriorityOutlook::bounded(const PrioritySpan& span) const {
  const PriorityBounds sum = span.sum();
  if (span.placed_by_hand) return sum;
  return {range_.within(sum.least), range_.within(sum.most)};
}

bool PriorityOutlook::keeps_rank(const PrioritySpan& span) const {
  const auto [least, most] = bounded(span);
  return exact_ ? least == most : whole(least) == whole(most);
}

// Where no bound of priorities cuts off the sums, the difference of two lines is a line.
PriorityBounds PriorityOutlook::difference(const PrioritySpan& a, const PrioritySpan& b,
                                           bool same_fairshare) const {
  const auto free = [&](const PrioritySpan& span) {
    const PriorityBounds sum = span.sum(), found = bounded(span);
    return found.least == sum.least && found.most == sum.most;
  };
  if (!free(a) || !free(b)) return bounded(a) - bounded(b);
  const auto [first, last] = std::minmax({a.first - b.first, a.last - b.last});
  const PriorityBounds lines{first, last};
  return lines + (a.rest - b.rest) +
         (same_fairshare ? PriorityBounds{} : a.fairshare - b.fairshare);
}

// True if neither rounding nor the error of the sums can change whether a job is above another,
// given this difference of their priorities.  Whole priorities do not depend on that error, so a
// difference of a point may fall short of it; those that are not rounded must differ by more.
bool PriorityOutlook::is_clear(const PriorityBounds& difference, double size, bool above,
                               bool strictly) const {
  if (exact_) {
    const double least = 1e-12 * size;
    return above ? difference.least >= least : difference.most <= -least;
  }
  const double error = 1e-15 * size;
  if (above) return difference.least >= (strictly ? 1 : 0) - error;
  return difference.most <= (strictly ? 0 : -1) + error;
}

}  // namespace maui
