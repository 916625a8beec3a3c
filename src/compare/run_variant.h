// One workload under one configuration, from the first submission to the last end.
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

/// Returns `settings` as a comparison uses them: the jobs arrive when they did, an iteration is
/// whenever something happens, and nothing pauses or ends it early.
Settings replay_settings(Settings settings);

/// `report_progress` is called now and then and returns whether to go on: where it returns false,
/// the outcome is that of an unfinished run.  Fails when the input cannot be used.
Result<Outcome> run_variant(const std::string& name, const Settings& settings,
                            const ReplayFiles& files,
                            const std::function<bool(const Progress&)>& report_progress);

}  // namespace maui::compare
