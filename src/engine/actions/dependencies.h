// Jobs that wait for jobs: keeps the state of every job's dependencies as jobs come, start and end.
//
// A dependency is met, or can never be met any more, at the moment of an event; nothing is looked
// for in between.  A job that will never be free to start gets a batch hold that says why.
#pragma once
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"

namespace maui {

class Dependencies {
 public:
  /// The job has just come: judges what it waits for by what is known of the others.
  void arrived(Cluster& cluster, JobId job);
  /// It waits for others than before.
  void revised(Cluster& cluster, JobId job);
  void started(Cluster& cluster, JobId job);
  /// The job is about to be forgotten.  `ok`: it completed without a failure.
  void ended(Cluster& cluster, JobId job, bool ok);

 private:
  struct Outcome {
    bool started = false, ok = false;
  };
  void judge_dependents(Cluster& cluster, const std::string& name);
  void await(Cluster& cluster, JobId job);
  void judge(Cluster& cluster, JobId job);
  DependencyState state_of(const Cluster& cluster, const Dependency& dependency) const;

  std::unordered_map<std::string, std::vector<std::string>> dependents_;  // by name waited for
  std::unordered_map<std::string, Outcome> outcomes_;  // of jobs that have ended, the latest
  std::deque<std::string> order_;                      // of outcomes_, oldest first
};

}  // namespace maui
