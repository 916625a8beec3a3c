// Says when the next iteration is due, and lets it happen.
#pragma once
#include <chrono>

#include "engine/engine.h"

namespace maui {

class Driver {
 public:
  using WallTime = std::chrono::steady_clock::time_point;
  enum class State {
    ready,    // the next iteration is due
    later,    // it is due at due()
    waiting,  // for a client to resume scheduling, or to change something
    ended,    // a simulation is over
  };

  virtual ~Driver() = default;
  virtual State state(WallTime wall) = 0;
  virtual WallTime due() const = 0;
  /// One iteration; requires that state() has just said State::ready.
  virtual void step() = 0;
  /// A client has changed something, or something has happened in the cluster.
  virtual void touch() = 0;
};

/// Pauses scheduling where its stop rule says so.
inline void apply_stop_rule(Engine& engine) {
  auto& rule = engine.stop_rule();
  if (rule.at_iteration && engine.iteration() >= *rule.at_iteration) {
    rule.stopped = true;
    rule.at_iteration.reset();
  }
  if (rule.stopped) rule.ignore_clients = false;
}

}  // namespace maui
