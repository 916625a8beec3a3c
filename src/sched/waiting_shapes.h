// A job with several shapes (Job::alternatives) waits in one of them: its request has the tasks and
// the limit of that shape, and the job is ranked, reserved, forecast and shown in it.  A start may
// choose any of them.
//
// The job waits in the first shape in which it could ever run: an empty cluster with all its nodes
// up could serve it, no limit forbids it to the job alone (guide 6.2), and it would end by the
// job's completion date.  If there is none, it is the first of all.  The answer depends on nothing
// but the job, the nodes, the settings and the time, not on the shape in which the job waits now.
#pragma once
#include <optional>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasible_requests.h"

namespace maui {

class WaitingShapes {
 public:
  /// All must outlive this; requires that requests stay as they are as long.
  WaitingShapes(const Cluster& cluster, const Settings& settings, Time now,
                FeasibleRequests& feasible);

  /// Returns the request of a waiting job in the shape in which it should wait; nullopt if that is
  /// the job's request already, or is not known yet.  A job that has kept work by a checkpoint
  /// stays as it ran.
  std::optional<Request> other_than_now(const Job& job);

 private:
  std::optional<bool> ever_possible(const Job& job, const Request& shaped);
  Throttling& throttling();

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  FeasibleRequests& feasible_;
  std::optional<Throttling> throttling_;  // made when it is asked: it counts all active jobs
};

}  // namespace maui
