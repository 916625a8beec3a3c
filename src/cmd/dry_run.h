// The effect that a change of reservations would have on the queue, tried on a copy of the cluster.
#pragma once
#include <functional>

#include "cmd/follow_up.h"
#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/query/queue_forecast.h"

namespace maui {

struct Context;

class DryRunner final : public FollowUp {
 public:
  DryRunner(const Cluster& cluster, const Settings& settings, Time now,
            const std::function<void(Cluster&)>& change);
  bool step() override;
  void complete(Reply& reply) const override;

 private:
  DryRun result() const;

  const Settings settings_;
  const Time now_;
  const Cluster before_;
  Cluster after_;
  QueueForecaster without_, with_;  // the change
};

/// Has the reply told the effect of that change.
void try_out(const Context& context, const std::function<void(Cluster&)>& change);

}  // namespace maui
