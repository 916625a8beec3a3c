// The planning part of an iteration: it brings reservations and expected run times up to date, and
// has the core make a plan.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "engine/planner.h"
#include "maui/job.h"
#include "maui/plan.h"
#include "maui/units.h"

namespace maui {

class Cluster;
class Entitlements;
class FeasibleRequests;
class NodeSelector;
class PriorityBounds;
class Reservations;
class RunTimeLearning;
struct EngineTools;
struct Settings;

class Planning {
 public:
  /// Without `planner` the core plans.  `selector` may be nullptr, else it must outlive this.
  Planning(const EngineTools& tools, Reservations& reservations, Entitlements& entitlements,
           Planner planner, NodeSelector* selector);

  /// Makes a plan, then calls `next`.
  void decide(std::function<void()> next);
  /// Brings the shapes in which jobs wait, reservations and expected run times up to date for
  /// planning.
  void prepare();
  /// Lets a job that waits do so in the shape in which it should (sched/waiting_shapes.h).
  void choose_shape(JobId job) { choose_shapes({job}); }
  /// Returns which requests are feasible, as determined by the core so far.
  FeasibleRequests& feasible() { return *feasible_; }

 private:
  void choose_shapes(const std::vector<JobId>& jobs);
  void make_plan(Time when, std::function<void()> next);
  Plan planned(Time when);

  const EngineTools& tools_;
  Reservations& reservations_;
  Entitlements& entitlements_;
  std::shared_ptr<FeasibleRequests> feasible_;
  Planner planner_;
  NodeSelector* selector_;  // nullptr: the policies alone choose nodes
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  RunTimeLearning& learning_;
  PriorityBounds& priority_bounds_;
  bool& priorities_stale_;
};

}  // namespace maui
