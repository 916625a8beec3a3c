// Jobs whose reported state differs from the known one, with the time since when, until one of the
// two is believed (JOBSYNCTIME, JOBPURGETIME).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct DoubtedJob {
  JobId job;
  std::uint64_t arrival = 0;
  JobState reported = JobState::idle;
  Time since{0};
  Time last_known{0};     // when a job that is reported idle, or no longer, was last known to run
  Seconds suspended{0};   // Job::suspensions() when the state was first reported
  Time latest{0};         // when it was last reported
  bool restored = false;  // this scheduler has never had a report of the job
};

/// The meaning of a doubted state for the run of its job: it was suspended, or resumed.
struct DoubtedRun {
  JobState state = JobState::running;  // running or suspended
  Time since{0};                       // in that state
  Seconds suspended_time{0};           // Job::suspended_time as of then
};

/// Returns the job's run if the state that is reported of it is true; nothing if that is neither
/// the suspension of an active job nor the resumption of a suspended one.
std::optional<DoubtedRun> doubted_run(const DoubtedJob& doubted, const Job& job);

class DoubtedJobs {
 public:
  /// A job that is doubted already stays as it is.
  void add(const DoubtedJob& doubted) { all_.try_emplace(doubted.arrival, doubted); }
  /// Notes that a doubted job is reported again as it was; false: it is not doubted.
  bool note_again(const Job& job, Time now) {
    if (!holds(job)) return false;
    all_.at(job.arrival).latest = now;
    return true;
  }
  /// Returns nullptr if the job is not doubted.
  const DoubtedJob* find(const Job& job) const {
    const auto at = all_.find(job.arrival);
    return at != all_.end() && at->second.job == job.id ? &at->second : nullptr;
  }
  bool holds(const Job& job) const { return find(job) != nullptr; }
  /// True if the job is doubted, and reported in that state.
  bool shows(const Job& job, JobState reported) const {
    const DoubtedJob* const doubted = find(job);
    return doubted != nullptr && doubted->reported == reported;
  }
  void erase(const Job& job) {
    if (holds(job)) all_.erase(job.arrival);
  }
  /// Removes the job that came first of those for which `which` is true; returns false if there is
  /// none.
  template <class Predicate>
  bool take_first(Predicate which, DoubtedJob& taken) {
    for (auto at = all_.begin(); at != all_.end(); ++at) {
      if (!which(at->second)) continue;
      taken = at->second;
      all_.erase(at);
      return true;
    }
    return false;
  }
  /// Removes and returns all for which `which` is true, in the order in which the jobs came.
  template <class Predicate>
  std::vector<DoubtedJob> take(Predicate which) {
    std::vector<DoubtedJob> taken;
    std::erase_if(all_, [&](const auto& entry) {
      const bool due = which(entry.second);
      if (due) taken.push_back(entry.second);
      return due;
    });
    return taken;
  }
  /// Lets the time of all for which `which` is true begin now.
  template <class Predicate>
  void begin_anew(Predicate which, Time now) {
    for (auto& [arrival, doubted] : all_)
      if (which(doubted)) doubted.since = now;
  }
  /// Shifts all times by a step of the clock.
  void shift(Seconds by) {
    for (auto& [arrival, doubted] : all_) {
      doubted.since = doubted.since + by;
      doubted.last_known = doubted.last_known + by;
      doubted.latest = doubted.latest + by;
    }
  }
  bool empty() const { return all_.empty(); }

 private:
  std::map<std::uint64_t, DoubtedJob> all_;  // by Job::arrival
};

}  // namespace maui
