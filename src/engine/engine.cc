#include "engine/engine.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/reports/report.h"
#include "engine/state.h"
#include "sched/changes_ahead.h"
#include "sched/priority/fairshare.h"
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

}  // namespace

Engine::State::State(Settings given, std::unique_ptr<ResourceManager> manager, const Clock& time,
                     EngineObserver& listener, Planner core, NodeSelector* chooser)
    : EngineKnowledge(std::move(given), time.now()),
      rm(std::move(manager)),
      clock(time),
      observer(listener),
      planning{tools, reservations, std::move(core), chooser} {
  for (const std::string& name : settings.class_order) cluster.classes.intern(name);
  statistics.restart(settings, started_at);
  reservation_uses.begin(started_at);
  reservations.settings_changed({});
  if (settings.server.mode == ServerMode::simulation) stop.at_iteration = stop_iteration(settings);
}

Engine::Engine(Settings settings, std::unique_ptr<ResourceManager> rm, const Clock& clock,
               EngineObserver& observer, Planner planner, NodeSelector* selector)
    : state_(std::make_unique<State>(std::move(settings), std::move(rm), clock, observer,
                                     std::move(planner), selector)) {}
Engine::~Engine() = default;

void Engine::iterate(std::function<void()> done) { state_->iterate(std::move(done)); }
bool Engine::iterating() const { return state_->iterating; }
void Engine::charge_with(AllocationManager& manager) { state_->allocations.charge_with(manager); }
std::vector<AllocationRequest> Engine::charges_due() const { return state_->allocations.due(); }
void Engine::consult_with(LocalPolicies& policies) { state_->site_policies.consult_with(policies); }
Time Engine::now() const { return state_->now(); }
const Cluster& Engine::cluster() const {
  state_->update_for_queries();
  return state_->cluster;
}
const Cluster& Engine::counted() const { return state_->cluster; }
FeasibleRequests& Engine::feasible_requests() const { return state_->planning.feasible(); }
const Settings& Engine::settings() const { return state_->settings; }
const Plan& Engine::plan() const { return state_->plan; }
ReservationUses::Use Engine::use_of(const Reservation& reservation) const {
  return state_->allocations.use_of(reservation);
}
const Statistics& Engine::statistics() const {
  return state_->shown = state_->statistics.to_date(state_->cluster, state_->accounted);
}
const Statistics& Engine::statistics_of_ended() const { return state_->statistics; }
const FairshareHistory& Engine::fairshare() const { return state_->fairshare.history(); }
const std::deque<EndedJob>& Engine::ended_jobs() const { return state_->job_ends.of_late(); }
void Engine::learn(const JobTraits& job, Seconds run, Time ended) {
  state_->learning.learn(job, run, ended);
}
void Engine::note_shown_start(JobId job, Time expected, Time by_limits) {
  state_->learning.note_shown_start(job, expected, by_limits);
}
void Engine::forget_learned() { state_->learning.forget(); }
const RunTimeLearning& Engine::learning() const { return state_->learning; }
void Engine::begin_fairshare(FairshareHistory known) { state_->fairshare.begin(std::move(known)); }
std::string_view Engine::resource_manager() const { return state_->rm->name(); }
std::vector<UnusedAttribute> Engine::unused_attributes(JobId id) const {
  return state_->rm->unused_attributes_of_job(state_->cluster.job(id));
}
std::vector<UnusedAttribute> Engine::unused_attributes(NodeId id) const {
  return state_->rm->unused_attributes_of_node(state_->cluster.node(id));
}

std::vector<RmRecord> Engine::rm_records() const {
  if (auto own = state_->rm->records(); !own.empty()) return own;
  RmRecord record = state_->rm_record;
  record.name = state_->rm->name();
  return {std::move(record)};
}
std::vector<std::string> Engine::managers_not_heard() const {
  std::vector<std::string> names;
  for (RmRecord& record : rm_records())
    if (record.answered < Time(0)) names.push_back(std::move(record.name));
  return names;
}
std::int64_t Engine::iteration() const { return state_->iteration; }
Time Engine::started_at() const { return state_->started_at; }
bool Engine::trace_exhausted() const { return state_->exhausted; }

bool Engine::finished() const {
  const Cluster& cluster = state_->cluster;
  if (!state_->exhausted || !cluster.active().empty() || !cluster.suspended().empty()) return false;
  const auto queue = cluster.waiting();
  return std::all_of(queue.begin(), queue.end(), [&](const Waiting& line) {
    // With nothing else that could end, what a job depends on will not come about.
    return line.held || (line.special && !cluster.job(line.job).dependencies_met());
  });
}

Time Engine::next_event() const {
  const State& state = *state_;
  return std::min({state_->next_besides_reservations(), state.reservations.next_event(),
                   next_reservation_boundary(state.cluster, state.now())});
}

/// The next event but for those of reservations: of the resource manager, a start date, the end of
/// a deferral, a job that may start under another account, one that may be resumed, a start that
/// may be asked for again.
Time Engine::State::next_besides_reservations() {
  Time next = rm->next_event();
  next = std::min({next, start_dates.next(now()), holds.next_release()});
  if (launches.changed_account_at() == now()) next = std::min(next, now() + Seconds(1));
  for (const JobId id : cluster.suspended())  // then it may go on
    if (const Time rested = cluster.job(id).suspended_since + kLeastSuspension; rested > now())
      next = std::min(next, rested);
  return std::min(next, refused_starts.next(cluster, now()));
}

Time Engine::next_change(Time before) const {
  const State& state = *state_;
  const Cluster& cluster = state.cluster;
  const Settings& settings = state.settings;
  const Time now = state.now();
  const bool waits = !cluster.waiting().empty();
  const Time window = waits ? window_end(settings.fairshare, now) : kForever;
  Time next = std::min({window, maui::next_change(cluster, settings, state.plan, now),
                        next_rejection(cluster, settings, state.plan, now)});
  const FairshareAhead ahead = waits ? fairshare_ahead(state, now) : FairshareAhead{};
  next = std::min(next, next_cap(cluster, settings, ahead, now, std::min(before, next)));
  return std::min(next,
                  next_order(cluster, settings, state.plan, now, std::min(before, next), ahead));
}

bool Engine::at_rest() const {
  State& state = *state_;
  const Settings& settings = state.settings;
  if (!state.exhausted || !state.cluster.active().empty() || !state.cluster.suspended().empty())
    return false;
  Seconds recurring{0};
  if (state.reservations.next_event() < kForever ||
      next_order(state.cluster, settings, state.plan, state.now(), kForever) < kForever)
    recurring = kLongestPeriod;
  if (FairshareStanding(state.cluster, settings).any_blocked())
    recurring = std::max(
        recurring, settings.fairshare.interval * (std::int64_t{settings.fairshare.depth} + 1));
  if (state.now() - state.last_activity < recurring) return false;
  // Where something recurs, only administrative reservations come once: those of jobs move.
  const Time next = recurring > Seconds(0)
                        ? std::min(state.next_besides_reservations(),
                                   next_reservation_boundary(state.cluster, state.now(),
                                                             ReservationKind::administrative))
                        : next_event();
  return next >= kForever &&
         maui::next_change(state.cluster, settings, state.plan, state.now()) >= kForever &&
         next_rejection(state.cluster, settings, state.plan, state.now()) >= kForever;
}

StopRule& Engine::stop_rule() { return state_->stop; }
const StopRule& Engine::stop_rule() const { return state_->stop; }
Cluster& Engine::names() { return state_->cluster; }

void Engine::set_settings(Settings settings) {
  State& state = *state_;
  const Settings old = std::exchange(state.settings, std::move(settings));
  if (old.simulation.stop_iteration != state.settings.simulation.stop_iteration)
    state.stop.at_iteration = stop_iteration(state.settings);
  if (old.display.plot != state.settings.display.plot)
    state.statistics.restart_grid(state.settings.display.plot, now());
  if (old.priority != state.settings.priority) state.priority_bounds.settings_changed();
  if (old.standing_reservations != state.settings.standing_reservations)
    state.reservations.settings_changed(old.standing_reservations);
  state.reported_nodes.settings_changed(old);
  state.entitlements.note_partitions();
  state.learning.settings_changed();
  state.entitlements.settings_changed(old);
}

void Engine::reset_statistics() {
  state_->statistics.restart(state_->settings, now());
  state_->accounted = now();
  state_->cluster.reset_node_use(now());
}

}  // namespace maui
