// Jobs that ended recently, as showq -c displays them.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "learning/run_time_learning.h"
#include "maui/cluster.h"
#include "maui/units.h"

namespace maui {

struct EndedJob {
  std::string name, user, group, account, job_class, qos, partition;
  std::string main_host;   // empty: never ran, or node unknown
  std::string cancelled;   // why the scheduler itself had it cancelled: "it was ..."; else empty
  bool completed = false;  // else it was removed
  bool backfilled = false;
  int exit_code = 0;
  std::int64_t procs = 0, nodes = 0;
  double efficiency = 1;  // fraction of its processors that it kept busy
  Time submitted{0}, started = kForever, ended{0};
  Seconds limit{0}, run_time{0};
  Seconds shorter_limit{0};  // as in ShorterLimit; 0: unknown
  Time shorter_start = kForever;
};

class EndedJobs {
 public:
  static constexpr std::size_t kMost = 10'000;
  static constexpr Seconds kShortest{3600};

  /// Adds a job that has ended; the cluster must still know it.  `cancelled`: as in EndedJob.
  void add(const Cluster& cluster, const Job& job, int exit_code,
           const std::optional<ShorterLimit>& shorter, std::string cancelled);
  void add(EndedJob job);
  /// Drops jobs that ended longer ago than both `keep` and kShortest.
  void forget(Seconds keep, Time now);
  const std::deque<EndedJob>& all() const { return jobs_; }

 private:
  void drop_beyond_most();

  std::deque<EndedJob> jobs_;  // in the order in which their ends were reported
};

}  // namespace maui
