#include "engine/query_updates.h"

#include "engine/knowledge.h"

namespace maui {

void update_for_queries(EngineKnowledge& known, Time now) {
  Cluster& cluster = known.cluster;
  if (known.priorities_stale)
    for (const Plan::Ranked& ranked : known.plan.order)
      if (cluster.job(ranked.job).id.valid()) cluster.set_priority(ranked.job, ranked.priority);
  known.priorities_stale = false;
  if (known.use_settled == now) return;
  known.use_settled = now;
  cluster.settle_node_use(now);
}

}  // namespace maui
