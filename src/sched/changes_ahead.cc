#include "sched/changes_ahead.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "sched/limits/limit_forecast.h"
#include "sched/limits/limit_rules.h"
#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"
#include "sched/priority/priority.h"
#include "sched/priority/stalled_jobs.h"
#include "sched/reservations/owner_preemption.h"
#include "sched/rules/chunks.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"
#include "sched/suspended.h"

namespace maui {
namespace {

class Changes {
 public:
  Changes(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now)
      : cluster_(cluster), settings_(settings), plan_(plan), now_(now), stalled_(cluster, plan) {}

  Time next() {
    after_preemption();
    after_reservations();
    after_choices();
    after_starts();
    overruns();
    limits_by_time();
    if (cluster_.waiting().empty()) return next_;
    of_waiting_jobs();
    at(next_target(cluster_, settings_, now_, stalled_));
    return next_;
  }

 private:
  void at(Time when) {
    if (when > now_) next_ = std::min(next_, when);
  }

  /// Tells whether the plan contains a decision of one of these kinds.
  template <class... Kinds>
  bool decides() const {
    return std::any_of(
        plan_.decisions.begin(), plan_.decisions.end(),
        [](const Decision& decision) { return (std::holds_alternative<Kinds>(decision) || ...); });
  }

  // A victim may free more resources than its preemptor takes, and so may a job whose start was
  // taken back for it; a job that resumes may be preempted.
  void after_preemption() {
    if (plan_.displaced || decides<PreemptJob, ResumeJob>()) at(now_ + Seconds(1));
  }

  // The next cycle chooses nodes for its reservations among those that this one's starts have left:
  // jobs behind may find room then.  Where processors are alike, this cycle has packed its
  // reservations for them.
  void after_choices() {
    if (plan_.starts == 0 || plan_.reserves < 2) return;
    const ClusterCounts& counts = cluster_.counts();
    const bool one_kind = cluster_.kinds() == 1;
    const bool procs_alike =
        counts.waiting_particular == 0 && !cluster_.users_matter() && cluster_.suspended().empty();
    const bool nodes_alike = counts.available_procs == counts.available_nodes;
    if (!one_kind || !(procs_alike || nodes_alike)) at(now_ + Seconds(1));
  }

  // Kept reservations (RESERVATIONPOLICY HIGHEST): after a new reservation the jobs behind it have
  // their turn; a dropped reservation frees its nodes.
  void after_reservations() {
    if (!keeps_reservations(settings_)) return;
    if (plan_.reserves > 0 || decides<DropReservation>()) at(now_ + Seconds(1));
  }

  // Jobs that have started may be preempted from then on.
  void after_starts() {
    if (plan_.starts == 0) return;
    if (plan_.goes_on) return at(now_ + Seconds(1));
    // Those behind backfilled jobs move up to BACKFILLDEPTH.
    if (settings_.backfill_depth > 0 && !plan_.backfilled.empty()) return at(now_ + Seconds(1));
    const JobFlags flags(cluster_, settings_);
    const bool owned = OwnedReservations(cluster_, now_).any();
    for (const Decision& decision : plan_.decisions) {
      const auto* start = std::get_if<StartJob>(&decision);
      if (start == nullptr || !cluster_.job(start->job).active()) continue;
      const Job& job = cluster_.job(start->job);
      const auto bits = flags.of(job);
      const bool taken_back = has(job.flags, JobFlag::backfill) &&
                              backfill_policy(cluster_, settings_, cluster_.request(job.request)) ==
                                  BackfillPolicy::preempt;
      if (owned || taken_back || has(bits, JobFlag::preemptee) || has(bits, JobFlag::restartable))
        return at(now_ + Seconds(1));
    }
  }

  // Adds the times at which jobs exceed JOBMAXOVERRUN.
  void overruns() {
    const Seconds most = settings_.job_max_overrun;
    if (most >= kUnlimited) return;
    const Seconds extension(std::max<std::int64_t>(settings_.poll_interval.raw(), 1));
    for (const Active& line : cluster_.active()) {
      // Jobs are sorted by end; the scheduler extends the ends of jobs past their limits.
      if (line.ends > now_ + extension && line.ends + most >= next_) break;
      const Job& job = cluster_.job(line.job);
      if (cluster_.limit_of(job) < kUnlimited) at(cluster_.limit_end(job) + most + Seconds(1));
    }
  }

  // BFCHUNKDURATION, delays of node sets, completion dates, unfair waits.  Times that depend on a
  // queue time that stands still (JOBPRIOACCRUALPOLICY) do not come nearer.
  void of_waiting_jobs() {
    const ChunkRule chunks(settings_.throttling);
    const ClusterCounts& counts = cluster_.counts();
    const bool fair_waits = settings_.learning.orders_queue();
    if (!chunks.any() && counts.special_waiting == 0 && counts.waiting_for_sets == 0 && !fair_waits)
      return;
    for (const Waiting& line : cluster_.waiting()) {
      if (line.held) continue;
      if (fair_waits) at(line.queued + cluster_.run_times.of(line.job).fair_wait + Seconds(1));
      const Request& request = cluster_.request(line.request);
      const bool sets = request.node_set && request.node_set->delay > Seconds(0) &&
                        request.node_set->delay < kUnlimited;
      if (!chunks.any() && !sets && !line.special) continue;
      const Job& job = cluster_.job(line.job);
      const bool waits_on = !stalled_.contains(job.id);
      if (waits_on && chunks.any() && chunks.large(request)) at(chunks.saves_until(job));
      if (waits_on && sets) at(job.eligible_since + request.node_set->delay);
      if (job.deadline >= kForever) continue;
      at(latest_start(job, request.limit) + Seconds(1));
      at(latest_start(cluster_, job, request) + Seconds(1));
    }
  }

  // MAXPS and MAXWC: the remaining use of running jobs decreases.  Their ends are reported.
  void limits_by_time() {
    if (cluster_.waiting().empty() && cluster_.suspended().empty()) return;
    if (!LimitRules::any(cluster_, settings_)) return;
    Throttling throttling(cluster_, settings_, now_);
    LimitForecast forecast(cluster_, throttling, now_, LimitForecast::Ends::unforeseen);
    of_suspended_jobs(forecast);
    if (cluster_.waiting().empty()) return;
    after_changes_of_limits(throttling);
    for (const Waiting& line : cluster_.waiting()) {
      if (line.held) continue;
      allowed(forecast, line, Strictness::hard);
      if (throttling.soft_matters()) allowed(forecast, line, Strictness::soft);
    }
  }

  void after_changes_of_limits(const Throttling& throttling) {
    // When a job leaves the queue, limits of idle jobs (MAXIJOB and so on) admit another one.
    if (throttling.idle_matters() && decides<StartJob, HoldJob>()) at(now_ + Seconds(1));
    // Jobs beyond soft limits, to which a start may have brought them, are served behind the others
    // and keep their reserved places.
    if (throttling.soft_matters() && !plan_.decisions.empty()) at(now_ + Seconds(1));
    // A start may bring a large job to its limit: small jobs need not wait for it (BFCHUNKSIZE).
    if (plan_.starts > 0 && ChunkRule(settings_.throttling).any()) at(now_ + Seconds(1));
  }

  // Adds the times at which limits allow the waiting job to start, in each of its shapes.
  void allowed(LimitForecast& forecast, const Waiting& line, Strictness level) {
    const Job& job = cluster_.job(line.job);
    const Request& request = cluster_.request(line.request);
    at(forecast.first_allowed(job, request, now_, nullptr, level));
    if (!line.special) return;
    for (const auto& shape : job.alternatives)
      at(forecast.first_allowed(job, in_shape(request, shape), now_, nullptr, level));
  }

  // Adds the times at which limits allow suspended jobs to resume on their nodes.
  void of_suspended_jobs(LimitForecast& forecast) {
    for (const JobId id : cluster_.suspended()) {
      const Job& job = cluster_.job(id);
      if (job.may_resume())
        at(forecast.first_allowed(job, rest_of(cluster_, job), now_, &job.placement));
    }
  }

  const Cluster& cluster_;
  const Settings& settings_;
  const Plan& plan_;
  Time now_, next_ = kForever;
  StalledJobs stalled_;
};

}  // namespace

Time next_change(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now) {
  return Changes(cluster, settings, plan, now).next();
}

}  // namespace maui
