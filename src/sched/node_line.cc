#include "sched/node_line.h"

#include <algorithm>

namespace maui {
namespace {

bool exclusive(NodeAccess access) {
  return access == NodeAccess::dedicated || access == NodeAccess::single_task;
}

// Takes from `amount` what `use` covers of it, consumable by consumable, and that from `use`.
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

void join_user(Moment& moment, const Use& use) {
  moment.whole = false;
  if (moment.user.valid() && moment.user != use.user) moment.several = true;
  moment.user = use.user;
  if (exclusive(use.access)) moment.closed = true;
  if (use.access == NodeAccess::single_user) moment.owner = use.user;
}

}  // namespace

int tasks_at(const Moment& moment, const Ask& ask, NodeAccess access) {
  if (moment.closed) return 0;
  if (moment.owner.valid() && moment.owner != ask.user) return 0;
  switch (access) {
    case NodeAccess::shared:
      break;
    case NodeAccess::single_user:
      if (moment.several || (moment.user.valid() && moment.user != ask.user)) return 0;
      break;
    case NodeAccess::dedicated:
      if (!moment.whole) return 0;
      break;
    case NodeAccess::single_task:
      if (!moment.whole) return 0;
      return std::min(1, moment.free.tasks_of(ask.requirement->per_task));
  }
  return moment.free.tasks_of(ask.requirement->per_task);
}

Moment NodeLine::at(Time when, const Resources& configured, AccessSet set, JobId self,
                    const AccessSets& sets) const {
  Moment moment;
  moment.free = configured;
  bool blocked = false;
  for (const auto& block : blocks)
    blocked = blocked || (block.start <= when && when < block.end &&
                          !sets.admits(set, block.reservation));
  std::vector<Use> inside;  // copies, of which blocks take what stands in them
  for (const auto& use : uses) {
    if (when < use.start || use.end <= when) continue;
    moment.free.add(use.amount, -1);
    if (!self.valid() || use.job != self) join_user(moment, use);
    if (blocked && use.set != 0) inside.push_back(use);
  }
  if (!blocked) return moment;
  for (const auto& block : blocks) {
    if (when < block.start || block.end <= when) continue;
    Resources kept = block.amount;
    for (auto& use : inside)
      if (sets.admits(use.set, block.reservation)) cover(kept, use.amount);
    if (sets.admits(set, block.reservation)) continue;
    moment.free.add(kept, -1);
    if (!kept.zero()) moment.whole = false;
  }
  return moment;
}

void NodeLine::boundaries(Time now, std::vector<Time>& out) const {
  out.clear();
  const auto add = [&](Time when) {
    if (when > now && when < kForever) out.push_back(when);
  };
  for (const auto& use : uses) add(use.start), add(use.end);
  for (const auto& block : blocks) add(block.start), add(block.end);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

Moment worst(const Moment& a, const Moment& b) {
  Moment both = a;
  const auto lower = [&](ConsumableId what) {
    both.free.set(what, std::min(a.free.get(what), b.free.get(what)));
  };
  for (const auto what : {kProcs, kMemory, kSwap, kDisk}) lower(what);
  for (const auto& extra : a.free.extra()) lower(extra.first);
  for (const auto& extra : b.free.extra()) lower(extra.first);
  both.closed = a.closed || b.closed;
  both.whole = a.whole && b.whole;
  both.several = a.several || b.several ||
                 (a.user.valid() && b.user.valid() && a.user != b.user);
  if (b.user.valid()) both.user = b.user;
  // Two owners one after the other: nobody may stay for both.
  if (a.owner.valid() && b.owner.valid() && a.owner != b.owner) both.closed = true;
  if (b.owner.valid()) both.owner = b.owner;
  return both;
}

}  // namespace maui
