// Counts how much of a reservation's resources has been used (diagnose -r, Active PH).
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "maui/cluster.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// Returns the account that pays for idle resources of the reservation; empty: none.
const std::string& payer_of(const Reservation& reservation);

/// The processors that a reservation keeps: all of them, those that are used by jobs that it
/// admits, and those that no job uses.
struct KeptProcs {
  int kept = 0, inside = 0, idle = 0;
};

/// Processors of a node that jobs use: all of them, and those of jobs that a reservation admits.
struct UsedProcs {
  int all = 0, inside = 0;
};

UsedProcs used_procs(const Cluster& cluster, const JobFlags& flags, const Reservation& reservation,
                     const Occupancy& here);
/// Returns the processors that a reservation leaves idle on one node where jobs use so many.
int idle_procs(const Cluster& cluster, const Reservation& reservation, const NodeTasks& share,
               const UsedProcs& used);

/// Returns a reservation's processors.  A job that the reservation admits uses reserved processors
/// before others; another job uses them after others.
KeptProcs kept_procs(const Cluster& cluster, const JobFlags& flags, const Reservation& reservation);

/// The processors of reservations, each counted once; requires that nothing changes meanwhile.
class KeptProcsOnce {
 public:
  KeptProcsOnce(const Cluster& cluster, const Settings& settings)
      : cluster_(cluster), settings_(settings) {}
  const KeptProcs& of(const Reservation& reservation);
  const JobFlags& flags();

 private:
  const Cluster& cluster_;
  const Settings& settings_;
  std::optional<JobFlags> flags_;             // made when first needed
  std::map<std::uint64_t, KeptProcs> known_;  // by serial number
};

/// Processor time that standing and administrative reservations kept, and the part that was used.
class ReservationUses {
 public:
  struct Use {
    double active_proc_seconds = 0, kept_proc_seconds = 0;
    friend bool operator==(const Use&, const Use&) = default;
  };

  /// Starts to count at `now`; after a restart, at the time of the checkpoint.
  void begin(Time now) { counted_ = now; }
  /// Shifts the last count by a step of the clock.
  void shift(Seconds by) { counted_ = counted_ + by; }
  /// Counts up to `now`; requires that nothing has changed since the last call.
  void accrue(const Cluster& cluster, KeptProcsOnce& all, Time now);
  /// Adds what a previous scheduler counted for a reservation that is restored.
  void resume(const Reservation& restored, const Use& before);
  /// Returns the use of a standing or administrative reservation so far.
  Use of(const Reservation& reservation) const;

 private:
  Time counted_{0};
  std::uint64_t changes_ = 0;          // Cluster::reservation_changes() at the last call
  std::map<std::uint64_t, Use> uses_;  // by serial number
};

}  // namespace maui
