// Carries out a plan on a cluster as the engine does, but without a resource manager.
#pragma once
#include <string>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "support/scenario.h"

namespace maui::test {

void carry_out(Cluster& cluster, const Plan& plan, Time now);

/// Returns the decisions, one per line: "start a on n1:2", "reserve b in 3600 s on n1:1 n2:1".
std::string decisions(const Cluster& cluster, const Plan& plan, Time now = kNow);
/// Returns the jobs that a plan starts, in order: "a c".
std::string started(const Cluster& cluster, const Plan& plan);

/// Returns the whole plan as text, for comparisons and messages.
std::string describe(const Cluster& cluster, const Plan& plan, Time now);

}  // namespace maui::test
