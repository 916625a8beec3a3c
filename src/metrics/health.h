// Judges whether the scheduler works properly, for /health and for monitors that poll it.
//
// The result contains no names of hosts or users, since everybody may request it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace maui {

/// Facts that only the daemon itself knows.
struct ServerState {
  std::optional<double> iteration_age;  // seconds since the last end; none: before the first
  double up = 0;                        // seconds since the start
  bool checkpoint_failing = false;      // not writable, or a loss is not accepted
  bool memory_short = false;
};

struct Health {
  struct Manager {
    std::string name;
    bool up = false;
  };
  std::vector<std::string> problems;  // empty: healthy
  std::optional<double> iteration_age;
  std::int64_t iteration = -1;
  bool stopped = false;  // by an administrator; not a problem
  std::vector<Manager> managers;
};

/// Evaluates the health.  An iteration is late after three poll intervals, but never within a
/// minute: waiting for a slow resource manager is no problem.
Health health_of(const Engine& engine, const ServerState& server);

std::string health_as_json(const Health& health);

}  // namespace maui
