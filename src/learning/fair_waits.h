// Fair waits: a job that comes may wait for what runs, for those that wait already, and for itself.
//
// The need of each of these is kept, since it seldom changes.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "learning/run_distribution.h"
#include "maui/cluster.h"
#include "maui/settings/learning.h"

namespace maui {

class FairWaits {
 public:
  /// The expectation of an active job.
  struct Expected {
    SharedRun run;
    bool stands = true;  // false: the ends of other jobs may change it
  };
  using Expectations = std::function<Expected(const Job&)>;

  /// The id stands for another job.
  void arrived(JobId job);
  /// Another run is expected of a job, once it is active.
  void changed(JobId job);
  /// Takes over what Cluster::run_times expects of a waiting job.
  void note(const Cluster& cluster, JobId job);
  /// Sets the fair wait of each waiting job that has none.
  void set(Cluster& cluster, const LearningSettings& settings, Time now,
           const Expectations& expectations);

 private:
  /// The part of a waiting job in what others wait for.
  struct Share {
    std::int64_t area = 0;  // whole processor-seconds that it is expected to need
    bool counts = false;    // it has a fair wait
  };
  /// The time that an active job may still need: the same from one moment until another, as long as
  /// it is to end at that time.
  struct Rest {
    Time ends{0};
    Time since{0};  // the start of its run, had it not been suspended
    Time from{0}, until{0};
    RunDistribution::Longer longer;
    double equivalents = 0;  // processors
    double pace = 1;         // seconds at speed 1 in one on its nodes
  };
  Share& share(JobId job);
  Rest& rest(JobId job);
  void look_at(const Cluster& cluster, const Active& line, Time now,
               const Expectations& expectations, Rest& made) const;
  std::int64_t running_area(const Cluster& cluster, Time now, const Expectations& expectations);

  std::vector<Share> shares_;  // by job
  std::vector<Rest> rests_;    // by job, of those that were active when that mattered last
  Resources configured_;       // what these two were reckoned with
};

}  // namespace maui
