// Which reservations may a job use?  (guide 7.1.1.3)
//
// A job under USERESERVED or ADVRES is confined: it may use nothing but these
// (guide 7.3.2.2, 13.3). Jobs with the same answer share a set, and the timeline keeps one view of
// availability a set.  Set 0 is always the empty one: no reservation admits it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maui/cluster.h"
#include "sched/job_flags.h"

namespace maui {

using AccessSet = std::uint32_t;

class AccessSets {
 public:
  AccessSets(const Cluster& cluster, const Settings& settings);

  AccessSet of(const Job& job);
  /// Of somebody who is not confined.
  AccessSet of(const Credentials& who);
  /// Jobs of this set use nothing outside of the reservations that admit them.
  bool confined(AccessSet set) const { return sets_[set].confined; }
  /// Confined, with no reservation to go to.
  bool nowhere(AccessSet set) const { return confined(set) && sets_[set].admitted.empty(); }
  /// Some job that was asked about is confined.
  bool any_confined() const { return !confined_known_.empty(); }
  /// Some reservation admits some jobs only.
  bool any() const { return !guarded_.empty(); }
  /// The set of those who may use every reservation (showbf -A).
  AccessSet all();
  bool admits(AccessSet set, ReservationId reservation) const;

 private:
  struct Set {
    std::vector<ReservationId> admitted;
    bool confined = false;
    friend bool operator==(const Set&, const Set&) = default;
  };
  struct Confined {  // who, to the reservation of which name, has which set
    Credentials who;
    std::string name;
    AccessSet set = 0;
  };
  AccessSet intern(Set wanted);
  AccessSet confined_set(const Job& job);

  const Cluster& cluster_;
  JobFlags flags_;
  std::vector<ReservationId> guarded_;  // those with an access list
  std::vector<Set> sets_;
  std::vector<Confined> confined_known_;
  std::vector<std::pair<Credentials, AccessSet>> known_;
  Credentials last_who_;
  AccessSet last_ = 0;
};

}  // namespace maui
