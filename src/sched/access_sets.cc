#include "sched/access_sets.h"

#include <algorithm>

namespace maui {

AccessSets::AccessSets(const Cluster& cluster, const Settings& settings)
    : cluster_(cluster), flags_(cluster, settings), sets_(1) {
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind != ReservationKind::job && !reservation.access.empty())
      guarded_.push_back(id);
  }
}

AccessSet AccessSets::of(const Job& job) {
  return flags_.confined(job) ? confined_set(job) : of(job.credentials);
}

// SRCFG[chem] makes chem.0.0 and the like, setres -n chem makes chem.0: the name stands for all.
AccessSet AccessSets::confined_set(const Job& job) {
  const auto name = flags_.required_reservation(job);
  for (const auto& known : confined_known_)
    if (known.who == job.credentials && known.name == name) return known.set;
  Set wanted{{}, true};
  for (const auto id : guarded_) {
    const auto& reservation = cluster_.reservation(id);
    const std::string_view called = reservation.name;
    const bool named =
        name.empty() || called == name || (called.starts_with(name) && called[name.size()] == '.');
    if (named && reservation.access.admits(job.credentials)) wanted.admitted.push_back(id);
  }
  const auto set = intern(std::move(wanted));
  confined_known_.push_back({job.credentials, std::string(name), set});
  return set;
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
  last_ = intern({std::move(admitted), false});
  known_.emplace_back(who, last_);
  return last_;
}

AccessSet AccessSets::all() {
  std::vector<ReservationId> every;
  for (const auto id : cluster_.reservations())
    if (cluster_.reservation(id).kind != ReservationKind::job) every.push_back(id);
  return intern({std::move(every), false});
}

bool AccessSets::admits(AccessSet set, ReservationId reservation) const {
  const auto& admitted = sets_[set].admitted;
  return std::find(admitted.begin(), admitted.end(), reservation) != admitted.end();
}

AccessSet AccessSets::intern(Set wanted) {
  const auto at = std::find(sets_.begin(), sets_.end(), wanted);
  if (at != sets_.end()) return static_cast<AccessSet>(at - sets_.begin());
  sets_.push_back(std::move(wanted));
  return static_cast<AccessSet>(sets_.size() - 1);
}

}  // namespace maui
