// The duration of iterations and of their phases, since the scheduler started.
#pragma once
#include <prometheus/client_metric.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/engine.h"

namespace maui {

/// How many durations were at most as long as each of some bounds.
class DurationHistogram {
 public:
  static constexpr std::array<double, 17> kBounds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                                  0.01,   0.025,   0.05,   0.1,   0.25,   0.5,
                                                  1,      2.5,     5,      10,    30};  // seconds

  void add(std::chrono::duration<double> time);
  prometheus::ClientMetric metric() const;

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};  // above each bound, up to the next
  double sum_ = 0;                                          // seconds
};

class IterationTimes {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// Receives the events of EngineObserver.
  void begins(Phase phase, Moment now);
  void ends(Moment now);

  std::int64_t iterations() const { return iterations_; }
  std::optional<Moment> last_end() const { return last_end_; }
  prometheus::ClientMetric whole() const { return whole_.metric(); }
  prometheus::ClientMetric part(Phase phase) const;

 private:
  void end_phase(Moment now);

  DurationHistogram whole_;
  std::array<DurationHistogram, kPhases> parts_;
  std::int64_t iterations_ = 0;
  std::optional<Phase> phase_;  // the current phase
  Moment begun_{}, phase_begun_{};
  std::optional<Moment> last_end_;
};

}  // namespace maui
