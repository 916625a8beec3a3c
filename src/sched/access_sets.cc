#include "sched/access_sets.h"

#include <algorithm>

namespace maui {

AccessSets::AccessSets(const Cluster& cluster) : cluster_(cluster), sets_(1) {
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind != ReservationKind::job && !reservation.access.empty())
      guarded_.push_back(id);
  }
}

AccessSet AccessSets::of(const Credentials& who) {
  if (guarded_.empty()) return 0;
  if (who == last_who_) return last_;
  const auto known = std::find_if(known_.begin(), known_.end(),
                                  [&](const auto& entry) { return entry.first == who; });
  last_who_ = who;
  if (known != known_.end()) return last_ = known->second;
  std::vector<ReservationId> admitted;
  for (const auto id : guarded_)
    if (cluster_.reservation(id).access.admits(who)) admitted.push_back(id);
  last_ = intern(std::move(admitted));
  known_.emplace_back(who, last_);
  return last_;
}

AccessSet AccessSets::all() {
  std::vector<ReservationId> every;
  for (const auto id : cluster_.reservations())
    if (cluster_.reservation(id).kind != ReservationKind::job) every.push_back(id);
  return intern(std::move(every));
}

bool AccessSets::admits(AccessSet set, ReservationId reservation) const {
  const auto& admitted = sets_[set];
  return std::find(admitted.begin(), admitted.end(), reservation) != admitted.end();
}

AccessSet AccessSets::intern(std::vector<ReservationId> admitted) {
  const auto at = std::find(sets_.begin(), sets_.end(), admitted);
  if (at != sets_.end()) return static_cast<AccessSet>(at - sets_.begin());
  sets_.push_back(std::move(admitted));
  return static_cast<AccessSet>(sets_.size() - 1);
}

}  // namespace maui
