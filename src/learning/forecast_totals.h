// How good limits, expected runs and expected starts were: sums over jobs that have ended.
#pragma once
#include <cstdint>

namespace maui {

struct ForecastTotals {
  std::int64_t jobs = 0;  // that were learned from
  double run_seconds = 0, limit_seconds = 0;
  std::int64_t foreseen = 0;  // of these, jobs like which some had ended before they started
  std::int64_t within = 0;    // and that ended in the interval that was said then
  double error = 0,
         limit_error = 0;   // seconds between their run and what was expected, or the limit
  std::int64_t starts = 0;  // jobs whose expected start was asked for
  double start_error = 0, limit_start_error = 0;  // the same of it, and of the start by limits

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
