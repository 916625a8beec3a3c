// Priorities that reach the bounds of guide 5.1.1: jobs at a bound are ordered by queue time,
// whatever the site's weights were meant to achieve.
#pragma once
#include <optional>
#include <string>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

class PriorityBounds {
 public:
  /// Notes that the weights have changed: warnings about both bounds may be given again.
  void settings_changed() { upper_warned_ = lower_warned_ = false; }
  /// Returns a warning that names the weight which drives the order of this plan against a bound;
  /// once for each bound.
  std::optional<std::string> warning(const Cluster& cluster, const Settings& settings,
                                     const Plan& plan, Time now);

 private:
  bool upper_warned_ = false, lower_warned_ = false;
};

}  // namespace maui
