// Replies of showstats, showgrid and resetstats (guide 9.2.1, G).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/queue.h"

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
  bool unfinished = false;  // the summary of a simulation that somebody ended
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
  std::int64_t until = -1;          // end of the period that was asked for; -1: none was
  std::int64_t completed_jobs = 0;  // of all together
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  std::vector<CredentialRow> rows;
  friend bool operator==(const CredentialStatisticsReply&,
                         const CredentialStatisticsReply&) = default;
};

/// Nodes with the same memory: their processors, how much work of the queue needs so much, and how
/// much of it falls on them when it is spread as evenly as its needs allow.  Work in processor
/// hours.
struct MemoryRow {
  std::int64_t memory = 0;  // MB
  std::int64_t procs = 0;
  double initial_hours = 0, spread_hours = 0;
  double even_hours = 0;  // what their share of all the processors would be of all the work
  friend bool operator==(const MemoryRow&, const MemoryRow&) = default;
};

/// One node: the part of the time since statistics began in which it was up, and in which jobs ran
/// on it, in per cent.
struct NodeStatisticsRow {
  std::string name, state;
  std::int64_t memory = 0;  // MB
  double available = 0, busy = 0;
  bool available_now = false;
  friend bool operator==(const NodeStatisticsRow&, const NodeStatisticsRow&) = default;
};

/// showstats -n, showstats -n -S; nodes in order of their memory.
struct NodeStatisticsReply {
  bool summary = false;  // classes of memory, no single nodes
  std::vector<MemoryRow> memory;
  std::vector<NodeStatisticsRow> nodes;
  friend bool operator==(const NodeStatisticsReply&, const NodeStatisticsReply&) = default;
};

/// How good limits, expected runs and expected starts were of those who are called so; per cent,
/// and hours apart on average; -1: nothing to tell from.
struct LearningRow {
  std::string name;
  std::int64_t jobs = 0;  // that were learned from
  double limit_used = -1;
  std::int64_t ends = 0;  // of these, jobs like which some had ended before they started
  double within = -1;     // of their intervals, in which nine of ten end
  double end_error = -1, limit_end_error = -1;  // of what was expected, and of limits
  std::int64_t starts = 0;                      // jobs whose expected start was asked for
  double start_error = -1, limit_start_error = -1;
  friend bool operator==(const LearningRow&, const LearningRow&) = default;
};

/// How often jobs ended within the intervals that were said as they started, in per cent; -1: none
/// has.
struct IntervalRow {
  std::string similar;  // how many jobs like them were known: 0, 1-3, 4-8
  std::int64_t jobs = 0;
  double within = -1;
  friend bool operator==(const IntervalRow&, const IntervalRow&) = default;
};

/// showstats -l
struct LearningReply {
  std::int64_t since = 0;
  bool learning = true;               // RUNTIMELEARNING is not NONE
  std::int64_t users = 0, kinds = 0;  // whose run times are known, and of how many kinds of jobs
  std::vector<LearningRow> by_user, by_class;
  std::optional<LearningRow> all;  // for administrators, as what follows
  std::vector<IntervalRow> intervals;
  friend bool operator==(const LearningReply&, const LearningReply&) = default;
};

/// One field of a grid: a value over a number of jobs; nothing to show where there are none.
struct GridCell {
  double value = 0;
  std::int64_t jobs = 0;
  friend bool operator==(const GridCell&, const GridCell&) = default;
};

struct GridRow {
  std::int64_t procs = 0;  // the most that a job of this row asked for
  std::vector<GridCell> cells;
  GridCell total;
  friend bool operator==(const GridRow&, const GridRow&) = default;
};

/// showgrid.  `overall` sums the grid up as its statistic says; `part` of `whole` are what it is
/// the quotient of.
struct GridReply {
  std::string statistic;  // AVGXFACTOR, ...
  std::int64_t since = 0;
  std::int64_t until = -1;           // end of the period that was asked for; -1: none was
  std::vector<std::int64_t> limits;  // seconds; the longest that a job of the column asked for
  std::vector<GridRow> rows;
  std::vector<GridCell> totals;
  double overall = 0, part = 0, whole = 0;
  double proc_weighted = 0, proc_second_weighted = 0;  // AVGXFACTOR
  std::int64_t samples = 0;
  std::int64_t outside = 0;  // jobs that are too large or too long for the grid
  friend bool operator==(const GridReply&, const GridReply&) = default;
};

/// How one value is spread over jobs; -1: not worked out.
struct SpreadRow {
  std::string name;  // queue_hours, xfactor, slowdown, bypass
  double mean = 0, median = -1, p95 = -1, p99 = -1, worst = 0;
  friend bool operator==(const SpreadRow&, const SpreadRow&) = default;
};

/// profiler, showstats -t: jobs that ended in a period.
struct ProfileReply {
  std::int64_t since = 0, until = 0;  // the period that was asked for, or that the jobs lie in
  std::int64_t completed_jobs = 0, successful_jobs = 0, backfilled_jobs = 0;
  std::int64_t never_ran_jobs = 0;  // removed while they waited; no other number counts them
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  double total_proc_hours = -1;                         // of the machine; -1: not known
  double wallclock_accuracy = -1, job_efficiency = -1;  // per cent; -1: nothing to tell from
  std::vector<SpreadRow> spreads;
  std::vector<CredentialStatisticsReply> credentials;
  std::vector<GridReply> grids;
  std::vector<CompletedRow> jobs;  // where they are asked for
  friend bool operator==(const ProfileReply&, const ProfileReply&) = default;
};

/// resetstats
struct StatisticsResetReply {
  std::int64_t when = 0;
  friend bool operator==(const StatisticsResetReply&, const StatisticsResetReply&) = default;
};

}  // namespace maui
