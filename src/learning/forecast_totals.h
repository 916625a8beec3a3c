// How good limits, expected runs and expected starts were: sums over jobs that have ended.
#pragma once
#include <cstdint>

namespace maui {

struct ForecastTotals {
  std::int64_t jobs = 0;  // jobs that were learned from
  double run_seconds = 0, limit_seconds = 0;
  std::int64_t foreseen = 0;  // of these, jobs with similar ended jobs at their start
  std::int64_t within = 0;    // of those, jobs that ended within the interval
  double error = 0,
         limit_error = 0;                         // seconds between run and expected run, or limit
  std::int64_t starts = 0;                        // jobs with a query for their expected start
  double start_error = 0, limit_start_error = 0;  // of the expected start and of that by limits

  ForecastTotals& operator+=(const ForecastTotals& other) {
    jobs += other.jobs;
    run_seconds += other.run_seconds;
    limit_seconds += other.limit_seconds;
    foreseen += other.foreseen;
    within += other.within;
    error += other.error;
    limit_error += other.limit_error;
    starts += other.starts;
    start_error += other.start_error;
    limit_start_error += other.limit_start_error;
    return *this;
  }
  friend bool operator==(const ForecastTotals&, const ForecastTotals&) = default;
};

}  // namespace maui
