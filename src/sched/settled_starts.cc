#include "sched/settled_starts.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "model/placement.h"
#include "sched/cycle_state.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

/// Returns the start of that job among these, or their end.
template <class Starts>
auto start_of(Starts& starts, JobId job) {
  return std::find_if(starts.begin(), starts.end(),
                      [job](const SettledStart& one) { return one.start.job == job; });
}

/// Decides on the start, if there is room once its victims have left; false: there is none.
bool commit(CycleState& state, const SettledStart& settled) {
  const auto& order = state.plan().order;
  const StartJob& start = settled.start;
  const auto line = std::find_if(order.begin(), order.end(),
                                 [&](const Plan::Ranked& one) { return one.job == start.job; });
  if (line == order.end()) return false;
  const auto rank = static_cast<std::size_t>(line - order.begin());
  auto& timeline = state.timeline();
  for (const PreemptJob& victim : settled.victims) {
    timeline.vacate(victim.job);
    state.discount(state.cluster().job(victim.job));
  }
  const Request shape = started_request(state.cluster(), start);
  const bool room = timeline.model().has_room(state.job(rank), shape, start.placement, state.now());
  const bool starts = room && state.within_limits(state.job(rank), shape, start.placement);
  for (const PreemptJob& victim : settled.victims) {
    const Job& job = state.cluster().job(victim.job);
    state.count_again(job);
    if (starts)
      state.commit_preemption(job, victim.how, start.job);
    else
      timeline.put_back(job.id);
  }
  if (!starts) return false;
  Slot slot{state.now(), partition_of(state.cluster(), start.placement), start.placement};
  state.commit_start(rank, std::move(slot), start.backfilled, start.alternative, shape);
  return true;
}

}  // namespace

void commit_settled(CycleState& state, const std::vector<SettledStart>& settled) {
  for (const SettledStart& one : settled) {
    state.give_up(one.start.job);
    for (const JobId id : one.displaced) state.give_up(id);
  }
  for (const SettledStart& one : settled)
    if (commit(state, one)) state.settled().push_back(one);
}

void note_displaced(CycleState& state, JobId preemptor, JobId displaced) {
  auto& settled = state.settled();
  SettledStart taker{StartJob{preemptor, {}}};
  if (const auto before = start_of(settled, preemptor); before != settled.end()) {
    taker = std::move(*before);
    settled.erase(before);
  }
  taker.displaced.push_back(displaced);
  if (const auto lost = start_of(settled, displaced); lost != settled.end()) {
    std::move(lost->displaced.begin(), lost->displaced.end(), std::back_inserter(taker.displaced));
    settled.erase(lost);
  }
  settled.push_back(std::move(taker));
}

std::vector<SettledStart> settled_starts(CycleState& state,
                                         const std::vector<SettledStart>& begun) {
  const auto& settled = state.settled();
  std::vector<SettledStart> found;
  bool more = false;
  if (settled.empty()) return found;
  for (const Decision& decision : state.plan().decisions)
    if (const auto* start = std::get_if<StartJob>(&decision))
      if (const auto one = start_of(settled, start->job); one != settled.end()) {
        found.push_back({*start, {}, one->displaced});
        more = more || start_of(begun, start->job) == begun.end();
      }
  if (!more) return {};
  for (const Decision& decision : state.plan().decisions)
    if (const auto* victim = std::get_if<PreemptJob>(&decision))
      if (const auto one = start_of(found, victim->preemptor); one != found.end())
        one->victims.push_back(*victim);
  return found;
}

}  // namespace maui
