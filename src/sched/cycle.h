// One scheduling cycle (paper, section 3; guide 3.3).
//
// Pure: the same cluster, settings and time give the same plan, on every
// machine.  Nothing is read but the arguments and nothing is changed.
#pragma once
#include <memory>

#include "maui/cluster.h"
#include "maui/node_selector.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

class FeasibleRequests;

Plan plan(const Cluster& cluster, const Settings& settings, Time now);

/// Plans one cycle after the other, for the same cluster.  What it keeps between them is memory,
/// and what it worked out about requests and the kinds of nodes: each plan is the one that plan()
/// gives.
class CyclePlanner {
 public:
  CyclePlanner();
  ~CyclePlanner();
  CyclePlanner(CyclePlanner&&) noexcept;
  CyclePlanner& operator=(CyclePlanner&&) noexcept;
  Plan plan(const Cluster& cluster, const Settings& settings, Time now);
  /// Names the selector that plan() asks for nodes where the policy is LOCAL; nobody, until one is
  /// given.
  void choose_with(NodeSelector* selector);
  /// Keeps there which requests can ever be served, for others to ask.
  void judge_in(std::shared_ptr<FeasibleRequests> feasible);

 private:
  std::unique_ptr<class CycleMemory> memory_;
};

}  // namespace maui
