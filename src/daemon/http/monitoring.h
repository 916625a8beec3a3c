// Answers to monitors: whether the scheduler is healthy, and its metrics.
#pragma once
#include <chrono>
#include <ctime>
#include <functional>

#include "engine/engine.h"
#include "http/response.h"
#include "metrics/scheduler_metrics.h"

namespace maui {

class Monitoring {
 public:
  /// Everything that it tells of; all must outlive it.
  struct Sources {
    const Engine& engine;
    const LineCounts& lines;
    /// True if checkpoints are not written, or if a loss is not accepted.
    std::function<bool()> checkpoint_failing;
    std::chrono::steady_clock::time_point started;  // of the scheduler
    std::time_t started_at = 0;
  };

  explicit Monitoring(Sources sources) : sources_(std::move(sources)) {}

  /// Receives the events of EngineObserver.
  void begins(Phase phase) { times_.begins(phase, std::chrono::steady_clock::now()); }
  void iteration_ended() { times_.ends(std::chrono::steady_clock::now()); }

  /// Status 200 if healthy, else 503.
  HttpResponse health() const;
  /// Adds to counts of clients all that is known here.
  HttpResponse metrics(ServerCounts counts) const;

 private:
  ServerState state() const;

  Sources sources_;
  IterationTimes times_;
};

}  // namespace maui
