// Statistics since they began (guide 9.2.1): counts, sums and maxima
// over completed jobs, and over the machine's time.
//
// Only facts are kept; averages and percentages are for whoever shows them.
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

/// How many processors a job keeps busy, as its record or its resource manager says; where neither
/// does, what is dedicated counts as used.
double utilised_procs(const Cluster& cluster, const Job& job);

/// The same as of the last report, where utilised_procs() is about the whole run.
double busy_procs(const Cluster& cluster, const Job& job);

struct Statistics {
  Time since{0};  // initialised at
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
  Time grid_since{0};  // PLOT* have been what they are since

  double available_proc_seconds = 0;  // of available nodes, to date
  double backlog_proc_hours = 0;      // of the queue; sum over iterations, for the average
  std::int64_t iterations = 0;
  std::int64_t preemptions = 0;
  double preempted_proc_seconds = 0;
  double min_utilisation = 1.0;  // of available processors, once jobs have started
  std::int64_t min_utilisation_iteration = 0;

  /// Everything from nothing.
  void restart(const Settings& settings, Time now);
  /// A grid of other rows and columns begins anew, since what it has counted cannot be told apart.
  void restart_grid(const PlotSettings& plot, Time now);

  /// With what active jobs have used until `now` in the sums by credential, which are kept only as
  /// jobs end.
  Statistics to_date(const Cluster& cluster, Time now) const;

  /// Takes account of `interval` seconds in which the nodes stood as they stand now.  What jobs use
  /// is counted by the second, from their own times.
  void account_interval(const Cluster& cluster, Seconds interval);
  /// Takes account of a run until `until` that goes back into the queue.  Requires that the job is
  /// still active, or suspended.
  void account_lost_run(const Cluster& cluster, JobId job, Time until);
  /// Takes account of a job that ended; it is still known to the cluster.
  void account_completion(const Cluster& cluster, const Settings& settings, JobId job);
  /// Takes account of what was expected of a job of which account_completion() knows.
  void account_forecasts(const Credentials& who, const ForecastTotals& totals);
  /// Takes account of the state at the end of an iteration.
  void account_iteration(const Cluster& cluster, std::int64_t iteration);
};

}  // namespace maui
