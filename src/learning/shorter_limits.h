// Limits with which waiting jobs would have started by now.
//
// For users: each iteration queries at most one job, and each job only now and then.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "learning/interval_calibration.h"
#include "learning/run_distribution.h"
#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

/// A limit that would have sufficed for a job, and when the job would have started with it: a time
/// at which it fitted with this limit and waited for nothing else.
struct ShorterLimit {
  Seconds limit{0};
  Time start = kForever;
};

class ShorterLimits {
 public:
  /// Returns the limit that suffices for a job, kUnlimited if there is none.
  using Enough = std::function<Seconds(JobId)>;
  /// Returns the limit that suffices for such a run; kUnlimited if too little is known of the run,
  /// or if it exceeds half of the job's limit.
  static Seconds enough_for(const RunDistribution& run, const IntervalCalibration& calibration);

  /// Resets the data of an id that stands for a new job.
  void arrived(JobId job);
  void changed(JobId job);
  /// Sets RunTimes::shorter, which the next plan answers, if there is a job to query.
  void ask(Cluster& cluster, Time now, const Enough& enough);
  /// Stores the plan's answer to the query.
  void note(const Cluster& cluster, const Plan& plan, Time now);

  std::optional<ShorterLimit> of(JobId job) const;

 private:
  struct Known {
    Time looked{0};     // the last query
    Seconds enough{0};  // the limit that suffices; 0: not computed yet
    std::optional<ShorterLimit> shorter;
  };
  Known& known(JobId job);

  std::vector<Known> jobs_;         // by job
  std::size_t next_ = 0;            // the position in the queue of the next query
  Time first_reserved_ = kForever;  // the first reserved start in the last plan
};

}  // namespace maui
