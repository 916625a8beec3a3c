// Finds where a job of a forecast may run for its whole limit.
//
// A forecast by expected runs lets jobs leave their nodes before their limits.  Yet the scheduler
// never starts a job on nodes that are reserved before its limit is over, however short its run is
// expected to be.  This is therefore a timeline with reservations alone: those of administrators,
// and the priority reservations of jobs until these start.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/availability/timeline.h"

namespace maui {

class RoomByLimit {
 public:
  /// Requires that the arguments outlive the object and do not change.
  RoomByLimit(const Cluster& cluster, const Settings& settings, Time now);
  /// Takes the next of the active jobs off their nodes; returns false if none is there any more.
  /// The other functions require that none is.
  bool clear_some();

  /// Notes that the forecast starts the job then.  Until then its priority reservation, if it has
  /// one, takes precedence over the jobs behind it.
  void foresee(const Job& job, Time start);
  /// Returns the first slot in [from, last] of `runs` that has room for the job's expected run, and
  /// where reservations leave the job enough time for its whole limit.  `brief` is the request for
  /// the expected run.
  std::optional<Slot> first_slot(Timeline& runs, const Job& job, const Request& request,
                                 const Request& brief, Time from, Time last);

 private:
  /// The priority reservation of a job in the forecast.
  struct Reserved {
    JobId job;
    Time from{0};   // the latest start that it promises
    Time until{0};  // the start in the forecast
    bool held = false;
  };

  void hold_reservations_at(Time when);
  bool leaves_time(const Job& job, const Request& request, const Placement& nodes, Time start);
  /// Adds to `brief` all nodes where the job does not have enough time from `start` on.
  void exclude_short(const Job& job, const Request& request, Time start, Request& brief);
  /// Adds to `brief` those of the slot's nodes that make it unsuitable.
  void exclude_nodes_of(const Slot& slot, const Job& job, const Request& request, Request& brief);
  /// Returns the first later time at which a node may come to have enough time.
  Time next_opening(Time after) const;

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  Timeline timeline_;
  std::size_t cleared_ = 0;  // how many active jobs
  std::vector<Reserved> reserved_;
};

}  // namespace maui
