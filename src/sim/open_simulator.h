// From the traces that the settings name to a simulated resource manager.
#pragma once
#include <memory>
#include <string>

#include "maui/result.h"
#include "maui/settings.h"
#include "sim/simulator.h"
#include "sim/trace_summary.h"

namespace maui {

/// Reads the traces that `settings` names, relative to `home`.  Fails when nothing remains.
Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings, const std::string& home,
                                                  TraceSummary& summary);

}  // namespace maui
