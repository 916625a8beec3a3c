// What happened since statistics began (guide 9.2.1): counts, sums and maxima
// over completed jobs, and over the machine's time.
//
// Only facts are kept; averages and percentages are for whoever shows them.
#pragma once
#include <cstdint>
#include <map>

#include "maui/cluster.h"
#include "maui/units.h"

namespace maui {

/// Sums over completed jobs, for everybody or for one credential.
struct JobTotals {
  std::int64_t jobs = 0;        // completed
  std::int64_t successful = 0;  // completed, not removed
  double queue_hours = 0, max_queue_hours = 0;
  double xfactor = 0, max_xfactor = 0;  // (queue time + run time) / wallclock limit
  // Sums for averages weighted by processor seconds and by processors, and the latter's weight.
  double xfactor_proc_seconds = 0, xfactor_procs = 0, procs = 0;
  double bypass = 0;
  std::int32_t max_bypass = 0;
  double requested_proc_seconds = 0;  // limit * procs
  double completed_proc_seconds = 0;  // dedicated to completed jobs
  double dedicated_proc_seconds = 0;  // of completed and of active jobs, to date
  double utilised_proc_seconds = 0;
  double run_seconds = 0, limit_seconds = 0;  // wallclock accuracy is their ratio
  double accuracy = 0;                        // sum of run time / limit, job by job
};

/// How many processors a job keeps busy, as its record tells; without one, what is dedicated counts
/// as used.
double utilised_procs(const Cluster& cluster, const Job& job);

struct Statistics {
  Time since{0};  // initialised at
  JobTotals all;
  std::map<UserId, JobTotals> users;
  std::map<GroupId, JobTotals> groups;
  std::map<AccountId, JobTotals> accounts;
  std::map<ClassId, JobTotals> classes;
  std::map<QosId, JobTotals> qos;

  double dedicated_proc_seconds = 0;  // by all active jobs, to date
  double available_proc_seconds = 0;  // of available nodes, to date
  double backlog_proc_hours = 0;      // of the queue; sum over iterations, for the average
  std::int64_t iterations = 0;
  std::int64_t preemptions = 0;
  double preempted_proc_seconds = 0;
  double min_utilisation = 1.0;  // of available processors, once jobs have started
  std::int64_t min_utilisation_iteration = 0;

  /// With what active jobs have used until `now` in the sums by credential, which are kept only as
  /// jobs end.
  Statistics to_date(const Cluster& cluster, Time now) const;

  /// Takes account of `interval` seconds in which what is active now was active.
  void account_interval(const Cluster& cluster, Seconds interval);
  /// Takes account of a job that ended; it is still known to the cluster.
  void account_completion(const Cluster& cluster, JobId job);
  /// Takes account of the state at the end of an iteration.
  void account_iteration(const Cluster& cluster, std::int64_t iteration);
};

}  // namespace maui
