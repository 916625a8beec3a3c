// Adapts a recorded job to the settings: scales it, forces and removes flags, and drops recorded
// demands (SIMCPUSCALINGPERCENT, SIMDEFAULTJOBFLAGS, SIMIGNOREJOBFLAGS, SIMFLAGS).
#pragma once
#include "maui/resource_manager.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace maui {

void shape_job(JobReport& job, const Settings& settings);

/// Returns `percent` per cent of `length`, but at least one second.
Seconds scaled(Seconds length, int percent);

/// Sets the job's submission to `when`; its start date and its deadline keep their distance from
/// the submission.
void submit_at(JobReport& job, Time when);

/// Applies SIMNODECONFIGURATION and SIMNODECOUNT: with UNIFORM, drops nodes whose configured
/// resources differ from those of the first node; then keeps at most SIMNODECOUNT nodes.
void select_nodes(std::vector<NodeReport>& nodes, const SimulationSettings& settings);

}  // namespace maui
