// When scheduling pauses (schedctl -s, -S; SIMSTOPITERATION).
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "maui/units.h"

namespace maui {

/// When scheduling pauses (schedctl -s, -S; SIMSTOPITERATION).  Iterations count from 0.
struct StopRule {
  std::optional<std::int64_t> at_iteration;  // pause after this iteration
  bool ignore_clients = false;               // until that pause (schedctl nI)
  bool stopped = false;
  std::string user = {};          // who asked for the pause; empty: nobody, as in a simulation
  Time since{0};                  // when the pause began
  std::optional<Time> resume_at;  // schedctl -r TIME
};

}  // namespace maui
