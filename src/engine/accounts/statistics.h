// Statistics since they were started or reset (guide 9.2.1): counts, sums and maxima over completed
// jobs, and over the machine's time.
//
// Stores only sums; averages and percentages are computed when they are displayed.
#pragma once
#include <cstdint>
#include <map>

#include "engine/accounts/grid.h"
#include "engine/accounts/job_totals.h"
#include "learning/forecast_totals.h"
#include "maui/cluster.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace maui {

struct Statistics {
  Time since{0};  // when statistics were started, by the clock as it now stands
  /// The run times until then of the jobs that ran then, by name.  They are intervals, since the
  /// clock may be set, and that of a resource manager may differ.
  std::map<std::string, Seconds> run_before;
  JobTotals all;
  std::map<UserId, JobTotals> users;
  std::map<GroupId, JobTotals> groups;
  std::map<AccountId, JobTotals> accounts;
  std::map<ClassId, JobTotals> classes;
  std::map<QosId, JobTotals> qos;
  struct Forecasts {
    ForecastTotals all;
    std::map<UserId, ForecastTotals> users;
    std::map<ClassId, ForecastTotals> classes;
  } forecasts;
  Grid grid{PlotSettings{}};
  Time grid_since{0};  // PLOT* are unchanged since then

  double available_proc_seconds = 0;  // ClusterCounts::procs_up(), to date
  double backlog_proc_hours = 0;      // of the queue; summed over iterations, for the average
  std::int64_t iterations = 0;
  std::int64_t preemptions = 0;
  double preempted_proc_seconds = 0;
  double min_utilisation = 1.0;  // of available processors, since jobs first started
  std::int64_t min_utilisation_iteration = 0;

  /// Resets everything.
  void restart(const Cluster& cluster, const Settings& settings, Time now);
  /// Notes how long the active or suspended job had run at `since`, unless that is noted already.
  void note_run_before(const Job& job);
  /// Starts an empty grid of other rows and columns, as the old counts cannot be redistributed.
  void restart_grid(const PlotSettings& plot, Time now);

  /// Returns the statistics with the use of active jobs until `now` included in the sums by
  /// credential, which are otherwise updated only as jobs end.
  Statistics to_date(const Cluster& cluster, Time now) const;

  /// Accounts `interval` seconds in which the state of nodes was as it is now.  The use of jobs is
  /// accounted by their own times, to the second.
  void account_interval(const Cluster& cluster, Seconds interval);
  /// Accounts a run until `until` of a job that goes back into the queue.  Requires that the job is
  /// still active or suspended.
  void account_lost_run(const Cluster& cluster, JobId job, Time until);
  /// Accounts a job that ended; the cluster must still know it.
  void account_completion(const Cluster& cluster, const Settings& settings, JobId job);
  /// Accounts the forecasts for a job that account_completion() has accounted.
  void account_forecasts(const Credentials& who, const ForecastTotals& totals);
  /// Accounts the state at the end of an iteration.
  void account_iteration(const Cluster& cluster, std::int64_t iteration);
};

}  // namespace maui
