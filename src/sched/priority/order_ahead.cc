#include "sched/priority/order_ahead.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

#include "sched/limits/limit_rules.h"
#include "sched/priority/priority.h"
#include "sched/priority/priority_judge.h"
#include "sched/reservations/owner_preemption.h"
#include "sched/reservations/standing.h"
#include "sched/rules/chunks.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

using S = Subcomponent;

struct Value {
  double exact = 0;
  std::int64_t priority = 0;
  bool rejected = false;
  bool free = true;      // neither bound has cut off the sum
  double bending = 0;    // the part that may change unevenly; 0 for a straight line
  bool straight = true;  // nothing bends from here on
};

// The lowest and highest priority at both ends of a span while fairshare changes.  For a fixed
// fairshare value, the priority only rises or only falls in between.
struct Bounds {
  Value low_first, high_first, low_last, high_last;
  double least() const { return std::min(low_first.exact, low_last.exact); }
  double most() const { return std::max(high_first.exact, high_last.exact); }
  double bending(const Value& end) const { return low_first.straight ? 0 : end.bending; }
  double bends_least() const { return std::min(bending(low_first), bending(low_last)); }
  double bends_most() const { return std::max(bending(high_first), bending(high_last)); }
  double rest(const Value& end) const { return end.exact - bending(end); }
  // Returns the size of the numbers that are added, on which the error of a sum depends.
  double size() const {
    return std::abs(least()) + std::abs(most()) + std::abs(bends_least()) + std::abs(bends_most());
  }
  bool free() const { return low_first.free && high_first.free && low_last.free && high_last.free; }
  // True if no bound bends the lowest and the highest priority, each a straight line by itself.
  bool keeps_straight() const {
    const auto keeps = [](const Value& first, const Value& last) {
      return (first.free && last.free) || first.exact == last.exact;
    };
    return keeps(low_first, low_last) && keeps(high_first, high_last);
  }
  bool keeps_points() const {
    const auto points = low_first.priority;
    return high_first.priority == points && low_last.priority == points &&
           high_last.priority == points;
  }
};

// A job's priority as a function of time.
struct Line {
  const Job* job = nullptr;
  Course course = Course::linear;
  bool stalled = false;         // its queue time stands still (JOBPRIOACCRUALPOLICY)
  Value first, last;            // at now_ and at before_
  std::optional<Bounds> whole;  // over the span between them, if fairshare changes
};

// The priorities of two jobs, a and b, at one time.
struct Pair {
  Value a, b;
  Time when{0};

  bool above(bool strictly) const {
    return strictly ? a.priority > b.priority : a.priority >= b.priority;
  }
};

// Returns an integer that orders like the unrounded priority.
std::int64_t rank_of(double exact) {
  const auto bits = std::bit_cast<std::int64_t>(exact + 0.0);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

// True if rounding cannot change whether one is above the other, given this difference.
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

class Outlook {
 public:
  Outlook(const Cluster& cluster, const Settings& settings, Time now, Time before,
          const FairshareAhead& ahead)
      : judge_(cluster, settings, now),
        now_(now),
        before_(before),
        moves_(ahead.moves()),
        exact_(settings.learning.orders_queue()),
        bounded_below_(!settings.priority.allow_negative) {
    if (moves_) judge_.go_on(ahead);
  }

  Line line(const Job& job, bool stalled) {
    Line made{&job, stalled ? Course::linear : judge_.course(job, before_), stalled, {}, {}, {}};
    made.first = at(made, now_);
    made.last = at(made, before_);
    if (moves_) made.whole = bounds(made, now_, before_);
    return made;
  }

  /// Returns the first time at which `a` starts or stops being above `b` (with `strictly`; else at
  /// or above it); `before` if that does not happen earlier.
  Time flip(const Line& a, const Line& b, bool strictly, Time before) {
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

  /// Returns the first time at which a job starts or stops being rejected.
  Time rejection(const Line& line, Time before) {
    struct Seen {
      bool rejected = false;
      Time when{0};
    };
    const bool first = line.first.rejected;
    const auto look = [&](Time when) { return Seen{at(line, when).rejected, when}; };
    const auto changed = [&](const Seen& seen) { return seen.rejected != first; };
    const auto stays = [&](const Seen& from, const Seen& to) {
      if (line.course == Course::other || to.rejected != first) return false;
      if (!moves_) return true;
      const Bounds all = bounds(line, from.when, to.when);
      return all.low_first.rejected == first && all.high_first.rejected == first &&
             all.low_last.rejected == first && all.high_last.rejected == first;
    };
    const Seen begin{first, now_};
    if (stays(begin, {line.last.rejected, before_})) return before;
    return walk(begin, now_, (before - now_).raw() / 2, before, look, changed, stays);
  }

  std::int64_t evaluations() const { return evaluations_; }

 private:
  // Evaluates both ends with the lowest and the highest fairshare of the span: for a fixed
  // fairshare value, the priority only rises or only falls.
  Bounds bounds(const Line& line, Time from, Time to) {
    if (line.whole && from == now_ && to == before_) return *line.whole;
    const auto value = [&](Time when, bool highest) {
      judge_.look_at(line.stalled ? now_ : when, {from, to, highest});
      return value_of(line, judge_.breakdown(*line.job));
    };
    return {value(from, false), value(from, true), value(to, false), value(to, true)};
  }

  // True if the priorities of the jobs are equal at all times.
  bool alike(const Line& a, const Line& b) const {
    const Job &job_a = *a.job, &job_b = *b.job;
    return job_a.queued == job_b.queued && job_a.request == job_b.request &&
           job_a.credentials == job_b.credentials && job_a.waiting() && job_b.waiting() &&
           a.stalled == b.stalled && a.first.exact == b.first.exact && a.last.exact == b.last.exact;
  }

  // A straight part lies between its ends, and so does a bending part, which only rises or only
  // falls.  `linear`: both lines are straight where no bound bends them.
  bool stays_between(const Bounds& a, const Bounds& b, bool linear, bool above,
                     bool strictly) const {
    if (a.keeps_points() && b.keeps_points()) return true;
    if (linear && a.keeps_straight() && b.keeps_straight()) {
      const auto differ = [&](const Value& mine, const Value& its) {
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

  Value at(const Line& line, Time when) {
    judge_.look_at(line.stalled ? now_ : when, {when, when, false});
    return value_of(line, judge_.breakdown(*line.job));
  }

  Value value_of(const Line& line, const PriorityBreakdown& found) {
    ++evaluations_;
    Value made{found.bounded, exact_ ? rank_of(found.bounded) : found.priority, found.rejected};
    made.free =
        found.bounded < static_cast<double>(kMaxPriority) && (found.bounded > 0 || !bounded_below_);
    if (line.course == Course::linear) return made;
    made.bending = judge_.bending_part(found, *line.job);
    made.straight = judge_.bends_no_more(*line.job);
    return made;
  }

  // Two straight lines cross once, but the arithmetic cannot tell the exact second.
  static Time shortly_before_crossing(const Pair& first, const Pair& last) {
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

  PriorityJudge judge_;
  Time now_, before_;
  bool moves_;  // fairshare changes
  bool exact_;  // unrounded priorities count
  bool bounded_below_;
  std::int64_t evaluations_ = 0;
};

// True if a waiting job's priority grows, and not all of them grow alike in all that counts.
bool moves(const Cluster& cluster, const Settings& settings, const FairshareAhead& ahead) {
  bool grows = false, differs = !settings.partition_weights.empty();
  for (const auto& info : subcomponents()) {
    if (!counts(settings, info)) continue;
    const bool time = info.component == Component::target || info.component == Component::usage ||
                      info.subcomponent == S::xfactor || info.subcomponent == S::queue_time ||
                      (info.component == Component::fairshare && ahead.moves());
    grows = grows || time;
    differs = differs || info.subcomponent != S::queue_time;
  }
  if (!grows) return false;
  const auto& p = settings.priority;
  if (differs || qos_adds_weight(settings, S::queue_time) || p.service.weight < 0 ||
      p.queue_time.weight < 0 || p.reject_negative)
    return true;
  // Only the time in the queue and system priorities count.
  return cluster.counts().special_waiting > 0 &&
         std::any_of(cluster.waiting().begin(), cluster.waiting().end(), [&](const Waiting& line) {
           return line.special && cluster.job(line.job).system_priority.value != 0;
         });
}

class Order {
 public:
  Order(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now, Time before,
        const FairshareAhead& ahead)
      : cluster_(cluster),
        settings_(settings),
        plan_(plan),
        ahead_(ahead),
        flags_(cluster, settings),
        now_(now),
        next_(before),
        stalled_(cluster, plan) {}

  Time next() {
    const bool preemption = preemption_possible();
    const bool all = preemption || all_matters();
    if (!all && !could_start()) return next_;
    line_up();
    queue(all ? order_.size() : decided_by());
    if (settings_.priority.reject_negative) rejections();
    if (preemption) running();
    return next_;
  }
  std::int64_t evaluations() const { return outlook_ ? outlook_->evaluations() : 0; }

 private:
  void at(Time when) { next_ = std::min(next_, when); }
  const Line& line(JobId id) {
    auto& place = line_of_[id.index()];
    if (place == kNone) {
      place = static_cast<std::uint32_t>(lines_.size());
      lines_.push_back(outlook_->line(cluster_.job(id), stalled_.contains(id)));
    }
    return lines_[place];
  }

  // The line of an active job if it still waited: two jobs that may preempt each other are compared
  // so.
  const Line& line_in_queue(const Job& job) {
    const auto [at, fresh] = in_queue_.try_emplace(job.id);
    if (fresh) {
      at->second.job = in_queue(job);
      at->second.line = outlook_->line(at->second.job, false);
    }
    return at->second.line;
  }

  void line_up() {
    outlook_.emplace(cluster_, settings_, now_, next_, ahead_);
    prioritise(cluster_, settings_, now_, order_);
    line_of_.resize(cluster_.job_slots(), kNone);
    place_.resize(cluster_.job_slots(), 0);
    for (std::uint32_t i = 0; i < cluster_.waiting().size(); ++i)
      place_[cluster_.waiting()[i].job.index()] = i;
  }

  // True if the position of every job in the queue counts.
  bool all_matters() const {
    return keeps_reservations(settings_) || settings_.backfill_depth > 0 ||
           !settings_.partition_policies.empty() || ChunkRule(settings_.throttling).any() ||
           (LimitRules::any(cluster_, settings_) && LimitRules(cluster_, settings_).matter().idle);
  }

  // True if some waiting job asks for no more processors than are free.
  bool could_start() const {
    const auto open = cluster_.counts().open_procs;
    const auto waiting = cluster_.waiting();
    return std::any_of(waiting.begin(), waiting.end(), [&](const Waiting& line) {
      return !line.held && (cluster_.request(line.request).total_procs() <= open ||
                            (line.special && !cluster_.job(line.job).alternatives.empty()));
    });
  }

  // Returns how many jobs the walk in priority order reached: those with reservations, and the one
  // at which it ended.
  std::size_t decided_by() const {
    // A job that a limit blocks has no turn, whether it is left out of the order or passed over.
    std::vector<char> has_turn(cluster_.job_slots(), 0);
    for (std::size_t i = 0; i < plan_.order.size() && i < plan_.reasons.size(); ++i)
      if (plan_.reasons[i] != Reason::policy) has_turn[plan_.order[i].job.index()] = 1;
    std::size_t end = 0;
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (cluster_.job(order_[i].job).reservation.valid()) end = i + 1;
    while (end < order_.size() && has_turn[order_[end].job.index()] == 0) ++end;
    return std::min(end + 1, order_.size());
  }

  // Checks the first jobs each against the next one, and the last of them against all others.
  void queue(std::size_t first) {
    for (std::size_t i = 0; i + 1 < first; ++i) keep(order_[i].job, order_[i + 1].job);
    for (auto i = first; i > 0 && i < order_.size(); ++i)
      keep(order_[first - 1].job, order_[i].job);
  }
  void keep(JobId before, JobId after) {
    if (waits_too_long(cluster_, settings_, now_, cluster_.job(before).queued, before)) return;
    const bool strictly = place_[before.index()] > place_[after.index()];
    at(flip(before, after, strictly));
  }
  Time flip(JobId a, JobId b, bool strictly) {
    return outlook_->flip(line(a), line(b), strictly, next_);
  }

  void rejections() {
    for (const Waiting& waiting : cluster_.waiting())
      if (!waiting.held) at(outlook_->rejection(line(waiting.job), next_));
  }

  bool preempts(const Job& job) const {
    const auto flags = flags_.of(job);
    return has(flags, JobFlag::preemptor) || has(flags, JobFlag::restart_preempt) ||
           backfill_policy(cluster_, settings_, cluster_.request(job.request)) ==
               BackfillPolicy::preempt;
  }
  bool preemption_possible() const {
    if (!cluster_.suspended().empty()) return true;
    const auto waiting = cluster_.waiting();
    return !cluster_.active().empty() &&
           std::any_of(waiting.begin(), waiting.end(), [&](const Waiting& line) {
             return !line.held && preempts(cluster_.job(line.job));
           });
  }

  // Checks preemptors against their possible victims and suspended jobs, and these in pairs.
  void running() {
    constexpr auto kGivesWay = [](std::uint16_t flags) {
      return has(flags, JobFlag::preemptee) || has(flags, JobFlag::restartable) ||
             has(flags, JobFlag::backfill);
    };
    const auto suspended = cluster_.suspended();
    for (const auto& ranked : order_) {
      if (!preempts(cluster_.job(ranked.job))) continue;
      for (const Active& active : cluster_.active()) {
        const Job& job = cluster_.job(active.job);
        if (!kGivesWay(flags_.of(job))) continue;
        at(flip(ranked.job, active.job, false));
        if (!preempts(job)) continue;
        const bool first = earlier_in_queue(cluster_.job(ranked.job), job);
        at(outlook_->flip(line(ranked.job), line_in_queue(job), !first, next_));
      }
      for (const JobId id : suspended) at(flip(ranked.job, id, true));
    }
    for (const JobId job : suspended)
      for (const JobId other : suspended)
        if (job != other) at(flip(job, other, false));
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const Cluster& cluster_;
  const Settings& settings_;
  const Plan& plan_;
  const FairshareAhead& ahead_;
  JobFlags flags_;
  std::optional<Outlook> outlook_;  // made when the order is needed
  Time now_, next_;
  struct InQueue {
    Job job;
    Line line;
  };
  std::unordered_map<JobId, InQueue> in_queue_;
  std::deque<Line> lines_;              // of the jobs that were looked at
  std::vector<std::uint32_t> line_of_;  // index into lines_, by job
  StalledJobs stalled_;
  std::vector<std::uint32_t> place_;  // position in the queue, by job
  std::vector<Plan::Ranked> order_;
};

}  // namespace

Time next_order(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now,
                Time before, const FairshareAhead& ahead, std::int64_t* evaluations) {
  const Time farthest = std::min(before, now + kLongestPeriod);
  if (farthest <= now + Seconds(1) || !moves(cluster, settings, ahead)) return kForever;
  Order order(cluster, settings, plan, now, farthest, ahead);
  const Time found = order.next();
  if (evaluations) *evaluations = order.evaluations();
  return found < farthest ? found : kForever;
}

Time next_rejection(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now) {
  constexpr Seconds kFar(std::int64_t{100} * 366 * 86400);
  if (!settings.priority.reject_negative || !moves(cluster, settings, {})) return kForever;
  const Time farthest = now + kFar;
  Outlook outlook(cluster, settings, now, farthest, {});
  Time next = farthest;
  const StalledJobs stalled(cluster, plan);
  for (const Waiting& waiting : cluster.waiting()) {
    if (waiting.held || stalled.contains(waiting.job)) continue;
    const Line line = outlook.line(cluster.job(waiting.job), false);
    // Priorities that rise and fall are left to next_order(), within its horizon.
    if (line.course != Course::other) next = std::min(next, outlook.rejection(line, next));
  }
  return next < farthest ? next : kForever;
}

}  // namespace maui
