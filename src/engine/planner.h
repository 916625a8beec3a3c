// The core's interface to the engine.
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

/// The core's only function (sched/cycle.h); tests substitute a scripted one.
using Planner = std::function<Plan(const Cluster&, const Settings&, Time)>;
/// Returns the scheduler's own planner.
Planner cycle_planner(NodeSelector* selector = nullptr,
                      std::shared_ptr<FeasibleRequests> feasible = nullptr);

}  // namespace maui
