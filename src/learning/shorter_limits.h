// Limits with which waiting jobs would have started by now.
//
// For people: one job at most is asked about in an iteration, and each now and then.
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

/// A limit that would have done for a job, and when the job would have started with it: a moment at
/// which it fitted, and did not start, though it waited for nothing else.
struct ShorterLimit {
  Seconds limit{0};
  Time start = kForever;
};

class ShorterLimits {
 public:
  /// The limit that is enough for a job, kUnlimited where none is.
  using Enough = std::function<Seconds(JobId)>;
  /// The limit that is enough for such a run: unlimited where too little is known of it, or where
  /// that is not half of its limit.
  static Seconds enough_for(const RunDistribution& run, const IntervalCalibration& calibration);

  /// The id stands for another job.
  void arrived(JobId job);
  void changed(JobId job);
  /// Sets RunTimes::shorter, which the next plan answers, where there is a job to ask about.
  void ask(Cluster& cluster, Time now, const Enough& enough);
  /// Notes what the plan says of it.
  void note(const Cluster& cluster, const Plan& plan, Time now);

  std::optional<ShorterLimit> of(JobId job) const;

 private:
  struct Known {
    Time looked{0};     // last
    Seconds enough{0};  // as a limit; 0: not looked for yet
    std::optional<ShorterLimit> shorter;
  };
  Known& known(JobId job);

  std::vector<Known> jobs_;         // by job
  std::size_t next_ = 0;            // where in the queue is looked next
  Time first_reserved_ = kForever;  // in the last plan
};

}  // namespace maui
