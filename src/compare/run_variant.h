// Runs a workload under one configuration, from the first submission to the last end.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "compare/outcome.h"
#include "maui/result.h"
#include "maui/settings.h"
#include "replay/progress.h"
#include "sim/open_simulator.h"

namespace maui::compare {

/// Returns `settings` adapted to a comparison: jobs arrive as recorded, an iteration follows every
/// event, and nothing pauses or ends the simulation early.
Settings replay_settings(Settings settings);

/// Calls `report_progress` regularly; if that returns false, stops and returns the outcome of an
/// unfinished run.  Fails if the input is unusable.
Result<Outcome> run_variant(const std::string& name, const Settings& settings,
                            const ReplayFiles& files,
                            const std::function<bool(const Progress&)>& report_progress);

}  // namespace maui::compare
