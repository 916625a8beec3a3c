// Requeues that the resource manager has not answered yet.
//
// A checkpoint has them: if the job is reported as waiting after a restart, its run ended when the
// requeue was asked for, and nothing needs to be doubted.
#pragma once
#include <cstdint>
#include <map>

#include "maui/job.h"

namespace maui {

class UnansweredRequeues {
 public:
  void asked(const Job& job, Time now) { asked_.try_emplace(job.arrival, now); }
  /// `arrival`: Job::arrival, which no other job has.
  void answered(std::uint64_t arrival) { asked_.erase(arrival); }
  /// Returns when the requeue of the job was asked for; kForever: it was not, or is answered.
  Time since(const Job& job) const {
    const auto at = asked_.find(job.arrival);
    return at == asked_.end() ? kForever : at->second;
  }
  /// Shifts all times by a step of the clock.
  void shift(Seconds by) {
    for (auto& [arrival, when] : asked_) when = when + by;
  }

 private:
  std::map<std::uint64_t, Time> asked_;
};

}  // namespace maui
