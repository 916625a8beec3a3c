// Values that are not kept up to date while nobody looks.
//
// Priorities change for most of the queue in every iteration, and node use with
// every second.  Writing them into the jobs and nodes each time would cost more
// than planning; so they are written when a command looks at the cluster.
#include <algorithm>

#include "engine/state.h"

namespace maui {

void Engine::State::update_for_queries() {
  if (priorities_stale)
    for (const Plan::Ranked& ranked : plan.order)
      if (cluster.job(ranked.job).id.valid()) cluster.set_priority(ranked.job, ranked.priority);
  priorities_stale = false;
  if (use_settled == now()) return;
  use_settled = now();
  cluster.settle_node_use(now());
}

}  // namespace maui
