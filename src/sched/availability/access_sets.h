// The reservations that a job may use, and the terms of their use (guide 7.1.1.3, seed 7.1.5.2).
//
// A job under USERESERVED or ADVRES is confined: it may use only reservations that admit it (guide
// 7.3.2.2, 13.3).  Jobs with equal access share a set, so that the timeline keeps one view of
// availability for each set.  Set 0 is always the empty set: no reservation admits its jobs.
//
// A time limit that is not shorter than the job's run has no effect.  Otherwise the job's start
// decides whether a reservation admits it: when() returns the set for a given start; without a
// start, a reservation with a time limit admits nobody.
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

/// The terms on which the jobs of a set may use one reservation.
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

  /// Returns the set of a job that runs for `duration`.
  AccessSet of(const Job& job, const Request& request, Seconds duration);
  AccessSet of(const Job& job, const Request& request) { return of(job, request, request.limit); }
  AccessSet of(const Job& job) { return of(job, cluster_.request(job.request)); }
  /// Returns the set of a job that has, for each reservation, the credentials of these kinds that
  /// the reservation admits (showbf).
  AccessSet open_to(const Job& job, const Request& request, std::span<const CredentialKind> any);
  /// True if some reservation admits only some jobs.
  bool any() const { return !guarded_.empty() || !of_users_.empty(); }
  /// Returns the set of jobs that may use every reservation (showbf -A).
  AccessSet all();
  /// Returns nullptr if the reservation does not admit the set.
  const AccessTerms* terms(AccessSet set, ReservationId reservation) const;
  /// Returns all terms of the set, ordered by reservation.
  std::span<const AccessTerms> terms(AccessSet set) const { return sets_[set].terms; }
  /// Returns the set for jobs of `set` that start at that time and run for `duration`.
  AccessSet when(AccessSet set, Time start, Seconds duration);
  /// True if when() depends on the start.
  bool limited(AccessSet set) const { return sets_[set].limited; }
  /// True if the reservation admits the set at any time.
  bool admits(AccessSet set, ReservationId reservation) const {
    const auto* found = terms(set, reservation);
    return found && found->overlap >= kUnlimited;
  }
  /// True if jobs of this set may use only reservations that admit them.
  bool confined(AccessSet set) const { return sets_[set].confined; }
  /// True if the set is confined and no reservation admits it.
  bool nowhere(AccessSet set) const { return confined(set) && sets_[set].terms.empty(); }
  /// True if some job of a query in this cycle is confined.
  bool any_confined() const { return any_confined_; }
  void begin_cycle() {
    any_confined_ = false;
    last_key_ = {};
    last_ = 0;
  }
  /// True if some reservation admits jobs for a limited time only.
  bool ask_time() const { return asks_time_; }
  /// True if the object has stored so much that it should be made anew.
  bool large() const { return sets_.size() > kManySets || known_.size() > kManyJobs; }

 private:
  static constexpr std::size_t kManySets = 1 << 12, kManyJobs = 1 << 16;

  struct Set {
    std::vector<AccessTerms> terms;  // sorted by reservation
    bool confined = false;
    bool limited = false;  // some terms have a limit
    friend bool operator==(const Set&, const Set&) = default;
  };
  struct Key {  // what a result depends on, without what no access list checks
    Credentials who;
    std::uint16_t flags = 0;
    int procs = 0, tasks = 0;
    Seconds duration{0};
    bool confined = false;
    std::uint32_t requested = 0;  // of a confined job: an index into requested_
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
  std::vector<ReservationId> guarded_;  // reservations with other access lists
  std::unordered_map<std::int64_t, std::vector<ReservationId>> of_users_;  // by the user listed
  bool asks_flags_ = false, asks_size_ = false, asks_time_ = false;
  std::vector<Set> sets_;
  std::vector<std::string> requested_{{}};  // reservations that confined jobs request by name
  std::unordered_map<Key, AccessSet, KeyHash> known_;
  Key last_key_;
  AccessSet last_ = 0;
  bool any_confined_ = false;
  struct Resolved {
    AccessSet set = 0;
    Time start{-1};
    Seconds duration{0};
    AccessSet answer = 0;
  } resolved_;  // the last result of when()
};

}  // namespace maui
