// Restores a checkpoint: its jobs and reservations are restored as they are reported.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/clock_step.h"
#include "engine/engine.h"
#include "engine/parts.h"
#include "sched/reservations/standing.h"

namespace maui {
namespace {

/// False if the standing reservation has been configured anew since it was waived.
bool has_same_terms(const EngineKnowledge& known, const Checkpoint::Waived& waived) {
  const auto& all = known.settings.standing_reservations;
  return waived.terms.empty() || std::none_of(all.begin(), all.end(), [&](const auto& entry) {
           return standing_name(entry) == waived.standing &&
                  terms_text(known.cluster, entry.second) != waived.terms;
         });
}

std::unordered_multimap<std::string, RunOnFile> by_name(std::vector<RunOnFile> runs) {
  std::unordered_multimap<std::string, RunOnFile> named;
  for (RunOnFile& run : runs) {
    std::string name = run.name;
    named.emplace(std::move(name), std::move(run));
  }
  return named;
}

/// With several resource managers, the name of a saved job belongs to its own until that has listed
/// its jobs, unless the job has a record.
void await_jobs(EngineKnowledge& known) {
  const PendingRestore& pending = known.pending_restore;
  if (pending.managers.size() < 2) return;
  for (const auto& [name, saved] : pending.jobs)
    if (pending.managers.contains(saved.manager) &&
        !(saved.run && is_recorded(pending, known.clock_steps, saved)))
      known.cluster.awaited_jobs.add(saved.manager, name);
}

}  // namespace

void Engine::restore(Checkpoint checkpoint, Seconds clock_set) {
  EngineParts& parts = *parts_;
  EngineKnowledge& known = parts.known;
  known.clock_steps.restore(checkpoint.clock_step, std::move(checkpoint.earlier_steps),
                            checkpoint.clock_sum);
  if (clock_set != Seconds(0)) note_clock_step(parts.tools, clock_set, checkpoint.when + clock_set);
  shift(checkpoint, clock_set);
  known.pending_restore.recorded = by_name(std::move(checkpoint.recorded));
  known.pending_restore.counted = by_name(std::move(checkpoint.counted));
  known.pending_restore.when = checkpoint.when;
  known.pending_restore.set_back = std::max(Seconds(0) - clock_set, Seconds(0));
  known.pending_restore.unaccounted_since = std::min(checkpoint.when, now());
  known.reservation_uses.begin(*known.pending_restore.unaccounted_since);
  const Seconds expiration = known.settings.server.checkpoint_expiration;
  for (CheckpointedJob& saved : checkpoint.jobs)
    if (expiration >= kUnlimited || now() - saved.seen <= expiration)
      known.pending_restore.jobs.emplace(saved.name, std::move(saved));
  known.pending_restore.managers = parts.tools.managers();
  await_jobs(known);
  known.pending_restore.reservations = std::move(checkpoint.reservations);
  for (Checkpoint::Waived& waived : checkpoint.waivers)
    if (has_same_terms(known, waived))
      known.cluster.waivers.add({std::move(waived.standing), waived.period});
  known.triggers.resume(checkpoint.triggers_asked, std::move(checkpoint.triggers_later));
  known.reservation_numbers = std::move(checkpoint.reservation_numbers);
  known.statistics = std::move(checkpoint.statistics);
  if (checkpoint.fairshare)
    known.pending_restore.charges =
        known.fairshare.resume(*std::move(checkpoint.fairshare), known.settings.fairshare,
                               checkpoint.in_good_order, checkpoint.unwritten, clock_set, now());
  if (checkpoint.learned) known.learning.restore(*checkpoint.learned);
  for (const EndedJob& ended : checkpoint.completed)
    if (!known.pending_restore.jobs.contains(ended.name))  // else a later job has that name
      known.dependencies.note(ended.name,
                              {ended.started < kForever, ended.completed && ended.exit_code == 0});
  parts.job_ends.restore(std::move(checkpoint.ended), std::move(checkpoint.completed));
  known.managers.restore_heard(std::move(checkpoint.heard), std::move(checkpoint.heard_before));
  parts.allocations.resume(std::move(checkpoint.charges), std::move(checkpoint.idle));
}

}  // namespace maui
