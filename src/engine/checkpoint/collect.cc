// Collects the state for a checkpoint that no resource manager would report again.
#include "engine/checkpoint/collect.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/engine.h"
#include "engine/parts.h"
#include "sched/reservations/standing.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

std::map<std::string_view, const CheckpointedJob*> in_order(
    const std::unordered_map<std::string, CheckpointedJob>& saved_jobs) {
  std::map<std::string_view, const CheckpointedJob*> ordered;
  for (const auto& [name, saved] : saved_jobs) ordered.emplace(name, &saved);
  return ordered;
}

bool nothing_promised(const RunTimes::OfJob& job) {
  return job.promised >= kForever && job.fair_wait >= kUnlimited;
}

/// True if the job was moved to BANKFALLBACKACCOUNT.
bool on_fallback(const EngineKnowledge& known, const Job& job) {
  const auto& fallback = known.settings.allocations.fallback_account;
  return !fallback.empty() && job.credentials.account == known.cluster.accounts.find(fallback);
}

/// True if the job keeps its priority reservation until it starts.
bool keeps_place(const EngineKnowledge& known, const Job& job) {
  return job.waiting() && job.reservation.valid() && keeps_reservations(known.settings);
}

/// True if a new scheduler would learn everything about the job from reports.
bool nothing_to_checkpoint(const EngineKnowledge& known, const Job& job) {
  const bool untouched = job.own_holds == 0 && job.failures == JobFailures{} &&
                         job.system_priority == SystemPriority{} && !job.qos_set;
  const bool never_ran = job.waiting() && job.start_count == 0 && job.kept_run == Seconds(0) &&
                         job.accounted_until == Time(0);
  const bool dependencies_open = std::none_of(
      job.dependencies.begin(), job.dependencies.end(),
      [](const Dependency& dependency) { return dependency.state == DependencyState::met; });
  return untouched && never_ran && dependencies_open && known.cluster.bypasses(job.id) == 0 &&
         job.queued == job.submitted &&
         job.eligible_since - job.submitted <= known.settings.poll_interval &&
         !on_fallback(known, job) && !keeps_place(known, job) &&
         nothing_promised(known.cluster.run_times.of(job.id));
}

}  // namespace

CheckpointedJob checkpointed(const EngineKnowledge& known, const Job& job, Time now) {
  CheckpointedJob saved = checkpointed(known.cluster, job, now);
  // The job may have ended while its resource manager was silent.
  if (const auto heard = known.managers.heard(job.resource_manager); saved.run && heard) {
    const Time changed = job.suspended() ? job.suspended_since : job.started;
    saved.seen = std::min(saved.seen, std::max(changed, *heard));
  }
  // The job has been reported as waiting since then.
  for (const DoubtedJob& doubted : known.unexpected)
    if (doubted.job == job.id && doubted.arrival == job.arrival &&
        doubted.reported == JobState::idle)
      saved.seen = std::min(saved.seen, doubted.since);
  if (saved.run) saved.charged = known.fairshare.charged(job);
  saved.promised = known.cluster.run_times.of(job.id).promised;
  saved.promised_last = known.cluster.run_times.of(job.id).promised_last;
  saved.fair_wait = known.cluster.run_times.of(job.id).fair_wait;
  if (on_fallback(known, job)) saved.account = known.settings.allocations.fallback_account;
  if (keeps_place(known, job)) {
    const Reservation& kept = known.cluster.reservation(job.reservation);
    saved.reserved = kept.start;
    saved.reserved_on = shares_of(known.cluster, kept);
  }
  return saved;
}

Checkpoint Engine::checkpoint() const {
  EngineParts& parts = *parts_;
  const EngineKnowledge& known = parts.known;
  Checkpoint made;
  made.when = known.pending_restore.unaccounted_since.value_or(known.accounted);
  const Cluster& cluster = this->cluster();  // brings lazily updated values up to date
  for (const JobId id : cluster.jobs())
    if (const Job& job = cluster.job(id); !nothing_to_checkpoint(known, job))
      made.jobs.push_back(checkpointed(known, job, now()));
  for (const auto& [name, saved] : in_order(known.pending_restore.jobs))
    made.jobs.push_back(*saved);
  for (const ReservationId id : cluster.reservations())
    if (const Reservation& reservation = cluster.reservation(id);
        reservation.kind != ReservationKind::job && reservation.resource_manager.empty()) {
      made.reservations.push_back(checkpointed(cluster, reservation));
      made.reservations.back().life = known.triggers.life_of(reservation);
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
  const auto& lately = parts.job_ends.accounted();
  made.ended.assign(lately.begin(), lately.end());
  const auto& completed = ended_jobs();
  made.completed.assign(completed.begin(), completed.end());
  made.heard = known.managers.all_heard();
  const auto& standing = known.settings.standing_reservations;
  for (const Cluster::Waiver& waiver : cluster.waivers()) {
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
