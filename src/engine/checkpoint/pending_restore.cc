#include "engine/checkpoint/pending_restore.h"

namespace maui {

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
