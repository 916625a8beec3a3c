// When the next iteration comes, as far as that is known beforehand.
#pragma once
#include <algorithm>

#include "maui/settings.h"

namespace maui {

/// Returns the time until the next iteration: RMPOLLINTERVAL; a second where events trigger
/// iterations (SIMSTEPPOLICY EVENT).
inline Seconds until_next_iteration(const Settings& settings) {
  const bool by_events = settings.server.mode == ServerMode::simulation &&
                         settings.simulation.step == StepPolicy::event;
  return by_events ? Seconds(1) : std::max(settings.poll_interval, Seconds(1));
}

}  // namespace maui
