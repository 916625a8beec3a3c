// Restores a checkpoint: its jobs and reservations find their place as they are reported.
#include <algorithm>
#include <utility>

#include "engine/state.h"

namespace maui {
void Engine::restore(Checkpoint checkpoint, Seconds clock_set) {
  State& state = *state_;
  if (clock_set != Seconds(0)) {
    state.note_step(clock_set);
    shift(checkpoint, clock_set);
  }
  state.pending_restore.when = checkpoint.when;
  state.pending_restore.unaccounted_since = std::min(checkpoint.when, now());
  const Seconds expiration = state.settings.server.checkpoint_expiration;
  for (CheckpointedJob& saved : checkpoint.jobs)
    if (expiration >= kUnlimited || now() - saved.seen <= expiration)
      state.pending_restore.jobs.emplace(saved.name, std::move(saved));
  state.pending_restore.reservations = std::move(checkpoint.reservations);
  for (Cluster::Waiver& waiver : checkpoint.waivers) state.cluster.waive(std::move(waiver));
  state.triggers.resume(checkpoint.triggers_asked, std::move(checkpoint.triggers_later));
  state.reservation_numbers = std::move(checkpoint.reservation_numbers);
  state.statistics = std::move(checkpoint.statistics);
  if (checkpoint.fairshare)
    state.pending_restore.charges = state.fairshare.resume(
        *std::move(checkpoint.fairshare), state.settings.fairshare, checkpoint.in_good_order);
  if (checkpoint.learned) state.learning.restore(*checkpoint.learned);
  state.job_ends.restore(std::move(checkpoint.ended), std::move(checkpoint.completed));
  state.managers.restore_heard(std::move(checkpoint.heard));
  state.allocations.resume(std::move(checkpoint.charges), std::move(checkpoint.idle));
}

}  // namespace maui
