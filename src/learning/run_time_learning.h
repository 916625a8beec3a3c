// Learns from the jobs of a cluster as they end, and provides expected runs for the other
// jobs.
//
// The expectation of a waiting job is updated after another job of its user has ended, and
// only when decisions may need it.  A running job keeps the expectation that it had at its
// start.
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

/// The expected total run time of a job, based on earlier jobs.
struct RunForecast {
  Seconds expected{0};
  RunInterval likely;  // holds nine of ten run times
  int similar = 0;     // recently seen similar jobs
};

class RunTimeLearning {
 public:
  /// The facts that the scheduler learns from a job that has ended.
  struct Lesson {
    ForecastTotals totals;
    std::optional<ShorterLimit> shorter;
  };

  /// All learned data, for the checkpoint.
  struct Memory {
    std::vector<RunTimeHistory::Kept> rings;
    std::array<IntervalCalibration::Factors, IntervalCalibration::kClasses> factors;
    std::array<IntervalCalibration::Coverage, IntervalCalibration::kClasses> coverage;
  };

  // --- events ---------------------------------------------------------------------
  void arrived(const Cluster& cluster, JobId job);
  /// Updates a waiting job whose request has changed.
  void changed(JobId job);
  void started(Cluster& cluster, const Settings& settings, JobId job);
  /// Handles a job that returns to the queue after running: its promise has been kept.
  void returned(Cluster& cluster, JobId job);
  /// Updates a job that has started and whose limit has changed.
  void limit_changed(const Cluster& cluster, const Settings& settings, JobId job);
  /// `natural`: the run is typical, since neither a node nor another job ended it.  Requires that
  /// the cluster still has the job, with its run time.
  Lesson ended(Cluster& cluster, const Settings& settings, JobId job, bool natural);
  /// Notes that the expected start of a waiting job was shown to a user, together with its start by
  /// limits.
  void note_shown_start(JobId job, Time expected, Time by_limits);
  /// Invalidates all expectations, since settings have changed.
  void settings_changed();
  /// Brings Cluster::run_times up to date before a cycle plans.
  void refresh(Cluster& cluster, const Settings& settings, Time now);
  /// Notes whether the job of the query RunTimes::shorter would have started now.
  void note_shorter(const Cluster& cluster, const Plan& plan, Time now);

  /// Learns from a job about which nothing else is known any more.
  void learn(const JobTraits& job, Seconds run, Time ended) { history_.learn(job, run, ended); }
  /// Drops all learned data, except the forecasts for known jobs.
  void forget();
  Memory memory() const;
  void restore(const Memory& memory);

  // --- queries --------------------------------------------------------------------
  RunForecast forecast(const Cluster& cluster, const Settings& settings, JobId job, Time now) const;
  /// True if the scheduler learns from runs of these credentials (LEARN).
  static bool learns(const Cluster& cluster, const Settings& settings, const Credentials& who);
  const RunTimeHistory& history() const { return history_; }
  const IntervalCalibration& calibration() const { return calibration_; }

 private:
  struct Known {
    SharedRun run;     // null: not computed yet
    RunInterval said;  // of a job that has started: the interval at its start
    struct StatedStart {
      Time expected{0}, by_limits{0};
    };
    std::optional<StatedStart> stated_start;  // the first one shown to a user
  };
  Known& known(JobId job);
  SharedRun expect(const Cluster& cluster, const Settings& settings, const Job& job) const;
  /// Returns the known run, or computes it.
  FairWaits::Expected expected_of(const Cluster& cluster, const Settings& settings,
                                  const Job& job) const;
  void stop_deciding(Cluster& cluster);
  void forget_old(const Settings& settings, Time now);
  void look(Cluster& cluster, const Settings& settings, LikeJobs& like, JobId id);
  /// `all`: without a limit on their number.
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
  bool all_ = true;             // everything needs an update
  bool run_times_set_ = false;  // Cluster::run_times is kept up to date
  Time forgotten_{0};           // when old rings were last dropped
};

}  // namespace maui
