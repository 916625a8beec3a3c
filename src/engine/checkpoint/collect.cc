// Collects the state for a checkpoint that no resource manager would report again.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/checkpoint/checkpointed_job.h"
#include "engine/engine.h"
#include "engine/parts.h"
#include "sched/reservations/standing.h"

namespace maui {
namespace {

std::multimap<std::string_view, const CheckpointedJob*> in_order(
    const PendingRestore::Jobs& saved_jobs) {
  std::multimap<std::string_view, const CheckpointedJob*> ordered;
  for (const auto& [name, saved] : saved_jobs) ordered.emplace(name, &saved);
  return ordered;
}

}  // namespace

Checkpoint Engine::checkpoint() const {
  std::vector<CheckpointedJob> jobs;
  Checkpoint made = checkpoint([&](const CheckpointedJob& job) { jobs.push_back(job); });
  made.jobs = std::move(jobs);
  return made;
}

Checkpoint Engine::checkpoint(const TakeJob& take_job) const {
  EngineParts& parts = *parts_;
  const EngineKnowledge& known = parts.known;
  Checkpoint made;
  made.when = known.pending_restore.unaccounted_since.value_or(known.accounted);
  const Cluster& cluster = this->cluster();  // brings lazily updated values up to date
  for (const JobId id : cluster.jobs())
    if (const Job& job = cluster.job(id); !nothing_to_checkpoint(known, job))
      take_job(checkpointed(known, job, now()));
  for (const auto& [name, saved] : in_order(known.pending_restore.jobs)) {
    CheckpointedJob job = *saved;
    job.seen = last_known(known.pending_restore, *saved);
    take_job(job);
  }
  for (const ReservationId id : cluster.reservations())
    if (const Reservation& reservation = cluster.reservation(id);
        reservation.kind != ReservationKind::job && reservation.resource_manager.empty()) {
      made.reservations.push_back(checkpointed(cluster, reservation));
      made.reservations.back().life = known.triggers.life_of(reservation);
      made.reservations.back().use = known.reservation_uses.of(reservation);
      for (const UnknownShares& rest : known.pending_restore.unknown_shares)
        if (rest.reservation == id && rest.serial == reservation.serial)
          for (const NamedShare& share : rest.shares)
            made.reservations.back().shares.push_back(share);
    }
  for (const CheckpointedReservation& saved : known.pending_restore.reservations) {
    const auto same = [&](const auto& other) {
      return is_same_reservation(other.terms, saved.terms);
    };
    std::erase_if(made.reservations, same);  // made anew on other nodes meanwhile
    made.reservations.push_back(saved);
  }
  made.ended = parts.job_ends.accounted();
  const auto& completed = ended_jobs();
  made.completed.assign(completed.begin(), completed.end());
  for (const auto& [name, run] : known.pending_restore.recorded) made.recorded.push_back(run);
  made.heard = known.managers.all_heard();
  made.heard_before = known.managers.all_heard_before();
  made.clock_step = known.clock_steps.last();
  made.earlier_steps = known.clock_steps.earlier();
  made.clock_sum = known.clock_steps.sum();
  const auto& standing = known.settings.standing_reservations;
  for (const Waiver& waiver : cluster.waivers.all()) {
    const auto entry = std::find_if(standing.begin(), standing.end(), [&](const auto& any) {
      return standing_name(any) == waiver.standing;
    });
    made.waivers.push_back({waiver.standing, waiver.period,
                            entry == standing.end() ? "" : terms_text(cluster, entry->second)});
  }
  made.triggers_asked = known.triggers.asked();
  made.triggers_later = known.triggers.later();
  made.reservation_numbers = known.reservation_numbers;
  made.statistics = known.statistics;
  made.fairshare = known.fairshare.history();
  // With NONE, too: learned run times remain available if learning is enabled again.
  auto learned = known.learning.memory();
  if (known.settings.learning.use != LearningUse::none || !learned.rings.empty())
    made.learned = std::move(learned);
  made.charges = charges_due();
  made.idle = parts.allocations.idle();
  return made;
}

}  // namespace maui
