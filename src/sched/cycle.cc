#include "sched/cycle.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "sched/cycle_state.h"
#include "sched/rules/partition_policies.h"
#include "sched/settled_starts.h"
#include "sched/suspended.h"

namespace maui {
namespace {

// Separates jobs that reservations block (they would start if they were shorter) from jobs that
// lack free processors.  Examines only the first jobs and requests: each test is costly.
void find_blocked_by_reservations(CycleState& state) {
  constexpr std::size_t kJobs = 1000, kRequests = 4;
  constexpr Seconds kShorter{1};
  auto& timeline = state.timeline();
  const auto look = [&](std::size_t rank) {
    const Job& job = state.job(rank);
    if (timeline.passes_over(job, state.request(rank))) return Reason::passed_over;
    const Request& request = state.request(rank);
    // If all tasks of a request without a shape have room, the request has a placement.
    const bool by_count = request.requirements.size() == 1 &&
                          !request.requirements.front().shaped() && !request.node_set &&
                          !request.by_speed && !request.names_nodes() &&
                          !timeline.repacks_for(request);
    const auto fits = [&] {
      Request shape = request;
      shape.limit = kShorter;
      return timeline.fits_now(job, shape).has_value();
    };
    if (by_count ? timeline.may_fit_now(job, request, kShorter) : fits())
      return Reason::reservations_block;
    const bool plain = !request.node_set && job.required_reservation.empty();
    return plain ? Reason::requirements : Reason::idle_procs;
  };
  if (!state.anything_free()) return;
  std::vector<Reason> found(state.cluster().request_slots(), Reason::none);  // none: not known
  std::size_t jobs = 0, requests = 0;
  for (std::size_t rank = 0; rank < state.jobs() && jobs < kJobs; ++rank) {
    if (state.reason(rank) != Reason::idle_procs) continue;
    ++jobs;
    Reason& reason = found[state.plan().order[rank].request.index()];
    if (reason == Reason::none) {
      const bool fits = state.request(rank).total_procs() <= state.free_procs();
      reason = fits && requests++ < kRequests ? look(rank) : Reason::idle_procs;
    }
    state.reason(rank) = reason;
  }
}

// True if the job would have been backfilled with the shorter limit.
bool would_start(CycleState& state, const RunTimes::Shorter& asked) {
  if (!state.anything_free()) return false;
  const auto& order = state.plan().order;
  const auto line = std::find_if(order.begin(), order.end(), [&](const Plan::Ranked& ranked) {
    return ranked.job == asked.job;
  });
  if (line == order.end()) return false;
  const auto rank = static_cast<std::size_t>(line - order.begin());
  const Reason why = state.reason(rank);
  if (why != Reason::idle_procs && why != Reason::requirements && why != Reason::not_reached &&
      why != Reason::reservations_block)
    return false;
  if (state.no_backfill(rank) || state.backfill_policy(rank) == BackfillPolicy::none) return false;
  if (state.request(rank).total_procs() > state.free_procs()) return false;
  Request shape = state.request(rank);
  shape.limit = asked.limit;
  const auto slot = state.timeline().fits_now(state.job(rank), shape);
  return slot && state.within_limits(state.job(rank), shape, slot->placement);
}

}  // namespace

CyclePlanner::CyclePlanner() : memory_(std::make_unique<CycleMemory>()) {}
CyclePlanner::~CyclePlanner() = default;
CyclePlanner::CyclePlanner(CyclePlanner&&) noexcept = default;
CyclePlanner& CyclePlanner::operator=(CyclePlanner&&) noexcept = default;

void CyclePlanner::choose_with(NodeSelector* selector) { memory_->timeline.choose_with(selector); }

void CyclePlanner::keep_at_most(std::int64_t jobs) { memory_->most_kept = jobs; }

void CyclePlanner::judge_in(std::shared_ptr<FeasibleRequests> feasible) {
  memory_->feasible = std::move(feasible);
}

Plan plan(const Cluster& cluster, const Settings& settings, Time now) {
  return CyclePlanner().plan(cluster, settings, now);
}

// A preemptor would take in the next plan what this one has started.
Plan CyclePlanner::plan(const Cluster& cluster, const Settings& settings, Time now) {
  constexpr int kMostAttempts = 6;
  Foreknown known;
  for (int i = 1;; ++i)
    if (auto made = attempt(known, cluster, settings, now, i == kMostAttempts))
      return *std::move(made);
}

std::optional<Plan> CyclePlanner::attempt(Foreknown& known, const Cluster& cluster,
                                          const Settings& settings, Time now, bool last) {
  CycleState state(*memory_, cluster, settings, now);
  select_jobs(state, known.let_in);
  commit_settled(state, known.settled);
  resume_jobs(state);
  serve_reserved_jobs(state);
  serve_waiting_jobs(state);
  if (!last) {
    if (auto more = settled_starts(state, known.settled); !more.empty()) {
      known.settled = std::move(more);
      return std::nullopt;
    }
    if (known.let_in.empty()) {
      known.let_in = preemptors_to_let_in(state);
      if (!known.let_in.empty()) return std::nullopt;
    }
  }
  settle_reservations(state);
  stall_limited_jobs(state);
  find_blocked_by_reservations(state);
  if (const auto& asked = cluster.run_times.shorter)
    state.plan().shorter_starts = would_start(state, *asked);
  return std::move(state.plan());
}

void settle_reservations(CycleState& state) {
  const auto& cluster = state.cluster();
  const auto& held = state.timeline().held();
  auto& decisions = state.plan().decisions;
  const bool kept = keeps_reservations(state.settings());
  // The reservation of a job that starts ends with the start.
  std::vector<JobId> stay;
  for (const auto& planned : held) stay.push_back(planned.job);
  for (const auto& decision : decisions)
    if (const auto* start = std::get_if<StartJob>(&decision)) stay.push_back(start->job);
  std::sort(stay.begin(), stay.end());
  std::vector<Decision> drops;
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job &&
        !std::binary_search(stay.begin(), stay.end(), reservation.job))
      drops.emplace_back(DropReservation{id});
  }
  decisions.insert(decisions.begin(), drops.begin(), drops.end());
  for (const auto& planned : held) {
    state.plan().first_reserved = std::min(state.plan().first_reserved, planned.start);
    if (planned.of->reservation.valid()) {
      const auto& old = cluster.reservation(planned.of->reservation);
      if (old.start == planned.start && old.nodes == planned.placement) continue;
      // Another reservation may move to the place that this one leaves.
      if (kept) state.plan().reservations_earliest = false;
    }
    decisions.push_back(ReserveJob{planned.job, planned.start, planned.placement});
  }
}

}  // namespace maui
