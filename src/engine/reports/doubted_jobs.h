// Jobs whose reported state differs from the known one, with the time since when, until one of the
// two is believed (JOBSYNCTIME, JOBPURGETIME).
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct DoubtedJob {
  JobId job;
  std::uint64_t arrival = 0;
  JobState reported = JobState::idle;
  Time since{0};
  Time last_known{0};  // when a job that is no longer reported was last known
};

class DoubtedJobs {
 public:
  void add(const DoubtedJob& doubted) { all_.push_back(doubted); }
  bool holds(const Job& job) const {
    return std::any_of(all_.begin(), all_.end(), [&](const DoubtedJob& doubted) {
      return doubted.job == job.id && doubted.arrival == job.arrival;
    });
  }
  template <class Predicate>
  void erase_if(Predicate which) {
    std::erase_if(all_, which);
  }
  /// Removes the first entry for which `which` is true; returns false if there is none.
  template <class Predicate>
  bool take_first(Predicate which, DoubtedJob& taken) {
    const auto at = std::find_if(all_.begin(), all_.end(), which);
    if (at == all_.end()) return false;
    taken = *at;
    all_.erase(at);
    return true;
  }
  /// Removes and returns all entries for which `which` is true.
  template <class Predicate>
  std::vector<DoubtedJob> take(Predicate which) {
    std::vector<DoubtedJob> taken;
    std::erase_if(all_, [&](const DoubtedJob& doubted) {
      const bool due = which(doubted);
      if (due) taken.push_back(doubted);
      return due;
    });
    return taken;
  }
  /// Lets the time of all entries for which `which` is true begin now.
  template <class Predicate>
  void begin_anew(Predicate which, Time now) {
    for (DoubtedJob& doubted : all_)
      if (which(doubted)) doubted.since = now;
  }
  /// Shifts all times by a step of the clock.
  void shift(Seconds by) {
    for (DoubtedJob& doubted : all_) {
      doubted.since = doubted.since + by;
      doubted.last_known = doubted.last_known + by;
    }
  }
  bool empty() const { return all_.empty(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<DoubtedJob> all_;
};

}  // namespace maui
