// Decides when the next iteration is due, and runs it.
#pragma once
#include <chrono>

#include "engine/engine.h"

namespace maui {

class Driver {
 public:
  using WallTime = std::chrono::steady_clock::time_point;
  enum class State {
    ready,    // the next iteration is due
    later,    // the next iteration is due at due()
    waiting,  // for a client to resume scheduling or change something
    ended,    // a simulation has ended
  };

  virtual ~Driver() = default;
  virtual State state(WallTime wall) = 0;
  virtual WallTime due() const = 0;
  /// Runs one iteration.  Requires that state() has just returned State::ready.
  virtual void step() = 0;
  /// Notes that a client has changed something, or that the cluster has changed.
  virtual void touch() = 0;
};

/// Pauses scheduling if the engine's stop rule requires it.
inline void apply_stop_rule(Engine& engine) {
  auto& rule = engine.stop_rule();
  if (rule.at_iteration && engine.iteration() >= *rule.at_iteration) {
    rule.stopped = true;
    rule.since = engine.now();
    rule.at_iteration.reset();
  }
  if (rule.stopped) rule.ignore_clients = false;
}

}  // namespace maui
