// Shapes a recorded job by the settings: scaled, with flags forced and ignored, with recorded
// demands left out (SIMCPUSCALINGPERCENT, SIMDEFAULTJOBFLAGS, SIMIGNOREJOBFLAGS, SIMFLAGS).
#pragma once
#include "maui/resource_manager.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace maui {

void shape_job(JobReport& job, const Settings& settings);

/// `length` in the percentage asked for; never less than a second.
Seconds scaled(Seconds length, int percent);

/// Has the job be submitted at `when` instead of as recorded; its start date and its deadline keep
/// their distance from the submission.
void submit_at(JobReport& job, Time when);

/// SIMNODECONFIGURATION and SIMNODECOUNT: with UNIFORM, nodes whose configured resources differ
/// from those of the first are left out; of the rest, as many as asked for are kept.
void select_nodes(std::vector<NodeReport>& nodes, const SimulationSettings& settings);

}  // namespace maui
