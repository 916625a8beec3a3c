#include "sched/availability/node_line.h"

#include <algorithm>

#include "base/sorted.h"
#include "model/sharing.h"

namespace maui {
namespace {

// Subtracts from both `amount` and `use` what they have in common, by consumable.
void cover(Resources& amount, Resources& use) {
  const auto take = [&](ConsumableId what) {
    const auto both = std::clamp(amount.get(what), 0, std::max(0, use.get(what)));
    amount.set(what, amount.get(what) - both);
    use.set(what, use.get(what) - both);
  };
  for (const auto what : {kProcs, kMemory, kSwap, kDisk}) take(what);
  const auto extras = amount.extra();  // a copy: take() changes the original
  for (const auto& [what, quantity] : extras) take(what);
}

// Limits `free` to the `room` in reservations; consumables that they do not hold stay as they are.
void confine(Resources& free, const Resources& room, const Resources& held) {
  const auto limit = [&](ConsumableId what) {
    if (what == kProcs || held.get(what) > 0)
      free.set(what, std::min(free.get(what), room.get(what)));
  };
  for (const auto what : {kProcs, kMemory, kSwap, kDisk}) limit(what);
  const auto extras = held.extra();
  for (const auto& [what, quantity] : extras) limit(what);
}

void join_in(Presence& presence, const Use& use, bool users_matter) {
  ++presence.jobs;
  if (excludes_others(use.access)) ++presence.exclusive;
  if (use.limited) ++presence.limited;
  if (!users_matter) return;
  presence.several = presence.several || (presence.user.valid() && presence.user != use.user);
  presence.user = use.user;
  if (use.access == NodeAccess::single_user) presence.owner = use.user;
}

// True if the reservation admits the job for the time of its use.
bool inside_of(const Use& use, const Block& block, const AccessSets& sets) {
  const auto* terms = sets.terms(use.set, block.reservation);
  return terms && std::min(use.end, block.end) - std::max(use.start, block.start) <= terms->overlap;
}

}  // namespace

Presence NodeLine::free_at(Time when, const Viewer& viewer, const AccessSets& sets,
                           Resources& free) const {
  Presence presence;
  int of_user = 0;
  std::vector<Use> inside;  // copies; blocks subtract what lies within them
  for (const auto& use : uses) {
    if (when < use.start || use.end <= when) continue;
    free.add(use.amount, -1);
    // A job under SINGLETASK excludes even another task of its own.
    if (use.job != viewer.self || use.access == NodeAccess::single_task)
      join_in(presence, use, viewer.users_matter);
    if (use.limited && use.user == viewer.user && use.job != viewer.self) ++of_user;
    if (!blocks.empty() && use.set != 0) inside.push_back(use);
  }
  if (viewer.max_jobs_per_user > 0 && of_user >= viewer.max_jobs_per_user) ++presence.exclusive;
  const auto left_of = [&](const Block& block) {
    Resources kept = block.amount;
    for (auto& use : inside)
      if (inside_of(use, block, sets)) cover(kept, use.amount);
    return kept;
  };
  // A job inside several reservations leaves those that admit the viewer to the viewer.
  for (const auto& block : blocks) {
    if (when < block.start || block.end <= when) continue;
    if (sets.admits(viewer.set, block.reservation)) continue;
    const Resources kept = left_of(block);
    free.add(kept, -1);
    if (kept.zero()) continue;
    ++presence.jobs;
    ++presence.limited;
  }
  if (!sets.confined(viewer.set)) return presence;
  Resources room, held;  // in the blocks that admit: the rest and the total
  for (const auto& block : blocks) {
    if (when < block.start || block.end <= when) continue;
    if (!sets.admits(viewer.set, block.reservation)) continue;
    room.add(left_of(block)), held.add(block.amount);
  }
  confine(free, room, held);
  return presence;
}

void NodeLine::profile(Time now, const Resources& configured, std::size_t consumables,
                       const Viewer& viewer, const AccessSets& sets, Profile& out) const {
  std::vector<Time> times;
  times.reserve(1 + 2 * (uses.size() + blocks.size()));
  times.push_back(now);
  const auto add = [&](Time when) {
    if (when > now && when < kForever) times.push_back(when);
  };
  for (const auto& use : uses) add(use.start), add(use.end);
  for (const auto& block : blocks) add(block.start), add(block.end);
  sort_unique(times);
  for (const auto when : times) {
    Resources free = configured;
    const auto presence = free_at(when, viewer, sets, free);
    if (when > now) {
      out.append(when, presence, free);
    } else {
      out.reset(now, free, consumables);
      out.level(0).presence = presence;
    }
  }
}

}  // namespace maui
