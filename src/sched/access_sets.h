// Which reservations may a job use?  (guide 7.1.1.3)
//
// Jobs with the same answer share a set, and the timeline keeps one view of
// availability a set.  Set 0 is always the empty one: no reservation admits it.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/cluster.h"

namespace maui {

using AccessSet = std::uint32_t;

class AccessSets {
 public:
  explicit AccessSets(const Cluster& cluster);

  AccessSet of(const Credentials& who);
  /// Some reservation admits some jobs only.
  bool any() const { return !guarded_.empty(); }
  /// The set of those who may use every reservation (showbf -A).
  AccessSet all();
  bool admits(AccessSet set, ReservationId reservation) const;

 private:
  AccessSet intern(std::vector<ReservationId> admitted);

  const Cluster& cluster_;
  std::vector<ReservationId> guarded_;  // those with an access list
  std::vector<std::vector<ReservationId>> sets_;
  std::vector<std::pair<Credentials, AccessSet>> known_;
  Credentials last_who_;
  AccessSet last_ = 0;
};

}  // namespace maui
