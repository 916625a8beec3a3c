// One scheduling cycle (paper, section 3; guide 3.3).
//
// Pure: the same cluster, settings and time give the same plan on every machine.  A cycle reads
// nothing but its arguments and changes nothing.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/node_selector.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

class FeasibleRequests;
struct Foreknown;

Plan plan(const Cluster& cluster, const Settings& settings, Time now);

/// Plans cycle after cycle for the same cluster.  Between cycles it keeps allocated memory and the
/// results about requests and kinds of nodes that are still valid; each plan equals the one that
/// maui::plan() returns.
class CyclePlanner {
 public:
  CyclePlanner();
  ~CyclePlanner();
  CyclePlanner(CyclePlanner&&) noexcept;
  CyclePlanner& operator=(CyclePlanner&&) noexcept;
  Plan plan(const Cluster& cluster, const Settings& settings, Time now);
  /// Sets the selector that chooses nodes where the allocation policy is LOCAL; there is none by
  /// default.
  void choose_with(NodeSelector* selector);
  /// Bounds the memory that a cycle takes: for each start, the model keeps all jobs on its nodes
  /// once more until the cycle ends.  A cycle starts no more jobs once those on the first nodes of
  /// all starts are more than `jobs` together (8,000,000 by default); the next cycle goes on.
  void keep_at_most(std::int64_t jobs);
  /// Stores in `feasible` which requests are feasible, so that other components share the result.
  void judge_in(std::shared_ptr<FeasibleRequests> feasible);

 private:
  /// Attempts a plan.  Returns nullopt if that has shown something that the plan should have begun
  /// with, and adds it to `known`; never if `last`.
  std::optional<Plan> attempt(Foreknown& known, const Cluster& cluster, const Settings& settings,
                              Time now, bool last);

  std::unique_ptr<class CycleMemory> memory_;
};

}  // namespace maui
