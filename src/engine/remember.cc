// Checkpoints: what is to be remembered, and how a scheduler goes on with what another remembered.
#include <fmt/format.h>

#include <algorithm>

#include "engine/state.h"

namespace maui {

Checkpoint Engine::checkpoint() const {
  const State& state = *state_;
  Checkpoint made;
  made.when = state.unaccounted_since.value_or(state.accounted);
  const Cluster& known = cluster();  // with what is kept loosely brought up to date
  for (const JobId id : known.jobs()) made.jobs.push_back(memory_of(known, known.job(id), now()));
  for (const auto& [name, memory] : state.remembered) made.jobs.push_back(memory);
  std::sort(made.jobs.begin(), made.jobs.end(),
            [](const JobMemory& a, const JobMemory& b) { return a.name < b.name; });
  for (const ReservationId id : known.reservations())
    if (const Reservation& one = known.reservation(id); one.kind != ReservationKind::job) {
      made.reservations.push_back(memory_of(known, one));
      made.reservations.back().life = state.triggers.life_of(one);
    }
  for (const ReservationMemory& one : state.remembered_reservations) {
    const auto same = [&](const auto& other) { return other.terms.name == one.terms.name; };
    std::erase_if(made.reservations, same);  // a part of it: some nodes are not known yet
    made.reservations.push_back(one);
  }
  made.waivers = known.waivers();
  made.triggers_asked = state.triggers.asked();
  made.reservation_numbers = state.reservation_numbers;
  made.statistics = state.statistics;
  return made;
}

void Engine::restore(Checkpoint checkpoint) {
  State& state = *state_;
  const Seconds expiration = state.settings.server.checkpoint_expiration;
  for (JobMemory& one : checkpoint.jobs)
    if (expiration >= kUnlimited || now() - one.seen <= expiration)
      state.remembered.emplace(one.name, std::move(one));
  std::erase_if(checkpoint.reservations,
                [&](const ReservationMemory& one) { return one.terms.end <= now(); });
  state.remembered_reservations = std::move(checkpoint.reservations);
  for (Cluster::Waiver& one : checkpoint.waivers) state.cluster.waive(std::move(one));
  state.triggers.resume(checkpoint.triggers_asked);
  state.reservation_numbers = std::move(checkpoint.reservation_numbers);
  state.statistics = std::move(checkpoint.statistics);
  state.unaccounted_since = checkpoint.when;
}

std::optional<JobMemory> Engine::State::memory_for(const Job& job) {
  auto known = remembered.extract(job.name);
  // Or it is another job of the same name.
  if (known.empty() || known.mapped().submitted != job.submitted) return std::nullopt;
  return std::move(known.mapped());
}

void Engine::State::recall_in_queue(const JobMemory& memory, JobId id) {
  if (has(memory.holds, Hold::defer)) release_at(memory.failures.deferred_until, id);
  if (!memory.qos.empty()) give_qos(id, cluster.qos.intern(memory.qos));
}

void Engine::State::recall_reservations() {
  std::erase_if(remembered_reservations, [this](const ReservationMemory& one) {
    if (one.terms.end <= now()) return true;
    Reservation wanted = one.terms;
    for (const auto& share : one.shares)
      if (const NodeId node = cluster.find_node(share.node); node.valid())
        wanted.nodes.push_back({node, share.tasks, share.requirement});
    if (wanted.nodes.empty()) return false;
    const bool whole = wanted.nodes.size() == one.shares.size();
    if (!whole)
      log(1, "fSCHED", [&] {
        return fmt::format("WARNING: reservation '{}': {} of its {} nodes are not known yet",
                           wanted.name, one.shares.size() - wanted.nodes.size(), one.shares.size());
      });
    next_expiry = std::min(next_expiry, wanted.end);
    auto known = cluster.find_reservation(wanted.name);
    if (known.valid())
      cluster.change_reservation(known, std::move(wanted));
    else
      known = cluster.add_reservation(std::move(wanted));
    triggers.recall(cluster.reservation(known), one.life);
    return whole;
  });
}

/// The time in which no scheduler ran: active jobs used their nodes then, too.
void Engine::State::account_gap() {
  if (!unaccounted_since) return;
  for (const Active& row : cluster.active())
    statistics.account_run(cluster, row.job, *unaccounted_since, now());
  statistics.account_availability(cluster, now() - *unaccounted_since);
  unaccounted_since.reset();
}

}  // namespace maui
