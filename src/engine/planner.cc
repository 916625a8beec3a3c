#include "engine/planner.h"

#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#include "sched/cycle.h"
#include "sched/placement/feasible_requests.h"

namespace maui {

Planner cycle_planner(NodeSelector* selector, std::shared_ptr<FeasibleRequests> feasible) {
  const auto planner = std::make_shared<std::optional<CyclePlanner>>();
  if (!feasible) feasible = std::make_shared<FeasibleRequests>();
  return [planner, selector, feasible, names = std::uint64_t{0}](
             const Cluster& cluster, const Settings& settings, Time now) mutable {
    // The planner's stored ids may have been reused.
    if (std::exchange(names, cluster.names_given_up()) != cluster.names_given_up())
      planner->reset();
    if (!*planner) {
      planner->emplace().choose_with(selector);
      *feasible = {};
      (*planner)->judge_in(feasible);
    }
    try {
      return (*planner)->plan(cluster, settings, now);
    } catch (const std::bad_alloc&) {
      planner->reset();  // its stored state may be incomplete
      throw;
    }
  };
}

}  // namespace maui
