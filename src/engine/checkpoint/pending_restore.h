// The parts of a restored checkpoint that still await the report of their job or node.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "maui/cluster.h"
#include "maui/placement.h"
#include "maui/unconfirmed_runs.h"
#include "maui/units.h"

namespace maui {

/// The shares of a restored administrative reservation whose nodes are not known yet.  A standing
/// reservation has none: its settings say which nodes it gets.
struct UnknownShares {
  ReservationId reservation;
  std::uint64_t serial = 0;  // of the reservation: its id may have been reused
  Time start{0}, end{0};     // as restored; a reservation that has moved has other nodes
  std::vector<NamedShare> shares;
};

struct PendingRestore {
  using Jobs = std::unordered_multimap<std::string, CheckpointedJob>;

  std::optional<Time> when;        // when the checkpoint was written
  std::set<std::string> managers;  // that are configured now
  Jobs jobs;  // by name: jobs not reported yet; two resource managers may have one each
  /// By name: runs of jobs not reported yet that have a record which the checkpoint does not
  /// count, and those that have one which it counts.
  std::unordered_multimap<std::string, RunOnFile> recorded, counted;
  std::vector<CheckpointedReservation> reservations;  // none of their nodes is known yet
  std::vector<UnknownShares> unknown_shares;
  Seconds set_back{0};                    // by how much the clock was set back since then
  bool charges = false;                   // it has the charged part of each run
  bool limits_count = false;              // Cluster::unconfirmed_runs() has its runs
  std::optional<Time> unaccounted_since;  // `when`, until the time from then on has been accounted
};

/// Shifts saved intervals after a step of the clock, as shift(Checkpoint&) does for one before.
void shift(PendingRestore& pending, Seconds by);
/// Returns when the job was last known, by the clock as it now stands.
Time last_known(const PendingRestore& pending, const CheckpointedJob& saved);
/// Removes the shares whose nodes are known, and returns them.
Placement take_known(const Cluster& cluster, std::vector<NamedShare>& shares);
/// True if both are the same reservation: if they belong to the same period of the same standing
/// reservation, whatever their names, or else if they have the same name.
bool is_same_reservation(const Reservation& a, const Reservation& b);
/// Returns the runs that may go on, of jobs that are not reported yet; interns their credentials
/// and partitions in `names`.  A suspended run counts for no limit, and one that has a record is
/// over.
UnconfirmedRuns unconfirmed_runs(const PendingRestore& pending, const ClockSteps& steps,
                                 ClusterNames& names);
/// True if what was saved of a job of the resource manager `saved_of` may be of a job that
/// `reporter` reports: it is the same, or nobody knows it any more.
bool may_be_of(const PendingRestore& pending, const std::string& saved_of,
               const std::string& reporter);
/// Returns the saved state of the job that `manager` now reports; the end of the jobs: there is
/// none.  A site may have given a resource manager another name: a job of one that is not
/// configured any more is known by its user and its submission.
PendingRestore::Jobs::const_iterator find_saved(const PendingRestore& pending,
                                                const JobReport& report,
                                                const std::string& manager);
/// The same; nullptr: there is none.
const CheckpointedJob* saved_state(const PendingRestore& pending, const JobReport& report,
                                   const std::string& manager);
/// Nobody waits for a job of that name any more, unless one is still to be reported.
void forget_name(const PendingRestore& pending, const std::string& job, Cluster& cluster);
/// True if the saved run has a record: it is over.
bool is_recorded(const PendingRestore& pending, const ClockSteps& steps,
                 const CheckpointedJob& saved);

}  // namespace maui
