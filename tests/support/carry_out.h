// A plan carried out on a cluster, as the engine does, with no resource manager.
#pragma once
#include <string>

#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui::test {

void carry_out(Cluster& cluster, const Plan& plan, Time now);

/// Everything that a plan says, for comparing and for messages.
std::string tell(const Cluster& cluster, const Plan& plan, Time now);

}  // namespace maui::test
