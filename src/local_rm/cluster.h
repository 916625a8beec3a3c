// Runs jobs as local processes on emulated nodes: the resource manager of wiki_rm.
//
// Nodes are only names with a number of processors; every job runs on this host, in a process group
// of its own.  No job starts by itself: a scheduler must start it.
#pragma once
#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "maui/result.h"
#include "rm/wiki_attributes.h"

namespace maui {

struct EmulatedNodes {
  int count = 4, procs = 4, memory = 4096;
  std::string prefix = "node";
};

class LocalCluster {
 public:
  /// `changed`: called when a job arrives or ends.  Ended jobs are reported for `keep` seconds.
  LocalCluster(const EmulatedNodes& nodes, Seconds keep, std::function<void()> changed);
  ~LocalCluster();
  LocalCluster(const LocalCluster&) = delete;
  LocalCluster& operator=(const LocalCluster&) = delete;

  /// Return the records of nodes or jobs that have changed at `since` or later.
  std::vector<std::string> node_records(Time since) const;
  std::vector<std::string> job_records(Time since) const;

  /// `job` gives user, size and limit; the command is a line for sh.  Returns the job's name.
  Result<std::string> submit(WikiJob job, std::string command, Time now);
  Status start(const std::string& job, const std::vector<std::string>& tasks, Time now);
  Status cancel(const std::string& job, Time now);
  Status suspend(const std::string& job, Time now);
  Status resume(const std::string& job, Time now);
  Status requeue(const std::string& job, Time now);
  Status signal(const std::string& job, int number);
  Status hold(const std::string& job, bool on, Time now);
  Status set_limit(const std::string& job, Seconds limit, Time now);

  /// Handles processes that have ended.
  void reap(Time now);
  /// Ends jobs that exceed their limit, and removes those that ended long ago.
  void tick(Time now);

 private:
  struct LocalJob {
    WikiJob report;
    std::string command;
    pid_t process = 0;  // 0: no process
    bool removed = false, requeued = false;
    Time updated{0};
  };

  /// Names end in a number that grows: the order of arrival is that of their lengths, then of
  /// their characters.
  struct Arrival {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
  };

  Result<LocalJob*> find(const std::string& job, bool running);
  Status occupy(LocalJob& job, const std::vector<std::string>& tasks);
  void vacate(LocalJob& job);
  void end(LocalJob& job, int status, Time now);

  std::vector<NodeReport> nodes_;
  std::vector<Time> node_updates_;
  std::map<std::string, LocalJob, Arrival> jobs_;
  Seconds keep_;
  std::function<void()> changed_;
  int last_ = 0;
};

}  // namespace maui
