// GREEDY backfill (guide 8.2): the set of jobs that together fill a window best by BACKFILLMETRIC.
//
// The search goes depth first, best value first.  Jobs with the same request are interchangeable,
// so only their number is varied; with limits, these are also of the same owner.  A branch ends at
// a job that limits forbid beside those of the set, and where the remaining processors cannot make
// it better than the best set so far; the search ends after a fixed number of trial placements.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "sched/cycle_state.h"

namespace maui {

class GreedyBackfill {
 public:
  /// Returns how long nodes for the job must stay free.
  using LeastFree = std::function<Seconds(std::size_t rank)>;

  /// Takes the jobs at these ranks; leaves out those with several shapes.
  GreedyBackfill(CycleState& state, std::vector<std::size_t> ranks, LeastFree least_free);

  /// Returns the best set; tries placements, all of which are undone.
  std::vector<std::size_t> best();

 private:
  struct Shape {
    double value = 0;  // of one job
    std::int64_t procs = 0;
    std::vector<std::size_t> ranks;  // the jobs, highest priority first
    std::size_t chosen = 0;
    // For this shape and those after it:
    double rest = 0;     // the total value of all jobs
    double density = 0;  // the highest value for each processor
  };

  Shape& shape_of(std::size_t rank);
  static double bound(const Shape& from, std::int64_t left);
  void search(std::size_t next, double sum, std::int64_t left);

  static constexpr int kMostTrials = 2000;
  static constexpr double kForFree = std::numeric_limits<double>::infinity();
  CycleState& state_;
  LeastFree least_free_;
  std::vector<Shape> shapes_;
  std::map<std::tuple<RequestId, AccessSet, UserId, CredentialsId>, std::size_t> index_;
  std::vector<std::size_t> chosen_, best_;
  double best_sum_ = 0;
  int trials_ = kMostTrials;
};

}  // namespace maui
