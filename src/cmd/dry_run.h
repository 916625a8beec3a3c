// The effect that a change of reservations would have on the queue, tried on a copy of the cluster.
// It is found out a step at a time, so that other clients are served meanwhile.
#pragma once
#include <functional>

#include "maui/cluster.h"
#include "maui/reply.h"
#include "maui/settings.h"
#include "sched/query/queue_forecast.h"

namespace maui {

class DryRunner {
 public:
  DryRunner(const Cluster& cluster, const Settings& settings, Time now,
            const std::function<void(Cluster&)>& change);
  /// False: nothing is left to be found out.
  bool step();
  /// Then.
  DryRun result() const;

 private:
  const Settings settings_;
  const Time now_;
  const Cluster before_;
  Cluster after_;
  QueueForecaster without_, with_;  // the change
};

}  // namespace maui
