// Judges whether the scheduler does its work: what /health answers, and a monitor acts on.
//
// It names no hosts and quotes nobody, since everybody may ask.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace maui {

/// Facts that only the daemon knows of itself.
struct ServerState {
  std::optional<double> iteration_age;  // seconds since the last one ended; none: before the first
  double up = 0;                        // seconds since the start
  bool checkpoint_failing = false;      // it cannot be written, or a loss is not accepted
  bool memory_short = false;
};

struct Health {
  struct Manager {
    std::string name;
    bool up = false;
  };
  std::vector<std::string> problems;  // none: it is healthy
  std::optional<double> iteration_age;
  std::int64_t iteration = -1;
  bool stopped = false;  // by an administrator, which is no problem
  std::vector<Manager> managers;
};

/// An iteration is late after three poll intervals, but not within a minute: then whoever has to
/// wait for a slow resource manager is not ill.
Health health_of(const Engine& engine, const ServerState& server);

std::string health_as_json(const Health& health);

}  // namespace maui
