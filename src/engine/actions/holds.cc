// Holds on jobs (guide 11.1), and who is told of them (guide 14.4).
#include <fmt/format.h>

#include "base/date.h"
#include "engine/state.h"
#include "model/placement.h"

namespace maui {

void Engine::State::place_hold(JobId id, Hold hold, const HoldReason& reason) {
  std::uint8_t holds = cluster.job(id).holds;
  put(holds, hold);
  cluster.set_holds(id, holds, reason);
  notify_of_hold(id, hold);
}

void Engine::State::notify_of_hold(JobId id, Hold hold) {
  const Job& job = cluster.job(id);
  const HoldReason& reason = job.hold_reason;
  log(2, "fSCHED", [&] {
    return fmt::format("job '{}' {}: {}", job.name,
                       hold == Hold::defer
                           ? fmt::format("deferred for {} seconds", settings.jobs.defer_time.raw())
                           : std::string("held"),
                       reason.text);
  });
  journal.notify(EventType::job_hold, [&] {
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
    deferrals.add(failures.deferred_until, id);
  }
  cluster.set_failures(id, failures);
  place_hold(id, for_good ? Hold::batch : Hold::defer, reason);
}

void Engine::State::release_deferred() {
  for (const JobId id : deferrals.take_over(cluster, now()))
    if (has(cluster.job(id).holds, Hold::defer)) end_deferral(id);
  for (const JobId id : deferrals.take_feasible(cluster))
    if (has(cluster.job(id).holds, Hold::defer)) end_deferral(id);
}

void Engine::State::end_deferral(JobId id) {
  last_activity = now();
  const Job& job = cluster.job(id);
  std::uint8_t holds = job.holds;
  put(holds, Hold::defer, false);
  JobFailures failures = job.failures;
  failures.deferred_until = kForever;
  cluster.set_failures(id, failures);
  cluster.set_holds(id, holds, holds == 0 ? HoldReason() : *job.hold_reason);
  if (holds == 0) cluster.set_eligible_since(id, now());
  log(2, "fSCHED", [&] { return fmt::format("job '{}' is deferred no longer", job.name); });
}

void Engine::State::note_reservation(const Reservation& made) {
  log(3, "fSCHED", [&] {
    return fmt::format("reservation '{}' made on {} nodes: it begins {}", made.name,
                       node_count(made.nodes), format_date(made.start, true));
  });
  journal.placement("reservation", made.name, made.nodes);
  notify_of(EventType::reservation_created, made);
}

/// RESERVATIONCREATED <name> <type> <owner> <now> <start> <end> <nodes>, RESERVATIONDESTROYED the
/// same without the owner (guide 14.4).  The end of one without end is 0.
void Engine::State::notify_of(EventType type, const Reservation& reservation) {
  journal.notify(type, [&] {
    const bool of_job = reservation.kind == ReservationKind::job;
    std::vector<std::string> words{reservation.name, of_job ? "Job" : "User"};
    if (type == EventType::reservation_created)
      words.push_back(of_job ? cluster.job(reservation.job).name : reservation.name);
    for (const Time when : {now(), reservation.start, reservation.end})
      words.push_back(std::to_string(when < kForever ? when.raw() : 0));
    words.push_back(std::to_string(node_count(reservation.nodes)));
    return words;
  });
}

}  // namespace maui
