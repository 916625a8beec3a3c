// Jobs that have preempted others and do not run yet.
//
// A victim may take time to leave its nodes, such as the 30 seconds of Slurm's KillWait, although
// the resource manager has confirmed that it stops.  Until then the nodes are kept for the job,
// and a refused start does not count if the victims may be the cause.
#pragma once
#include <cstdint>
#include <map>
#include <utility>

#include "maui/cluster.h"
#include "maui/resource_manager.h"

namespace maui {

class Preemptors {
 public:
  /// Notes that another job is preempted for this one in that iteration.
  void add(const Job& job, std::int64_t iteration, Time now);
  /// Drops jobs that run or are gone.
  void drop_running(const Cluster& cluster);
  /// True if the victims may be why the start of the job is refused: for a minute, if the obstacle
  /// passes; if the cause is not known, only until the first answer after the preemption.
  bool may_meet_victims(const Job& job, Obstacle obstacle, std::int64_t iteration, Time now) const;
  /// Notes such a refusal: the start is requested again after five seconds at the earliest.
  void put_off(const Job& job, Time now);
  /// True if the start of the job must not be requested yet.
  bool rests(const Job& job, Time now) const;
  /// Forgets the job; true if it had preempted others.
  bool forget(const Job& job);
  /// Returns the next time after `now` at which a start may be requested again, or kForever.
  Time next(const Cluster& cluster, Time now) const;
  /// Shifts all times by a step of the clock.
  void shift(Seconds by);

 private:
  struct Preemptor {
    std::int64_t iteration = 0;  // of the last preemption
    Time since{0};               // of the first preemption that counts
    Time again{0};               // when its start may be requested again; 0: it was not refused
  };
  using Key = std::pair<JobId, std::uint64_t>;  // the job and its arrival

  static Key key_of(const Job& job) { return {job.id, job.arrival}; }

  std::map<Key, Preemptor> all_;
};

}  // namespace maui
