// Job dependencies: keeps the state of every job's dependencies as jobs arrive, start and end.
//
// A dependency becomes met, or impossible to meet, only when an event occurs; nothing is polled in
// between.  Those of a job that arrives are judged once the others of its report have arrived, too.
// A job whose dependencies can never be met gets a batch hold that gives the reason.
//
// Each job waited for has an index of the dependencies that wait for it, so that its start or end
// costs a constant time for each of them.  A job's own list is changed once for all that has
// happened since judge(), or at once when it has become free to start or can never start.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

class Dependencies {
 public:
  /// The function that places the hold on a job whose dependencies can never be met.
  using PlaceHold = std::function<void(JobId, const HoldReason&)>;
  void hold_by(PlaceHold place) { place_hold_ = std::move(place); }

  struct Outcome {
    bool started = false, ok = false;
  };
  /// The job of this name has ended with this outcome, perhaps under a previous scheduler.
  void note(const std::string& job, Outcome outcome);
  /// The job has just arrived: its dependencies are open until judge().
  void arrived(const Cluster& cluster, JobId job);
  /// The job's dependencies were these and have changed: the new ones are open until judge().
  void revised(Cluster& cluster, JobId job, const std::vector<Dependency>& before);
  /// Judges the dependencies of jobs that have arrived or been revised, by what is known of the
  /// other jobs; those of jobs for which `due` is false stay open.  Then brings up to date the
  /// lists of jobs for which some dependencies have been met.  Examines about `most` dependencies
  /// and returns true if that was all: if not, it must be called again.
  using Due = std::function<bool(const Job&)>;
  bool judge(Cluster& cluster, const Due& due, std::size_t most = kAtOnce);
  /// Shows in the job's list which of its dependencies are no longer open.
  void bring_up_to_date(Cluster& cluster, JobId job);
  void started(Cluster& cluster, JobId job);
  /// The job is about to be removed from the cluster.  `ok`: it completed without a failure.
  void ended(Cluster& cluster, JobId job, bool ok);
  /// Notes that a plan is made, which takes everything so far into account.
  void note_plan() { met_since_plan_ = false; }
  /// True if a job's last open dependency was met after the last plan.
  bool met_since_plan() const { return met_since_plan_; }

 private:
  static constexpr std::size_t kAtOnce = 2000;  // takes some milliseconds

  /// A dependency, by its job and its place in the job's list.
  using Edge = std::pair<JobId, std::uint32_t>;
  /// A job with open dependencies.
  struct Waiter {
    std::size_t open = 0;
    // Dependencies that are no longer open; the job's list does not show it yet.
    std::vector<std::pair<std::uint32_t, DependencyState>> closed;
  };
  struct Past {
    Outcome outcome;
    std::uint64_t number = 0;  // of the end
  };

  void judge_one(Cluster& cluster, JobId job);
  void await(JobId job, const std::vector<Dependency>& all);
  void forget(JobId job, const std::vector<Dependency>& all);
  /// Judges what waits for the job of this name.
  void judge_dependents(Cluster& cluster, const std::string& name);
  void close(Cluster& cluster, const Edge& edge, DependencyState state);
  void take(Cluster& cluster, JobId job, std::vector<Dependency> all);
  DependencyState state_of(const Cluster& cluster, const Dependency& dependency) const;

  PlaceHold place_hold_;
  std::deque<std::pair<JobId, std::uint64_t>> new_;       // jobs, and their arrivals, to be judged
  std::vector<std::pair<JobId, std::uint64_t>> put_off_;  // those that are not due
  std::unordered_map<std::string, std::set<Edge>> dependents_;  // by name waited for
  std::map<JobId, Waiter> waiters_;
  std::deque<JobId> outdated_;                      // jobs whose lists are to be brought up to date
  std::unordered_map<std::string, Past> outcomes_;  // of jobs that have ended recently, by name
  // Ends in outcomes_, oldest first, and earlier ones of jobs whose names others have now.
  std::deque<std::pair<std::string, std::uint64_t>> order_;
  std::uint64_t ends_ = 0;
  bool met_since_plan_ = false;
};

}  // namespace maui
