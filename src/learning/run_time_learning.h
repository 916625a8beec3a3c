// Learning from the jobs of a cluster as they end, and telling what is to be expected of the
// others.
//
// A waiting job is looked at again when another job of its user has ended, once that can matter,
// and nothing is worked out for the rest.  While a job runs, what was expected as it started
// stands.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "learning/due_jobs.h"
#include "learning/fair_waits.h"
#include "learning/forecast_totals.h"
#include "learning/interval_calibration.h"
#include "learning/like_jobs.h"
#include "learning/run_distribution.h"
#include "learning/run_time_history.h"
#include "learning/shorter_limits.h"
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

/// How long a job will run in all, by the jobs before it.
struct RunForecast {
  Seconds expected{0};
  RunInterval likely;  // nine times of ten
  int similar = 0;     // jobs like it that have been seen of late
};

class RunTimeLearning {
 public:
  /// A lesson to be learned from a job that has ended.
  struct Lesson {
    ForecastTotals totals;
    std::optional<ShorterLimit> shorter;
  };

  /// All that has been learned, for the checkpoint.
  struct Memory {
    std::vector<RunTimeHistory::Kept> rings;
    std::array<IntervalCalibration::Factors, IntervalCalibration::kClasses> factors;
    std::array<IntervalCalibration::Coverage, IntervalCalibration::kClasses> coverage;
  };

  // --- what happens -----------------------------------------------------------
  void arrived(const Cluster& cluster, JobId job);
  /// A waiting job asks for something else than before.
  void changed(JobId job);
  void started(Cluster& cluster, const Settings& settings, JobId job);
  /// A job that has run goes back into the queue: what it was promised has been kept.
  void returned(Cluster& cluster, JobId job);
  /// A job that has begun to run has another limit.
  void limit_changed(const Cluster& cluster, const Settings& settings, JobId job);
  /// `natural`: its run tells something of others, since neither its node nor another job ended it.
  /// The job is still known to the cluster, which tells how long it ran.
  Lesson ended(Cluster& cluster, const Settings& settings, JobId job, bool natural);
  /// Somebody was told when the waiting job is expected to start; by limits, placed like that, it
  /// would then.
  void note_shown_start(JobId job, Time expected, Time by_limits);
  /// All that is expected may be another thing now.
  void settings_changed();
  /// Brings Cluster::run_times up to date, for who is to plan.
  void refresh(Cluster& cluster, const Settings& settings, Time now);
  /// Notes whether the job that RunTimes::shorter asks about would have started now.
  void note_shorter(const Cluster& cluster, const Plan& plan, Time now);

  /// Learns from a job of which nothing else is known any more.
  void learn(const JobTraits& job, Seconds run, Time ended) { history_.learn(job, run, ended); }
  /// Forgets all that was learned, but for what was said of jobs that are known.
  void forget();
  Memory memory() const;
  void restore(const Memory& memory);

  // --- what is known ------------------------------------------------------------
  RunForecast forecast(const Cluster& cluster, const Settings& settings, JobId job, Time now) const;
  /// True if runs of these credentials are learned from (LEARN).
  static bool learns(const Cluster& cluster, const Settings& settings, const Credentials& who);
  const RunTimeHistory& history() const { return history_; }
  const IntervalCalibration& calibration() const { return calibration_; }

 private:
  struct Known {
    SharedRun run;     // null: to be worked out
    RunInterval said;  // of a job that has started, then
    struct StatedStart {
      Time expected{0}, by_limits{0};
    };
    std::optional<StatedStart> stated_start;  // the first that somebody was told
  };
  Known& known(JobId job);
  SharedRun expect(const Cluster& cluster, const Settings& settings, const Job& job) const;
  /// As it is known, or worked out.
  FairWaits::Expected expected_of(const Cluster& cluster, const Settings& settings,
                                  const Job& job) const;
  void stop_deciding(Cluster& cluster);
  void forget_old(const Settings& settings, Time now);
  void look(Cluster& cluster, const Settings& settings, LikeJobs& like, JobId id);
  /// `all`: however many there are.
  void look_at_due(Cluster& cluster, const Settings& settings, bool all);
  void look_at_all(Cluster& cluster, const Settings& settings);
  void look_at_fresh(Cluster& cluster, const Settings& settings);
  ForecastTotals judged(const Job& job, const Known& it, Seconds run, Seconds limit) const;

  RunTimeHistory history_;
  IntervalCalibration calibration_;
  std::vector<Known> jobs_;  // by job
  DueJobs due_;
  FairWaits fair_waits_;
  ShorterLimits shorter_limits_;
  bool all_ = true;             // everything is to be looked at
  bool run_times_set_ = false;  // Cluster::run_times is kept up to date
  Time forgotten_{0};           // when old rings were forgotten last
};

}  // namespace maui
