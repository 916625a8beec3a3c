// Fair waits: how long a new job may wait, by the work of active and waiting jobs and its own.
//
// The need of each of these jobs is cached, since it seldom changes.
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
  /// The expected run of an active job.
  struct Expected {
    SharedRun run;
    bool stands = true;  // false: the ends of other jobs may change it
  };
  using Expectations = std::function<Expected(const Job&)>;

  /// Resets the data of an id that stands for a new job.
  void arrived(JobId job);
  /// Discards the cached rest of an active job whose expected run has changed.
  void changed(JobId job);
  /// Updates the need of a waiting job from Cluster::run_times.
  void note(const Cluster& cluster, JobId job);
  /// Sets the fair wait of each waiting job that has none.
  void set(Cluster& cluster, const LearningSettings& settings, Time now,
           const Expectations& expectations);

 private:
  /// The contribution of a waiting job to the fair waits of others.
  struct Share {
    std::int64_t area = 0;  // processor-seconds that it is expected to need
    bool counts = false;    // it has a fair wait
  };
  /// The time that an active job may still need; valid from `from` until `until` while the job's
  /// end time by its limit is `ends`.
  struct Rest {
    Time ends{0};
    Time since{0};  // the start of the run, shifted by suspensions
    Time from{0}, until{0};
    RunDistribution::Longer longer;
    double equivalents = 0;  // processor equivalents
    double pace = 1;         // seconds at speed 1 for each second on its nodes
  };
  Share& share(JobId job);
  Rest& rest(JobId job);
  void look_at(const Cluster& cluster, const Active& line, Time now,
               const Expectations& expectations, Rest& made) const;
  std::int64_t running_area(const Cluster& cluster, Time now, const Expectations& expectations);

  std::vector<Share> shares_;  // by job
  std::vector<Rest> rests_;    // by job; stale entries are recomputed
  ResourceTotals configured_;  // the resources for which the entries above hold
};

}  // namespace maui
