// The jobs whose expected runs are to be looked at again: those that came or changed, and all of
// each user of whom a job has ended.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "maui/units.h"

namespace maui {

class DueJobs {
 public:
  void arrived(JobId job, UserId owner);
  void changed(JobId job) { fresh_.push_back(job); }
  /// Something has been learned from the end of the job: all jobs of its user become due.
  void learned_from(JobId job);
  void gone(JobId job);
  bool knows(JobId job) const { return job.index() < jobs_.size() && jobs_[job.index()].known; }
  void make_all_due();
  void forget_all_due();

  bool any_fresh() const { return !fresh_.empty(); }
  /// Returns the jobs that came or changed since this was called last.
  std::vector<JobId> take_fresh();
  /// Returns the next job of the users that are due, first come, first served, until each job of
  /// theirs has had its turn.
  std::optional<JobId> next();
  /// True if something has been learned from a job of its user since it was looked at.
  bool outdated(JobId job) const;
  void looked_at(JobId job);

 private:
  struct Place {
    std::uint64_t as_of = 0;     // User::ends, when it was looked at
    std::size_t user = 0;        // number of its User
    std::uint32_t position = 0;  // among the jobs of its user
    bool known = false;
  };
  struct User {
    std::vector<JobId> jobs;         // all that are known
    std::uint64_t ends = 0;          // of jobs that were learned from
    bool due = false;                // in due_
    std::size_t next = 0, left = 0;  // then: which job is next, and how many are left
  };
  void make_due(std::size_t user);
  void drop_finished();

  std::vector<Place> jobs_;      // by job
  std::vector<User> users_;      // nobody, and then by user
  std::vector<JobId> fresh_;     // came, or changed
  std::deque<std::size_t> due_;  // a job of theirs has ended
};

}  // namespace maui
