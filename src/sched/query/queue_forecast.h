// When every waiting job would start, were nothing to change: what --dry-run compares.
//
// In order of priority each job gets the earliest place that those before it
// leave and at which hard limits of active jobs let it start, and keeps it for
// its whole limit; without backfill none starts before one that is ahead of it.
// That is no promise: jobs end early, others come, backfill lets some go first.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

struct QueueForecast {
  struct Start {
    JobId job;
    Time start = kForever;  // kForever: never
  };
  std::vector<Start> starts;  // highest priority first
  std::vector<JobId> beyond;  // the jobs behind these, which were not looked at
  bool complete() const { return beyond.empty(); }
  /// Counts what follows the first `most` starts among those that were not looked at.
  void shorten(std::size_t most);
};

/// Forecasts the starts of the first `most` jobs that may be considered, job by job, so that others
/// can be served meanwhile.  It looks at fewer where wide jobs would make it take too much memory.
class QueueForecaster {
 public:
  /// All of it outlives the forecaster, and stays as it is.
  QueueForecaster(const Cluster& cluster, const Settings& settings, Time now, std::size_t most);
  ~QueueForecaster();
  QueueForecaster(QueueForecaster&&) noexcept;
  QueueForecaster& operator=(QueueForecaster&&) noexcept;
  /// Foresees these jobs, in this order.
  QueueForecaster(const Cluster& cluster, const Settings& settings, Time now,
                  std::vector<Plan::Ranked> order);
  /// Looks at the next job; false: there is none.
  bool step();
  const QueueForecast& forecast() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same in one go.
QueueForecast forecast_queue(const Cluster& cluster, const Settings& settings, Time now,
                             std::size_t most);

/// Forecasts when a waiting job starts, those before it placed first: if all of them, and the
/// active ones, run for their limits, and if each runs as long as `expected` says of it, in all.
/// Job by job, on a cluster of its own.
class StartForecaster {
 public:
  StartForecaster(const Cluster& cluster, const Settings& settings, Time now, JobId job,
                  const std::function<Seconds(JobId)>& expected);
  StartForecaster(const StartForecaster&) = delete;
  StartForecaster& operator=(const StartForecaster&) = delete;
  /// Looks at the next job; false: there is none.
  bool step();
  /// Once there is none; kForever: never, or it is too far down the queue.
  Time by_limits() const { return by_limits_; }
  Time expected() const { return expected_; }

 private:
  void expect_runs();

  const Settings settings_;
  const Time now_;
  std::vector<Plan::Ranked> order_;  // the job and those before it
  std::vector<Seconds> runs_;        // of these
  std::vector<std::pair<JobId, Time>> ends_;
  std::optional<Cluster> copy_;
  std::optional<QueueForecaster> forecaster_;
  bool expecting_ = false;
  Time by_limits_ = kForever, expected_ = kForever;
};

struct StartShift {
  JobId job;
  Time before = kForever, after = kForever;
};
/// The jobs whose start differs between two forecasts of the same queue, those that lose most
/// first, then by name of the forecast's order.
std::vector<StartShift> shifts(const QueueForecast& before, const QueueForecast& after);

/// The jobs with a priority reservation that would start later than it says if `job` were to start
/// now on these nodes, those that lose most first.
std::vector<StartShift> delayed_by(const Cluster& cluster, const Settings& settings, Time now,
                                   JobId job, const Placement& nodes);

}  // namespace maui
