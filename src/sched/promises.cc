#include "sched/promises.h"

#include <algorithm>
#include <utility>

#include "model/placement.h"
#include "sched/placement/completion_date.h"

namespace maui {

bool note_promises(Cluster& cluster, const Plan& plan) {
  if (!plan.promises) return false;
  bool earliest = false;
  RunTimes& times = cluster.run_times;
  for (const JobId id : times.promised_last) times.at(id).promised_last = false;
  times.promised_last.clear();
  for (const Plan::Promise& promise : *plan.promises) {
    RunTimes::OfJob& of_job = times.at(promise.job);
    earliest = earliest || promise.start < of_job.promised;
    of_job.promised = std::min(of_job.promised, promise.start);
    of_job.promised_last = true;
    times.promised_last.push_back(promise.job);
  }
  return earliest;
}

Time latest_promise(const Cluster& cluster, const Settings& settings, const Job& job) {
  if (!job.reservation.valid()) return kForever;
  const auto& learning = settings.learning;
  const Time reserved = cluster.reservation(job.reservation).start;
  if (!learning.decides()) return reserved;
  if (learning.reservation_slack >= kUnlimited) return kForever;
  // As long as no resources are free, no promise is stored: then this value becomes the promise.
  const Time best = std::min(cluster.run_times.of(job.id).promised, reserved);
  return std::max(reserved, best + learning.reservation_slack);
}

Promises::Promises(CycleState& state) : state_(state) {
  if (!state.settings().learning.decides() || !state.anything_free()) return;
  // The soft pass may have promised earlier starts already.
  const auto before = std::exchange(state.plan().promises, std::nullopt);
  auto& promises = state.plan().promises.emplace();
  std::vector<std::size_t> reserved;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (state.reason(rank) != Reason::reserved_later) continue;
    const auto* held = state.timeline().held_by(state.job(rank).id);
    if (!held) continue;
    reserved.push_back(rank);
    promises.push_back({held->job, held->start});
    if (!before) continue;
    for (const Plan::Promise& promise : *before)
      if (promise.job == held->job) promises.back().start = std::min(held->start, promise.start);
  }
  starts_before_ = state.plan().starts;
  if (state.settings().learning.reservation_slack <= Seconds(0)) return;
  Time first = kForever;
  for (const auto& promise : promises) first = std::min(first, promise.start);
  if (!in_the_way(first)) return;
  // Starts with the last reservation: when it moves, there is room for those before it.
  std::for_each(reserved.rbegin(), reserved.rend(), [this](std::size_t rank) { loosen(rank); });
  if (reserved.size() > 1 && !moved_.empty()) state.forget_misfits();  // some blocked others
}

// A job that ends before all reservations blocks none of them, wherever they are.
bool Promises::in_the_way(Time first) const {
  for (std::size_t rank = 0; rank < state_.jobs(); ++rank) {
    if (!state_.open(rank)) continue;
    const auto& request = state_.request(rank);
    if (state_.has_alternatives(rank)) return true;
    if (request.total_procs() <= state_.free_procs() &&
        (request.by_speed || state_.now() + request.limit > first))
      return true;
  }
  return false;
}

void Promises::loosen(std::size_t rank) {
  const auto& held = *state_.timeline().held_by(state_.job(rank).id);
  const Slot first{held.start, partition_of(state_.cluster(), held.placement), held.placement};
  const auto& promises = *state_.plan().promises;
  const auto promise = std::find_if(promises.begin(), promises.end(),
                                    [&](const auto& any) { return any.job == held.job; });
  const Time best = std::min(state_.cluster().run_times.of(held.job).promised, promise->start);
  // INFINITY is longer than every limit, but must still give a valid time.
  constexpr Seconds kLongest{std::int64_t{1} << 30};
  const auto& job = state_.job(rank);
  const Time slack = best + std::min(state_.settings().learning.reservation_slack, kLongest);
  const Time last = std::min(slack, latest_start(state_.cluster(), job, state_.request(rank)));
  if (last <= first.start) return;
  auto& timeline = state_.timeline();
  timeline.release(job.id);
  const auto later = timeline.earliest(job, state_.request(rank), last, last);
  const bool in_time =
      later &&
      later->start <= latest_start(state_.cluster(), job, state_.request(rank), later->placement);
  if (in_time) moved_.push_back({rank, first, last});
  const Slot& stands = in_time ? *later : first;
  timeline.hold(job, state_.request(rank), stands.placement, stands.start);
}

void Promises::settle() {
  auto& timeline = state_.timeline();
  const bool started = state_.plan().starts != starts_before_;
  for (auto moved = moved_.rbegin(); moved != moved_.rend(); ++moved) {
    const auto& job = state_.job(moved->rank);
    if (!started) {
      timeline.restate_held(job.id, moved->first.start, std::move(moved->first.placement));
      continue;
    }
    const auto& request = state_.request(moved->rank);
    const auto& nodes = timeline.held_by(job.id)->placement;
    const Slot last{moved->last, partition_of(state_.cluster(), nodes), nodes};
    timeline.release(job.id);
    const auto earliest = timeline.earliest(job, request, moved->first.start, moved->last);
    const bool in_time = earliest && earliest->start <= latest_start(state_.cluster(), job, request,
                                                                     earliest->placement);
    state_.hold_reserved(moved->rank, in_time ? *earliest : last);
  }
  moved_.clear();
}

}  // namespace maui
