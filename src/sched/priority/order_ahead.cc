#include "sched/priority/order_ahead.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "sched/limits/limit_rules.h"
#include "sched/priority/priority.h"
#include "sched/priority/priority_outlook.h"
#include "sched/priority/priority_weights.h"
#include "sched/reservations/owner_preemption.h"
#include "sched/reservations/standing.h"
#include "sched/rules/chunks.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

using S = Subcomponent;

/// How the priorities of waiting jobs change with time.
enum class Growth : std::uint8_t {
  none,
  alike,  // by the same amount, in all that counts
  differs
};

Growth growth_of_priorities(const Cluster& cluster, const Settings& settings,
                            const FairshareAhead& ahead) {
  bool grows = false, differs = !settings.partition_weights.empty();
  for (const auto& info : subcomponents()) {
    if (!counts(settings, info)) continue;
    const bool time = info.component == Component::target || info.component == Component::usage ||
                      info.subcomponent == S::xfactor || info.subcomponent == S::queue_time ||
                      (info.component == Component::fairshare && ahead.changes());
    grows = grows || time;
    differs = differs || info.subcomponent != S::queue_time;
  }
  if (!grows) return Growth::none;
  const auto& p = settings.priority;
  if (differs || qos_adds_weight(settings, subcomponents()[index_of(S::queue_time)]) ||
      p.service.weight < 0 || p.queue_time.weight < 0 || p.reject_negative)
    return Growth::differs;
  // Only the time in the queue and system priorities count.
  const auto waiting = cluster.waiting();
  const bool placed_by_hand =
      cluster.counts().special_waiting > 0 &&
      std::any_of(waiting.begin(), waiting.end(), [&](const Waiting& line) {
        return line.special && cluster.job(line.job).system_priority.value != 0;
      });
  return placed_by_hand ? Growth::differs : Growth::alike;
}

/// The jobs that may take nodes from others.
class Preemptors {
 public:
  Preemptors(const Cluster& cluster, const Settings& settings)
      : cluster_(cluster), settings_(settings), flags_(cluster, settings) {}

  const JobFlags& flags() const { return flags_; }
  bool preempts(const Job& job) const {
    const auto flags = flags_.of(job);
    return has(flags, JobFlag::preemptor) || has(flags, JobFlag::restart_preempt) ||
           backfill_policy(cluster_, settings_, cluster_.request(job.request)) ==
               BackfillPolicy::preempt;
  }
  /// True if jobs may be preempted or resume: waiting jobs gain on those that have started.
  bool preemption_possible() const {
    if (!cluster_.suspended().empty()) return true;
    if (!some_may_preempt(cluster_, settings_, flags_)) return false;
    const auto waiting = cluster_.waiting();
    return !cluster_.active().empty() &&
           std::any_of(waiting.begin(), waiting.end(), [&](const Waiting& line) {
             return !line.held && preempts(cluster_.job(line.job));
           });
  }

 private:
  const Cluster& cluster_;
  const Settings& settings_;
  JobFlags flags_;
};

/// The search for the first time at which the order of two jobs changes that could affect a start.
class OrderSearch {
 public:
  OrderSearch(const Cluster& cluster, const Settings& settings, const Preemptors& preemptors,
              const Plan& plan, Time now, Time before, const FairshareAhead& ahead)
      : cluster_(cluster),
        settings_(settings),
        preemptors_(preemptors),
        plan_(plan),
        ahead_(ahead),
        now_(now),
        next_(before),
        stalled_(cluster, plan) {}

  Time next() {
    const bool preemption = preemptors_.preemption_possible();
    const bool all = preemption || all_matters();
    if (!all && !cluster_.some_job_may_fit() && !reservations_stay()) return next_;
    prepare();
    check_queue(all ? order_.size() : decided_by());
    if (settings_.priority.reject_negative && earlier_is_possible()) check_rejections();
    if (preemption && earlier_is_possible()) check_preemption();
    return next_;
  }
  std::int64_t evaluations() const { return outlook_ ? outlook_->evaluations() : 0; }

 private:
  // Later changes do not matter: the search goes on within the time that is left.
  void note(Time when) {
    if (when >= next_) return;
    next_ = when;
    outlook_->end_at(when);
  }
  bool earlier_is_possible() const { return next_ > now_ + Seconds(1); }
  const PriorityCurve& curve(JobId id) {
    auto& place = curve_of_[id.index()];
    if (place == kNone) {
      place = static_cast<std::uint32_t>(curves_.size());
      curves_.emplace_back();
    }
    auto& known = curves_[place];
    if (!outlook_->is_up_to_date(known))
      known = outlook_->curve(cluster_.job(id), stalled_.contains(id));
    return known;
  }

  // Returns the curve of an active job as if it still waited: two jobs that may preempt each other
  // are compared so.
  const PriorityCurve& curve_in_queue(const Job& job) {
    const auto [at, fresh] = in_queue_.try_emplace(job.id);
    auto& known = at->second;
    if (fresh) known.job = in_queue(job);
    if (!outlook_->is_up_to_date(known.curve)) known.curve = outlook_->curve(known.job, false);
    return known.curve;
  }

  void prepare() {
    outlook_.emplace(cluster_, settings_, now_, next_, ahead_);
    prioritise(cluster_, settings_, now_, order_);
    curve_of_.resize(cluster_.job_slots(), kNone);
    place_.resize(cluster_.job_slots(), 0);
    for (std::uint32_t i = 0; i < cluster_.waiting().size(); ++i)
      place_[cluster_.waiting()[i].job.index()] = i;
  }

  // True if the position of every job in the queue counts.
  bool all_matters() const {
    return keeps_reservations(settings_) || settings_.backfill_depth > 0 ||
           !settings_.partition_policies.empty() || ChunkRule(settings_.throttling).any() ||
           (LimitRules::any(cluster_, settings_) &&
            LimitRules(cluster_, settings_).matter().idle());
  }

  // True if a reservation may outlast the order that gave it: a limit that blocks the job later
  // leaves it its place, and RESERVATIONHYSTERESIS holds its job before others.
  bool reservations_stay() const {
    return plan_.first_reserved < kForever &&
           (settings_.learning.orders_queue() || LimitRules::any(cluster_, settings_));
  }

  // Returns how many jobs the walk in priority order reached: those with reservations, and those up
  // to the one at which it ended.
  std::size_t decided_by() const {
    if (!plan_.stopped_at.valid()) return order_.size();
    std::size_t end = 0;
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (order_[i].job == plan_.stopped_at || cluster_.job(order_[i].job).reservation.valid())
        end = i + 1;
    return end;
  }

  // Checks the first jobs each against the next one, and the last of them against all others.
  void check_queue(std::size_t first) {
    for (std::size_t i = 0; i + 1 < first && earlier_is_possible(); ++i)
      check_order(order_[i].job, order_[i + 1].job);
    for (auto i = first; i > 0 && i < order_.size() && earlier_is_possible(); ++i)
      check_order(order_[first - 1].job, order_[i].job);
  }
  void check_order(JobId before, JobId after) {
    if (waits_too_long(cluster_, settings_, now_, cluster_.job(before).queued, before)) return;
    check_pair(before, after, place_[before.index()] > place_[after.index()]);
    check_queue_times(before, after);
  }
  // Of jobs with equal priorities, the first in the queue comes first.  There, a job whose queue
  // time stands still falls behind the other.
  void check_queue_times(JobId before, JobId after) {
    if (!stalled_.contains(before) || stalled_.contains(after)) return;
    const Job &first = cluster_.job(before), &second = cluster_.job(after);
    const Seconds equal(first.arrival < second.arrival ? 1 : 0);
    const Time passed = now_ + (second.queued - first.queued) + equal;
    if (passed > now_) note(passed);
  }
  void check_pair(JobId a, JobId b, bool strictly) {
    note(outlook_->flip(curve(a), curve(b), strictly, next_));
  }

  void check_rejections() {
    for (const Waiting& waiting : cluster_.waiting())
      if (!waiting.held) note(outlook_->rejection(curve(waiting.job), next_));
  }

  // Checks preemptors against their possible victims and suspended jobs, and these in pairs.
  void check_preemption() {
    constexpr auto kGivesWay = [](std::uint16_t flags) {
      return has(flags, JobFlag::preemptee) || has(flags, JobFlag::restartable) ||
             has(flags, JobFlag::backfill);
    };
    const auto suspended = cluster_.suspended();
    for (const auto& ranked : order_) {
      if (!preemptors_.preempts(cluster_.job(ranked.job))) continue;
      for (const Active& active : cluster_.active()) {
        const Job& job = cluster_.job(active.job);
        if (!kGivesWay(preemptors_.flags().of(job))) continue;
        check_pair(ranked.job, active.job, false);
        if (!preemptors_.preempts(job)) continue;
        const bool first = earlier_in_queue(cluster_.job(ranked.job), job);
        note(outlook_->flip(curve(ranked.job), curve_in_queue(job), !first, next_));
      }
      for (const JobId id : suspended) check_pair(ranked.job, id, true);
    }
    for (const JobId job : suspended)
      for (const JobId other : suspended)
        if (job != other) check_pair(job, other, false);
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const Cluster& cluster_;
  const Settings& settings_;
  const Preemptors& preemptors_;
  const Plan& plan_;
  const FairshareAhead& ahead_;
  std::optional<PriorityOutlook> outlook_;  // made when the order is needed
  Time now_, next_;
  struct InQueue {
    Job job;
    PriorityCurve curve;
  };
  std::unordered_map<JobId, InQueue> in_queue_;
  std::deque<PriorityCurve> curves_;     // of the jobs that have been examined
  std::vector<std::uint32_t> curve_of_;  // index into curves_, by job
  StalledJobs stalled_;
  std::vector<std::uint32_t> place_;  // position in the queue, by job
  std::vector<Plan::Ranked> order_;
};

}  // namespace

Time next_order(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now,
                Time before, const FairshareAhead& ahead, std::int64_t* evaluations) {
  const Time farthest = std::min(before, now + kLongestPeriod);
  if (farthest <= now + Seconds(1)) return kForever;
  const Growth growth = growth_of_priorities(cluster, settings, ahead);
  if (growth == Growth::none) return kForever;
  const Preemptors preemptors(cluster, settings);
  const bool alike = growth == Growth::alike && plan.stalled.empty();
  if (alike && !preemptors.preemption_possible()) return kForever;
  OrderSearch search(cluster, settings, preemptors, plan, now, farthest, ahead);
  const Time found = search.next();
  if (evaluations) *evaluations = search.evaluations();
  return found < farthest ? found : kForever;
}

Time next_rejection(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now) {
  constexpr Seconds kFar(std::int64_t{100} * 366 * 86400);
  if (!settings.priority.reject_negative ||
      growth_of_priorities(cluster, settings, {}) == Growth::none)
    return kForever;
  const Time farthest = now + kFar;
  PriorityOutlook outlook(cluster, settings, now, farthest, {});
  Time next = farthest;
  const StalledJobs stalled(cluster, plan);
  for (const Waiting& waiting : cluster.waiting()) {
    if (waiting.held || stalled.contains(waiting.job)) continue;
    const PriorityCurve curve = outlook.curve(cluster.job(waiting.job), false);
    next = std::min(next, outlook.rejection(curve, next));
    outlook.end_at(next);
  }
  return next < farthest ? next : kForever;
}

}  // namespace maui
