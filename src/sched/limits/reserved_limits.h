// Limits of active jobs at the times for which jobs are reserved (guide 6.2, 7.1.4).
//
// At its reserved start a job may be within a limit that it would exceed now, since running jobs
// may have ended by then.  And jobs that start before it must leave it room within its limits, just
// as they must leave it its nodes.
#pragma once
#include <optional>
#include <vector>

#include "sched/limits/limit_forecast.h"

namespace maui {

class ReservedLimits {
 public:
  /// Requires that `throttling` outlives the object.
  ReservedLimits(const Cluster& cluster, Throttling& throttling, Time now)
      : cluster_(cluster), throttling_(throttling), now_(now) {}

  /// Adds a reservation of the job that begins at `start`, within limits of this level.
  void reserve(const Job& job, const Request& request, const Placement& placement, Time start,
               Strictness level);
  /// Removes the job's reservation.
  void release(const Job& job);
  /// Adds a job that starts or resumes now and removes its reservation, if any.
  void start(const Job& job, const Request& shape, const Placement& placement);
  /// Counts a run that would begin now for the limits of reserved jobs, as harmed_by() answers,
  /// until end_trial() with the same arguments.  Other changes are allowed only outside of trials.
  void begin_trial(const Job& job, const Request& shape, const Placement& placement) {
    shift(run_of(job, shape, placement, now_), 1);
  }
  void end_trial(const Job& job, const Request& shape, const Placement& placement) {
    shift(run_of(job, shape, placement, now_), -1);
  }
  /// Removes the use of an active job that leaves its nodes now.
  void leave(const Job& job);
  /// Takes back leave().
  void stay(const Job& job);

  /// Returns the reserved job that would exceed a limit at its start if this run began at `start`.
  const Job* harmed_by(const Job& job, const Request& shape, const Placement& placement,
                       Time start);
  /// Returns the first slot from `search` in which limits of this level let the job start and no
  /// reserved job is harmed.
  std::optional<Slot> first_slot(const Job& job, const Request& shape, const StartSearch& search);

 private:
  struct Room {
    std::size_t subject = 0;
    LimitKind kind = LimitKind::job;
    double left = 0;
  };
  struct Reserved {
    const Job* job = nullptr;
    Time start{0};
    std::vector<Room> rooms;  // what the limits leave at its start, less its own use
  };
  struct Run {
    const Job* job = nullptr;
    LimitAmounts amounts{};
    Time start{0}, end{0};
    const LimitRules::Scope* scope = nullptr;  // the scope in the partition of its nodes
  };

  Run run_of(const Job& job, const Request& shape, const Placement& placement, Time start) const;
  Run run_of_active(const Job& job) const;
  const Reserved* harmed_by(const Run& run);
  void add(const Run& run);
  void shift(const Run& run, double sign);
  LimitForecast& forecast();

  const Cluster& cluster_;
  Throttling& throttling_;
  Time now_;
  std::optional<LimitForecast> forecast_;  // made on first use
  std::vector<Run> runs_;                  // runs that begin in this cycle
  std::vector<const Job*> left_;
  std::vector<Reserved> reserved_;
};

}  // namespace maui
