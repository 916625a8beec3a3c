// The jobs whose expected runs must be updated: jobs that arrived or changed, and all jobs of each
// user of whom a job has ended.
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
  /// Notes a lesson from the end of the job: all jobs of its user become due.
  void learned_from(JobId job);
  void gone(JobId job);
  bool knows(JobId job) const { return job.index() < jobs_.size() && jobs_[job.index()].known; }
  void make_all_due();
  void forget_all_due();

  bool any_fresh() const { return !fresh_.empty(); }
  /// Returns the jobs that arrived or changed since the last call.
  std::vector<JobId> take_fresh();
  /// Returns the next job of the users that are due, one job of each user in turn, so that nobody
  /// keeps the others waiting, until each of their jobs has had its turn.
  std::optional<JobId> next();
  /// True if the scheduler has learned from a job of the same user since the job was updated.
  bool outdated(JobId job) const;
  void looked_at(JobId job);

 private:
  struct Place {
    std::uint64_t as_of = 0;     // User::ends at the last update
    std::size_t user = 0;        // index into users_
    std::uint32_t position = 0;  // among the jobs of its user
    bool known = false;
  };
  struct User {
    std::vector<JobId> jobs;         // all known jobs
    std::uint64_t ends = 0;          // the number of jobs that were learned from
    bool due = false;                // the user is in due_
    std::size_t next = 0, left = 0;  // if due: the next job, and the number of jobs left
  };
  void make_due(std::size_t user);
  void drop_finished();

  std::vector<Place> jobs_;      // by job
  std::vector<User> users_;      // 0: no user; then by user
  std::vector<JobId> fresh_;     // arrived or changed
  std::deque<std::size_t> due_;  // users of whom a job has ended; the first has the next turn
};

}  // namespace maui
