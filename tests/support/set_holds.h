// Gives a job exactly the holds that a test wants.
#pragma once
#include <cstdint>

#include "engine/engine.h"

namespace maui::test {

/// Places these holds of the job's own, and releases its others.
inline Status set_holds(Engine& engine, JobId job, std::uint8_t holds) {
  const auto changed = engine.change_holds(job, holds, static_cast<std::uint8_t>(~holds));
  if (!changed) return changed.error();
  return Done{};
}

}  // namespace maui::test
