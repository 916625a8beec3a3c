// The planning part of an iteration: reservations and what is expected of jobs are brought up to
// date, and the core plans on them.
#pragma once
#include <functional>
#include <memory>

#include "engine/planner.h"
#include "maui/plan.h"
#include "maui/units.h"

namespace maui {

class Cluster;
class FeasibleRequests;
class NodeSelector;
class PriorityBounds;
class Reservations;
class RunTimeLearning;
struct EngineTools;
struct Settings;

class Planning {
 public:
  /// Without `planner` the core plans.  `selector`: nullptr, or it outlives this.
  Planning(const EngineTools& tools, Reservations& reservations, Planner planner,
           NodeSelector* selector);

  /// Makes a plan, and calls `next`.
  void decide(std::function<void()> next);
  /// Reservations, and what is expected of jobs, become what is to be planned with.
  void prepare();
  /// The requests that can ever be served, as far as the core has found out.
  FeasibleRequests& feasible() { return *feasible_; }

 private:
  void make_plan(Time when, std::function<void()> next);
  Plan planned(Time when);

  const EngineTools& tools_;
  Reservations& reservations_;
  std::shared_ptr<FeasibleRequests> feasible_;
  Planner planner_;
  NodeSelector* selector_;  // nullptr: nodes are chosen by the policies alone
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  RunTimeLearning& learning_;
  PriorityBounds& priority_bounds_;
  bool& priorities_stale_;
};

}  // namespace maui
