// The core, as the engine calls it.
#pragma once
#include <functional>
#include <memory>

#include "maui/cluster.h"
#include "maui/node_selector.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace maui {

class FeasibleRequests;

/// The core's one function (sched/cycle.h); tests put a script in its place.
using Planner = std::function<Plan(const Cluster&, const Settings&, Time)>;
/// The scheduler's own.
Planner cycle_planner(NodeSelector* selector = nullptr,
                      std::shared_ptr<FeasibleRequests> feasible = nullptr);

}  // namespace maui
