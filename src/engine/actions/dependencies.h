// Job dependencies: keeps the state of every job's dependencies as jobs arrive, start and end.
//
// A dependency becomes met, or impossible to meet, only when an event occurs; nothing is polled in
// between.  Those of a job that arrives are judged once the others of its report have arrived, too.
// A job whose dependencies can never be met gets a batch hold that gives the reason.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
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
  /// The job has just arrived: its dependencies are open until judge_new().
  void arrived(const Cluster& cluster, JobId job);
  /// The job's dependencies have changed: the new ones are open until judge_new().
  void revised(Cluster& cluster, JobId job);
  /// Judges the dependencies of jobs that have arrived or been revised, by what is known of the
  /// other jobs; those of jobs for which `due` is false stay open.
  using Due = std::function<bool(const Job&)>;
  void judge_new(Cluster& cluster, const Due& due);
  void started(Cluster& cluster, JobId job);
  /// The job is about to be removed from the cluster.  `ok`: it completed without a failure.
  void ended(Cluster& cluster, JobId job, bool ok);
  /// Notes that a plan is made, which takes everything so far into account.
  void note_plan() { met_since_plan_ = false; }
  /// True if a job's last open dependency was met after the last plan.
  bool met_since_plan() const { return met_since_plan_; }

 private:
  void judge_dependents(Cluster& cluster, const std::string& name);
  /// Judges the job's dependencies, and notes those that are still open.
  void await(Cluster& cluster, JobId job);
  void judge(Cluster& cluster, JobId job);
  DependencyState state_of(const Cluster& cluster, const Dependency& dependency) const;

  PlaceHold place_hold_;
  std::vector<std::pair<JobId, std::uint64_t>> new_;  // jobs, and their arrivals, to be judged
  std::unordered_map<std::string, std::set<std::string>> dependents_;  // by name waited for
  std::unordered_map<std::string, Outcome> outcomes_;  // of jobs that have ended recently, by name
  std::deque<std::string> order_;                      // names in outcomes_, oldest first
  bool met_since_plan_ = false;
};

}  // namespace maui
