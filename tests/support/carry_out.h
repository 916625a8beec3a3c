// A plan carried out on a cluster, as the engine does, with no resource manager.
#pragma once
#include <string>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "support/scenario.h"

namespace maui::test {

void carry_out(Cluster& cluster, const Plan& plan, Time now);

/// The decisions of a plan, a line each: "start a on n1:2", "reserve b in 3600 s on n1:1 n2:1".
std::string decisions(const Cluster& cluster, const Plan& plan, Time now = kNow);
/// The jobs that a plan starts, in its order: "a c".
std::string started(const Cluster& cluster, const Plan& plan);

/// Everything that a plan says, for comparing and for messages.
std::string describe(const Cluster& cluster, const Plan& plan, Time now);

}  // namespace maui::test
