// Cancellations that the resource manager has not answered yet; their jobs are not started in the
// meantime.
//
// A checkpoint has them: those that an earlier scheduler asked for, or was about to, are asked for
// again.
#pragma once
#include <cstdint>
#include <map>
#include <utility>

#include "maui/job.h"

namespace maui {

class UnansweredCancellations {
 public:
  /// By Job::arrival, which no other job has.
  using Jobs = std::map<std::uint64_t, JobId>;

  void asked(const Job& job) {
    asked_[job.arrival] = job.id;
    again_.erase(job.arrival);
  }
  void answered(std::uint64_t arrival) { asked_.erase(arrival); }
  /// An earlier scheduler asked for it.
  void restore(const Job& job) { again_[job.arrival] = job.id; }
  /// Returns those that were restored and have not been asked for since.
  Jobs take_restored() { return std::exchange(again_, {}); }

  bool has(const Job& job) const {
    return asked_.contains(job.arrival) || again_.contains(job.arrival);
  }

 private:
  Jobs asked_, again_;
};

}  // namespace maui
