// When every waiting job would start if nothing changed; --dry-run compares such forecasts.
//
// In order of priority, each job gets the earliest slot that the jobs before it leave and at which
// hard limits of active jobs let it start, and keeps the slot for its whole limit, or for its
// expected run; without backfill no job starts before one ahead of it.  Even a job that keeps a
// slot for its expected run starts only where its whole limit is over before reservations begin, as
// the scheduler does.  The forecast is no promise: jobs end early, new ones arrive, and backfill
// starts some jobs out of turn.
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
  std::vector<JobId> beyond;  // the remaining jobs, which were not forecast
  bool complete() const { return beyond.empty(); }
  /// Keeps the first `most` starts and moves the other jobs to `beyond`.
  void shorten(std::size_t most);
};

/// Forecasts the starts of the first `most` eligible jobs, one job a step after steps of
/// preparation, so that the server can do other work in between.  Stops earlier if wide jobs would
/// need too much memory.
class QueueForecaster {
 public:
  /// Requires that the arguments outlive the forecaster and do not change.
  QueueForecaster(const Cluster& cluster, const Settings& settings, Time now, std::size_t most);
  ~QueueForecaster();
  QueueForecaster(QueueForecaster&&) noexcept;
  QueueForecaster& operator=(QueueForecaster&&) noexcept;
  /// Forecasts these jobs, in this order.  `runs`: how long each of them is expected to run, for
  /// speed 1; empty: each runs for its limit.
  QueueForecaster(const Cluster& cluster, const Settings& settings, Time now,
                  std::vector<Plan::Ranked> order, std::vector<Seconds> runs = {});
  /// Does the next step; false if nothing is left.
  bool step();
  const QueueForecast& forecast() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a whole forecast in one call.
QueueForecast forecast_queue(const Cluster& cluster, const Settings& settings, Time now,
                             std::size_t most);

/// Forecasts when a waiting job starts, after placing the jobs before it, in two ways: assuming
/// that all these jobs and the active ones run for their limits, and that each runs for the total
/// time that `expected` returns.  Works job by job, on a copy of the cluster.
class StartForecaster {
 public:
  StartForecaster(const Cluster& cluster, const Settings& settings, Time now, JobId job,
                  const std::function<Seconds(JobId)>& expected);
  StartForecaster(const StartForecaster&) = delete;
  StartForecaster& operator=(const StartForecaster&) = delete;
  /// Forecasts the next job; false if there is none.
  bool step();
  /// Valid after step() returns false; kForever: never, or the job is too far down the queue.
  Time by_limits() const { return by_limits_; }
  Time expected() const { return expected_; }

 private:
  bool expect_ends();

  const Settings settings_;
  const Time now_;
  std::vector<Plan::Ranked> order_;  // the job and those before it
  std::vector<Seconds> runs_;        // the expected run times of these jobs
  std::vector<std::pair<JobId, Time>> ends_;
  std::optional<Cluster> copy_;
  std::optional<QueueForecaster> forecaster_;
  bool expecting_ = false;
  std::size_t extended_ = 0;  // how many of `ends_` hold in the copy
  Time by_limits_ = kForever, expected_ = kForever;
};

struct StartShift {
  JobId job;
  Time before = kForever, after = kForever;
};
/// Returns the jobs whose start differs between two forecasts of the same queue, those that lose
/// most first; ties keep the order of `before`.
std::vector<StartShift> shifts(const QueueForecast& before, const QueueForecast& after);

/// Returns the jobs with a priority reservation that would start later than reserved if `job`
/// started now on these nodes, those that lose most first.
std::vector<StartShift> delayed_by(const Cluster& cluster, const Settings& settings, Time now,
                                   JobId job, const Placement& nodes);

}  // namespace maui
