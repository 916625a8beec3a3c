// Holds on jobs (guide 11.1), and who is told of them (guide 14.4).
#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "engine/state.h"
#include "model/placement.h"
#include "sched/placement/feasibility.h"

namespace maui {

void Engine::State::place_hold(JobId id, Hold hold, const HoldReason& reason) {
  const Job& job = cluster.job(id);
  std::uint8_t holds = job.holds;
  put(holds, hold);
  cluster.set_holds(id, holds, reason);
  log(2, "fSCHED", [&] {
    return fmt::format("job '{}' {}: {}", job.name,
                       hold == Hold::defer
                           ? fmt::format("deferred for {} seconds", settings.jobs.defer_time.raw())
                           : std::string("held"),
                       reason.text);
  });
  tell(EventType::job_hold, [&] {
    return std::vector{fmt::format("job '{}' {}: {}", job.name,
                                   hold == Hold::defer ? "deferred" : "held", reason.text)};
  });
}

void Engine::State::defer(JobId id, const HoldReason& reason) {
  if (settings.jobs.defer_time <= Seconds(0)) return;
  JobFailures failures = cluster.job(id).failures;
  failures.starts = 0;
  const bool for_good = failures.deferrals >= settings.jobs.defer_count;
  if (!for_good) {
    ++failures.deferrals;
    failures.deferred_until = now() + settings.jobs.defer_time;
    release_at(failures.deferred_until, id);
  }
  cluster.set_failures(id, failures);
  place_hold(id, for_good ? Hold::batch : Hold::defer, reason);
}

void Engine::State::release_at(Time when, JobId id) {
  const std::pair one(when, id);
  const auto at = std::lower_bound(deferrals.begin(), deferrals.end(), one,
                                   [](const auto& a, const auto& b) { return a.first > b.first; });
  deferrals.insert(at, one);
}

bool Engine::State::stands(const std::pair<Time, JobId>& deferral) const {
  const Job& job = cluster.job(deferral.second);
  // Somebody may have released it already, or it has gone and its id is another's.
  return job.id.valid() && has(job.holds, Hold::defer) &&
         job.failures.deferred_until == deferral.first;
}

void Engine::State::release_deferred() {
  while (!deferrals.empty() && deferrals.back().first <= now()) {
    const auto deferral = deferrals.back();
    deferrals.pop_back();
    if (stands(deferral)) end_deferral(deferral.second);
  }
  if (std::exchange(deferred_on, cluster.node_changes()) == cluster.node_changes()) return;
  std::erase_if(deferrals, [this](const auto& deferral) {
    if (!stands(deferral)) return true;
    const Job& job = cluster.job(deferral.second);
    if (job.hold_reason.cause != HoldCause::no_resources ||
        !ever_feasible(cluster, job, cluster.request(job.request)))
      return false;
    end_deferral(deferral.second);
    return true;
  });
}

void Engine::State::end_deferral(JobId id) {
  last_activity = now();
  const Job& job = cluster.job(id);
  std::uint8_t holds = job.holds;
  put(holds, Hold::defer, false);
  JobFailures failures = job.failures;
  failures.deferred_until = kForever;
  cluster.set_failures(id, failures);
  cluster.set_holds(id, holds, holds == 0 ? HoldReason() : job.hold_reason);
  if (holds == 0) cluster.set_eligible_since(id, now());
  log(2, "fSCHED", [&] { return fmt::format("job '{}' is deferred no longer", job.name); });
}

Time Engine::State::next_release() {
  while (!deferrals.empty() && deferrals.back().first <= now() && !stands(deferrals.back()))
    deferrals.pop_back();
  return deferrals.empty() ? kForever : std::max(deferrals.back().first, now() + Seconds(1));
}

void Engine::State::note_reservation(const Reservation& made) {
  log(3, "fSCHED", [&] {
    return fmt::format("reservation '{}' made on {} nodes: it begins {}", made.name,
                       node_count(made.nodes), format_date(made.start, true));
  });
  log_placement("reservation", made.name, made.nodes);
  tell_of(EventType::reservation_created, made);
}

/// RESERVATIONCREATED <name> <type> <owner> <now> <start> <end> <nodes>, RESERVATIONDESTROYED the
/// same without the owner (guide 14.4).  The end of one without end is 0.
void Engine::State::tell_of(EventType type, const Reservation& one) {
  tell(type, [&] {
    const bool of_job = one.kind == ReservationKind::job;
    std::vector<std::string> words{one.name, of_job ? "Job" : "User"};
    if (type == EventType::reservation_created)
      words.push_back(of_job ? cluster.job(one.job).name : one.name);
    for (const Time when : {now(), one.start, one.end})
      words.push_back(std::to_string(when < kForever ? when.raw() : 0));
    words.push_back(std::to_string(node_count(one.nodes)));
    return words;
  });
}

}  // namespace maui
