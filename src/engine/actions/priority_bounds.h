// Priorities that reach the bounds of guide 5.1.1: jobs there stand in order of arrival, whatever
// the site's weights were meant to say.
#pragma once
#include <optional>
#include <string>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

class PriorityBounds {
 public:
  /// The weights are others: the log may be warned of both bounds again.
  void settings_changed() { upper_warned_ = lower_warned_ = false; }
  /// Returns a warning that says which weight drives the order of this plan against a bound, once
  /// for each of both.
  std::optional<std::string> warning(const Cluster& cluster, const Settings& settings,
                                     const Plan& plan, Time now);

 private:
  bool upper_warned_ = false, lower_warned_ = false;
};

}  // namespace maui
