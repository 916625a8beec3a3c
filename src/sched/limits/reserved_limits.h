// Limits of active jobs at the times for which jobs are reserved (guide 6.2, 7.1.4).
//
// A reserved job passes a limit at its reserved start, or does not: what runs now may have
// ended by then.  And what starts before it must leave it room within its limits, as it must leave
// it its nodes.
#pragma once
#include <optional>
#include <vector>

#include "sched/limits/limit_forecast.h"

namespace maui {

class ReservedLimits {
 public:
  /// `throttling` outlives this.
  ReservedLimits(const Cluster& cluster, Throttling& throttling, Time now)
      : cluster_(cluster), throttling_(throttling), now_(now) {}

  /// The job is reserved from `start` on, within limits of this level.
  void reserve(const Job& job, const Request& request, const Placement& placement, Time start,
               Strictness level);
  /// Its reservation is no more.
  void release(const Job& job);
  /// The job starts, or goes on, now; its reservation, if it had one, is no more.
  void start(const Job& job, const Request& shape, const Placement& placement);
  /// The active job leaves its nodes now.
  void leave(const Job& job);

  /// The reserved job that would pass a limit at its start were this one to run from `start` on.
  const Job* harmed_by(const Job& job, const Request& shape, const Placement& placement,
                       Time start);
  /// The first slot that `next` gives in which limits of this level let the job start and no
  /// reserved job is harmed.
  std::optional<Slot> first_slot(const Job& job, const Request& shape, const StartSearch& search);

 private:
  struct Room {
    std::size_t owner = 0;
    LimitKind kind = LimitKind::job;
    double left = 0;
  };
  struct Reserved {
    const Job* job = nullptr;
    Time start{0};
    std::vector<Room> rooms;  // what its limits leave at its start, its own use counted
  };
  struct Run {
    const Job* job = nullptr;
    LimitAmounts amounts{};
    Time start{0}, end{0};
    const LimitRules::Scope* scope = nullptr;  // where its nodes are
  };

  Run run_of(const Job& job, const Request& shape, const Placement& placement, Time start) const;
  const Reserved* harmed_by(const Run& run);
  void shift(const Run& run, double sign);
  LimitForecast& forecast();

  const Cluster& cluster_;
  Throttling& throttling_;
  Time now_;
  std::optional<LimitForecast> forecast_;  // made when it is first asked
  std::vector<Run> runs_;                  // that began, or are to begin, in this cycle
  std::vector<const Job*> left_;
  std::vector<Reserved> reserved_;
};

}  // namespace maui
