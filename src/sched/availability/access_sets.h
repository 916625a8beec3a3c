// Which reservations may a job use, and on which terms?  (guide 7.1.1.3, seed 7.1.5.2)
//
// A job under USERESERVED or ADVRES is confined: it may use nothing but these
// (guide 7.3.2.2, 13.3). Jobs with the same answer share a set, and the timeline keeps one view of
// availability a set.  Set 0 is always the empty one: no reservation admits it.
//
// A time limit that is no shorter than the job's stay is none.  Otherwise it depends on the job's
// start whether a reservation admits it: when() tells the set for a start; without it, a
// reservation with a limit admits nobody.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/rules/job_flags.h"

namespace maui {

using AccessSet = std::uint32_t;

/// How a set may use one reservation.
struct AccessTerms {
  ReservationId reservation;
  Seconds overlap = kUnlimited;
  Affinity affinity = Affinity::positive;
  friend bool operator==(const AccessTerms&, const AccessTerms&) = default;
};

class AccessSets {
 public:
  AccessSets(const Cluster& cluster, const Settings& settings);
  AccessSets(const Cluster& cluster, JobFlags flags);

  /// For a job that stays for `duration`.
  AccessSet of(const Job& job, const Request& request, Seconds duration);
  AccessSet of(const Job& job, const Request& request) { return of(job, request, request.limit); }
  AccessSet of(const Job& job) { return of(job, cluster_.request(job.request)); }
  /// Some reservation admits some jobs only.
  bool any() const { return !guarded_.empty() || !of_users_.empty(); }
  /// The set of those who may use every reservation (showbf -A).
  AccessSet all();
  /// nullptr where the reservation does not admit the set.
  const AccessTerms* terms(AccessSet set, ReservationId reservation) const;
  /// All of the set's, in order of reservations.
  std::span<const AccessTerms> terms(AccessSet set) const { return sets_[set].terms; }
  /// The set that jobs of this one are of if they start then and stay for `duration`.
  AccessSet when(AccessSet set, Time start, Seconds duration);
  /// True if that depends on the start.
  bool limited(AccessSet set) const { return sets_[set].limited; }
  /// At any time.
  bool admits(AccessSet set, ReservationId reservation) const {
    const auto* found = terms(set, reservation);
    return found && found->overlap >= kUnlimited;
  }
  /// Jobs of this set use nothing outside of the reservations that admit them.
  bool confined(AccessSet set) const { return sets_[set].confined; }
  /// Confined, with no reservation to go to.
  bool nowhere(AccessSet set) const { return confined(set) && sets_[set].terms.empty(); }
  /// Some job that was asked about in this cycle is confined.
  bool any_confined() const { return any_confined_; }
  void begin_cycle() {
    any_confined_ = false;
    last_key_ = {};
    last_ = 0;
  }
  /// Some reservation admits jobs for a limited time.
  bool ask_time() const { return asks_time_; }
  /// It remembers so much that it had better begin anew.
  bool large() const { return sets_.size() > kManySets || known_.size() > kManyJobs; }

 private:
  static constexpr std::size_t kManySets = 1 << 12, kManyJobs = 1 << 16;

  struct Set {
    std::vector<AccessTerms> terms;  // by reservation
    bool confined = false;
    bool limited = false;  // some terms have a limit
    friend bool operator==(const Set&, const Set&) = default;
  };
  struct Key {  // what an answer depends on; what no list asks about is left out
    Credentials who;
    std::uint16_t flags = 0;
    int procs = 0, tasks = 0;
    Seconds duration{0};
    bool confined = false;
    std::uint32_t requested = 0;  // of a confined one: a number of requested_
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  Key key_of(const Job& job, const Request& request, Seconds duration);
  /// Adds the reservation if it admits such a job.
  void admit(Set& set, ReservationId id, const Key& key, const Job& job, Seconds duration) const;
  AccessSet intern(Set set);

  const Cluster& cluster_;
  JobFlags flags_;
  std::vector<ReservationId> guarded_;  // those with an access list, but for those of users
  std::unordered_map<std::int64_t, std::vector<ReservationId>> of_users_;  // whose lists name users
  bool asks_flags_ = false, asks_size_ = false, asks_time_ = false;
  std::vector<Set> sets_;
  std::vector<std::string> requested_{{}};  // reservations that confined jobs ask for by name
  std::unordered_map<Key, AccessSet, KeyHash> known_;
  Key last_key_;
  AccessSet last_ = 0;
  bool any_confined_ = false;
  struct Resolved {
    AccessSet set = 0;
    Time start{-1};
    Seconds duration{0};
    AccessSet answer = 0;
  } resolved_;  // the last one asked for
};

}  // namespace maui
