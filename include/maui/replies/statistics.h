// Replies of showstats and resetstats (guide 9.2.1, G).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace maui {

/// showstats, showstats -s, showstats -v.  Averages are over completed jobs; negative: none yet.
struct StatisticsReply {
  std::int64_t now = 0;
  bool verbose = false;
  std::int64_t active_for = 0;  // seconds
  std::int64_t since = 0;       // statistics initialised
  std::int64_t started = 0;     // the scheduler
  std::int64_t iteration = 0;
  std::int64_t eligible_jobs = 0, idle_jobs = 0, active_jobs = 0;
  std::int64_t successful_jobs = 0, completed_jobs = 0, preempted_jobs = 0;
  double average_queue_hours = 0, max_queue_hours = 0;
  double average_xfactor = 0, max_xfactor = 0;
  double average_bypass = 0, max_bypass = 0;
  double dedicated_proc_hours = 0, total_proc_hours = 0, preempted_proc_hours = 0;
  std::int64_t active_procs = 0, up_procs = 0, active_nodes = 0, up_nodes = 0;
  double wallclock_accuracy = -1, job_efficiency = -1;  // per cent
  double min_utilisation = -1;                          // per cent
  std::int64_t min_utilisation_iteration = 0;
  double estimated_backlog_hours = -1, average_backlog_hours = -1;
  friend bool operator==(const StatisticsReply&, const StatisticsReply&) = default;
};

/// One user, group, account, class or QOS.
struct CredentialRow {
  std::string name;
  std::int64_t active_jobs = 0, active_procs = 0;
  double active_proc_hours = 0;  // still to be run until their limits
  std::int64_t jobs = 0;         // completed
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  double average_xfactor = 0, max_xfactor = 0, average_queue_hours = 0;
  double fairshare_target = -1;           // per cent; -1: none
  double efficiency = -1, accuracy = -1;  // per cent; -1: nothing to tell from
  friend bool operator==(const CredentialRow&, const CredentialRow&) = default;
};

/// showstats -u, -g, -a, -c, -q
struct CredentialStatisticsReply {
  std::string kind;  // user, group, acct, class, qos
  std::int64_t since = 0;
  std::int64_t completed_jobs = 0;  // of all together
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  std::vector<CredentialRow> rows;
  friend bool operator==(const CredentialStatisticsReply&,
                         const CredentialStatisticsReply&) = default;
};

/// resetstats
struct StatisticsResetReply {
  std::int64_t when = 0;
  friend bool operator==(const StatisticsResetReply&, const StatisticsResetReply&) = default;
};

}  // namespace maui
