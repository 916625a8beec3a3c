#include "engine/engine.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/clock_step.h"
#include "engine/parts.h"
#include "engine/query_updates.h"
#include "sched/changes_ahead.h"
#include "sched/priority/fairshare.h"
#include "sched/priority/fairshare_ahead.h"
#include "sched/priority/order_ahead.h"
#include "sched/query/explain.h"
#include "sched/suspended.h"

namespace maui {
namespace {

std::optional<std::int64_t> stop_iteration(const Settings& settings) {
  if (settings.simulation.stop_iteration <= 0) return {};
  return settings.simulation.stop_iteration;
}

FairshareAhead fairshare_ahead(const EngineKnowledge& known, Time now) {
  const Settings& settings = known.settings;
  if (settings.fairshare.metric == FairshareMetric::none) return {};
  return {known.fairshare.history(),
          FairshareLedger::second_of(known.cluster, settings.fairshare, now), settings.fairshare,
          now};
}

/// True if only a deferral holds the job, so that it may start later.  A job that is not feasible
/// is deferred again.
bool held_for_a_time(const Job& job) {
  return job.holds == static_cast<std::uint8_t>(Hold::defer) &&
         job.failures.deferred_until < kForever &&
         job.hold_reason->cause != HoldCause::no_resources;
}

/// Returns the next event other than those of reservations: of the resource manager, a start date,
/// the end of a deferral, a job that may start under another account, a suspended job that may be
/// resumed, a refused start that may be retried.
Time next_besides_reservations(EngineParts& parts) {
  EngineKnowledge& known = parts.known;
  const Cluster& cluster = known.cluster;
  const Time now = parts.tools.now();
  Time next = parts.rm->next_event();
  next = std::min(next, known.start_dates.next(now));
  if (parts.launches.changed_account_at() == now) next = std::min(next, now + Seconds(1));
  for (const JobId id : cluster.suspended())  // when the job may resume
    if (const Time rested = cluster.job(id).suspended_since + kLeastSuspension; rested > now)
      next = std::min(next, rested);
  // These wait for an iteration that knows the state.
  if (known.rm_record.polls > 0 && !known.rm_record.up) return next;
  return std::min({next, parts.holds.next_release(), known.refused_starts.next(cluster, now),
                   known.preemptors.next(cluster, now)});
}

/// True if no job is active, and none will be submitted while the waiting jobs wait.
bool only_waits(const EngineParts& parts) {
  const EngineKnowledge& known = parts.known;
  const Cluster& cluster = known.cluster;
  return cluster.active().empty() && cluster.suspended().empty() &&
         (known.exhausted || parts.rm->queue_full(cluster));
}

/// Returns when the passage of time changes the plan, or what happened since it was made: a start
/// may meet the dependency of a job that it did not consider.
Time next_change_of_plan(const EngineKnowledge& known, Time now) {
  const Time dependency = known.dependencies.met_since_plan() ? now + Seconds(1) : kForever;
  return std::min({dependency, next_change(known.cluster, known.settings, known.plan, now),
                   next_rejection(known.cluster, known.settings, known.plan, now)});
}

}  // namespace

Engine::Engine(std::unique_ptr<EngineParts> parts) : parts_(std::move(parts)) {}

Engine::Engine(Settings settings, std::unique_ptr<ResourceManager> rm, Clock& clock,
               EngineObserver& observer, Planner planner, NodeSelector* selector)
    : parts_(std::make_unique<EngineParts>(EngineKnowledge(std::move(settings), clock.now()),
                                           std::move(rm), clock, observer, std::move(planner),
                                           selector)) {
  EngineKnowledge& known = parts_->known;
  for (const std::string& name : known.settings.class_order) known.cluster.classes.intern(name);
  known.statistics.restart(known.cluster, known.settings, known.started_at);
  known.reservation_uses.begin(known.started_at);
  parts_->reservations.settings_changed({});
  if (known.settings.server.mode == ServerMode::simulation)
    known.stop.at_iteration = stop_iteration(known.settings);
}
Engine::~Engine() = default;

void Engine::iterate(std::function<void()> done) { parts_->iteration.run(std::move(done)); }
bool Engine::iterating() const { return parts_->iteration.under_way(); }
void Engine::charge_with(AllocationManager& manager) { parts_->allocations.charge_with(manager); }
void Engine::charge_until_end() { parts_->allocations.charge_until_end(); }
std::vector<AllocationRequest> Engine::charges_due() const { return parts_->allocations.due(); }
void Engine::consult_with(LocalPolicies& policies) { parts_->site_policies.consult_with(policies); }
Time Engine::now() const { return parts_->tools.now(); }
const Cluster& Engine::cluster() const {
  update_for_queries(parts_->known, now());
  return parts_->known.cluster;
}
const Cluster& Engine::counted() const { return parts_->known.cluster; }
FeasibleRequests& Engine::feasible_requests() const { return parts_->planning.feasible(); }
const Settings& Engine::settings() const { return parts_->known.settings; }
const Plan& Engine::plan() const { return parts_->known.plan; }
ReservationUses::Use Engine::use_of(const Reservation& reservation) const {
  return parts_->allocations.use_of(reservation);
}
const Statistics& Engine::statistics() const {
  return parts_->shown =
             parts_->known.statistics.to_date(parts_->known.cluster, parts_->known.accounted);
}
const Statistics& Engine::statistics_of_ended() const { return parts_->known.statistics; }
const FairshareHistory& Engine::fairshare() const { return parts_->known.fairshare.history(); }
std::size_t Engine::unreported_fairshare() const { return parts_->known.fairshare.unreported(); }
const std::deque<EndedJob>& Engine::ended_jobs() const { return parts_->job_ends.of_late(); }
void Engine::learn(const JobTraits& job, Seconds run, Time ended) {
  parts_->known.learning.learn(job, run, ended);
}
void Engine::note_shown_start(JobId job, Time expected, Time by_limits) {
  parts_->known.learning.note_shown_start(job, expected, by_limits);
}
void Engine::forget_learned() { parts_->known.learning.forget(); }
const RunTimeLearning& Engine::learning() const { return parts_->known.learning; }
void Engine::begin_fairshare(FairshareHistory known) {
  parts_->known.fairshare.begin(std::move(known));
}
std::string_view Engine::resource_manager() const { return parts_->rm->name(); }
std::vector<UnusedAttribute> Engine::unused_attributes(JobId id) const {
  return parts_->rm->unused_attributes_of_job(parts_->known.cluster.job(id));
}
std::vector<UnusedAttribute> Engine::unused_attributes(NodeId id) const {
  return parts_->rm->unused_attributes_of_node(parts_->known.cluster.node(id));
}

std::vector<RmRecord> Engine::rm_records() const {
  if (auto own = parts_->rm->records(); !own.empty()) return own;
  RmRecord record = parts_->known.rm_record;
  record.name = parts_->rm->name();
  return {std::move(record)};
}
const PendingRestore& Engine::not_restored_yet() const { return parts_->known.pending_restore; }

std::vector<std::string> Engine::managers_not_heard() const {
  std::vector<std::string> names;
  for (RmRecord& record : rm_records())
    if (record.answered < Time(0)) names.push_back(std::move(record.name));
  return names;
}
std::int64_t Engine::iteration() const { return parts_->known.iteration; }
Time Engine::started_at() const { return parts_->known.started_at; }
bool Engine::finished() const {
  const Cluster& cluster = parts_->known.cluster;
  if (!only_waits(*parts_)) return false;
  const auto queue = cluster.waiting();
  return std::all_of(queue.begin(), queue.end(), [&](const Waiting& line) {
    // If nothing else can end, unmet dependencies will never be met.
    return (line.held && !held_for_a_time(cluster.job(line.job))) ||
           (line.special && !cluster.job(line.job).dependencies_met());
  });
}

Time Engine::next_event() const {
  return std::min({next_besides_reservations(*parts_), parts_->reservations.next_event(),
                   next_reservation_boundary(parts_->known.cluster, now())});
}

Time Engine::next_change(Time before) const {
  const EngineKnowledge& known = parts_->known;
  const Cluster& cluster = known.cluster;
  const Settings& settings = known.settings;
  const Time now = this->now();
  const bool waits = !cluster.waiting().empty();
  const Time window = waits ? window_end(settings.fairshare, now) : kForever;
  Time next = std::min(window, next_change_of_plan(known, now));
  const FairshareAhead ahead = waits ? fairshare_ahead(known, now) : FairshareAhead{};
  next = std::min(next, next_cap(cluster, settings, ahead, now, std::min(before, next)));
  return std::min(next,
                  next_order(cluster, settings, known.plan, now, std::min(before, next), ahead));
}

bool Engine::at_rest() const {
  EngineParts& parts = *parts_;
  const EngineKnowledge& known = parts.known;
  const Cluster& cluster = known.cluster;
  const Settings& settings = known.settings;
  if (!only_waits(parts)) return false;
  Seconds recurring{0};
  if (parts.reservations.next_event() < kForever ||
      next_order(cluster, settings, known.plan, now(), kForever) < kForever)
    recurring = kLongestPeriod;
  if (FairshareStanding(cluster, settings).any_blocked())
    recurring = std::max(
        recurring, length_of_windows(settings.fairshare.interval, settings.fairshare.depth + 1));
  // The reservation of a job that waits for a node that is down moves along with the clock.
  const auto& counts = cluster.counts();
  const auto reported =
      std::accumulate(counts.nodes_reported.begin(), counts.nodes_reported.end(), std::int64_t{0});
  const Seconds delay = settings.node.stays_down();
  if (counts.available_nodes < reported && delay < kUnlimited)
    recurring = std::max(recurring, delay);
  if (now() - known.last_activity < recurring) return false;
  // If something recurs, only administrative reservations count: priority ones keep moving.
  const Time next =
      recurring > Seconds(0)
          ? std::min(next_besides_reservations(parts),
                     next_reservation_boundary(cluster, now(), ReservationKind::administrative))
          : next_event();
  return next >= kForever && next_change_of_plan(known, now()) >= kForever;
}

StopRule& Engine::stop_rule() { return parts_->known.stop; }
const StopRule& Engine::stop_rule() const { return parts_->known.stop; }
ClusterNames& Engine::names() { return parts_->known.cluster; }

void Engine::set_settings(Settings settings) {
  EngineParts& parts = *parts_;
  EngineKnowledge& known = parts.known;
  const Settings old = std::exchange(known.settings, std::move(settings));
  if (old.simulation.stop_iteration != known.settings.simulation.stop_iteration)
    known.stop.at_iteration = stop_iteration(known.settings);
  if (old.display.plot != known.settings.display.plot)
    known.statistics.restart_grid(known.settings.display.plot, now());
  if (old.priority != known.settings.priority) known.priority_bounds.settings_changed();
  if (old.standing_reservations != known.settings.standing_reservations)
    parts.reservations.settings_changed(old.standing_reservations);
  parts.reported_nodes.settings_changed(old);
  known.cluster.note_release();  // limits may have been raised
  parts.entitlements.note_partitions();
  known.learning.settings_changed();
  parts.entitlements.settings_changed(old);
}

void Engine::clock_stepped(Seconds by) {
  step_clock(parts_->tools, by);
  parts_->job_ends.clock_stepped(by);
  parts_->tools.observer.clock_was_set();
}

Time Engine::steady_start(const Job& job) const {
  return maui::steady_start(parts_->known.clock_steps, job);
}

void Engine::reset_statistics() {
  EngineKnowledge& known = parts_->known;
  known.statistics.restart(known.cluster, known.settings, now());
  known.accounted = now();
  known.cluster.reset_node_use(now());
}

}  // namespace maui
