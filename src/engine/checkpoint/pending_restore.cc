#include "engine/checkpoint/pending_restore.h"

#include <algorithm>

namespace maui {

void shift(PendingRestore& pending, Seconds by) {
  for (auto& [name, saved] : pending.jobs) shift(saved, by);
  for (auto& [name, run] : pending.recorded) run.clock_set = run.clock_set + by;
  for (auto* when : {&pending.when, &pending.unaccounted_since})
    if (*when) *when = **when + by;
  pending.set_back = pending.set_back + std::max(Seconds(0) - by, Seconds(0));
}

Time last_known(const PendingRestore& pending, const CheckpointedJob& saved) {
  return saved.seen - pending.set_back;
}

Placement take_known(const Cluster& cluster, std::vector<NamedShare>& shares) {
  Placement known;
  std::erase_if(shares, [&](const NamedShare& share) {
    const NodeId node = cluster.find_node(share.node);
    if (node.valid()) known.push_back({node, share.tasks, share.requirement});
    return node.valid();
  });
  return known;
}

bool is_same_reservation(const Reservation& a, const Reservation& b) {
  if (a.kind != b.kind) return false;
  return a.kind == ReservationKind::standing ? a.standing == b.standing && a.period == b.period
                                             : a.name == b.name;
}

bool is_same_job(const CheckpointedJob& saved, Time submitted) {
  return submitted <= saved.seen || about(submitted, saved.submitted);
}

}  // namespace maui
