// Replies of showstats, showgrid and resetstats (guide 9.2.1, G).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/queue.h"

namespace maui {

/// showstats, showstats -s, showstats -v.  Averages are over completed jobs; negative: no jobs yet.
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
  bool unfinished = false;  // summary of a simulation that a user ended early
  friend bool operator==(const StatisticsReply&, const StatisticsReply&) = default;
};

/// One user, group, account, class or QOS.
struct CredentialRow {
  std::string name;
  std::int64_t active_jobs = 0, active_procs = 0;
  double active_proc_hours = 0;  // left until the limits of active jobs
  std::int64_t jobs = 0;         // completed
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  double average_xfactor = 0, max_xfactor = 0, average_queue_hours = 0;
  double fairshare_target = -1;           // per cent; -1: none
  double efficiency = -1, accuracy = -1;  // per cent; -1: no data
  friend bool operator==(const CredentialRow&, const CredentialRow&) = default;
};

/// showstats -u, -g, -a, -c, -q
struct CredentialStatisticsReply {
  std::string kind;  // user, group, acct, class, qos
  std::int64_t since = 0;
  std::int64_t until = -1;          // end of the requested period; -1: none requested
  std::int64_t completed_jobs = 0;  // total over all credentials
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  std::vector<CredentialRow> rows;
  friend bool operator==(const CredentialStatisticsReply&,
                         const CredentialStatisticsReply&) = default;
};

/// Nodes with equal memory: their processors, the queued work that needs that much memory, and the
/// work that these nodes get when all work is spread as evenly as its memory needs allow.  Work is
/// in processor hours.
struct MemoryRow {
  std::int64_t memory = 0;  // MB
  std::int64_t procs = 0;
  double initial_hours = 0, spread_hours = 0;
  double even_hours = 0;  // their share of all work in proportion to processors
  friend bool operator==(const MemoryRow&, const MemoryRow&) = default;
};

/// One node, with the percentages of the time since statistics began in which it was up
/// (`available`) and in which jobs ran on it (`busy`).
struct NodeStatisticsRow {
  std::string name, state;
  std::int64_t memory = 0;  // MB
  double available = 0, busy = 0;
  bool available_now = false;
  friend bool operator==(const NodeStatisticsRow&, const NodeStatisticsRow&) = default;
};

/// showstats -n, showstats -n -S; nodes in order of their memory.
struct NodeStatisticsReply {
  bool summary = false;  // memory classes instead of single nodes
  std::vector<MemoryRow> memory;
  std::vector<NodeStatisticsRow> nodes;
  friend bool operator==(const NodeStatisticsReply&, const NodeStatisticsReply&) = default;
};

/// The accuracy of limits, expected runs and expected starts for one user or class: per cent, or
/// average error in hours; -1: no data.
struct LearningRow {
  std::string name;
  std::int64_t jobs = 0;  // jobs used for learning
  double limit_used = -1;
  std::int64_t ends = 0;  // of these, jobs with similar jobs ended before their start
  double within = -1;     // ends within their intervals; nine of ten are expected
  double end_error = -1, limit_end_error = -1;  // of the expected ends, and of limits
  std::int64_t starts = 0;                      // jobs whose expected start was shown
  double start_error = -1, limit_start_error = -1;
  friend bool operator==(const LearningRow&, const LearningRow&) = default;
};

/// The percentage of jobs that ended within the interval expected at their start; -1: no job has
/// ended.
struct IntervalRow {
  std::string similar;  // number of similar jobs known: 0, 1-3, 4-8
  std::int64_t jobs = 0;
  double within = -1;
  friend bool operator==(const IntervalRow&, const IntervalRow&) = default;
};

/// showstats -l
struct LearningReply {
  std::int64_t since = 0;
  bool learning = true;               // RUNTIMELEARNING is not NONE
  std::int64_t users = 0, kinds = 0;  // users and kinds of jobs with known run times
  std::vector<LearningRow> by_user, by_class;
  std::optional<LearningRow> all;  // for administrators only, as are the intervals
  std::vector<IntervalRow> intervals;
  friend bool operator==(const LearningReply&, const LearningReply&) = default;
};

/// One cell of a grid: a value over a number of jobs; empty if there are no jobs.
struct GridCell {
  double value = 0;
  std::int64_t jobs = 0;
  friend bool operator==(const GridCell&, const GridCell&) = default;
};

struct GridRow {
  std::int64_t procs = 0;  // the most that a job of this row requested
  std::vector<GridCell> cells;
  GridCell total;
  friend bool operator==(const GridRow&, const GridRow&) = default;
};

/// showgrid.  `overall` is the statistic over the whole grid: the quotient of `part` and
/// `whole`.
struct GridReply {
  std::string statistic;  // AVGXFACTOR, ...
  std::int64_t since = 0;
  std::int64_t until = -1;           // end of the requested period; -1: none requested
  std::vector<std::int64_t> limits;  // seconds; the longest that a job of the column requested
  std::vector<GridRow> rows;
  std::vector<GridCell> totals;
  double overall = 0, part = 0, whole = 0;
  double proc_weighted = 0, proc_second_weighted = 0;  // AVGXFACTOR
  std::int64_t samples = 0;
  std::int64_t outside = 0;  // jobs too large or too long for the grid
  friend bool operator==(const GridReply&, const GridReply&) = default;
};

/// The distribution of one value over jobs; -1: not computed.
struct SpreadRow {
  std::string name;  // queue_hours, xfactor, slowdown, bypass
  double mean = 0, median = -1, p95 = -1, p99 = -1, worst = 0;
  friend bool operator==(const SpreadRow&, const SpreadRow&) = default;
};

/// profiler, showstats -t: jobs that ended in a period.
struct ProfileReply {
  std::int64_t since = 0, until = 0;  // the requested period, or that of the jobs
  std::int64_t completed_jobs = 0, successful_jobs = 0, backfilled_jobs = 0;
  std::int64_t never_ran_jobs = 0;  // removed while waiting; not in any other count
  double requested_proc_hours = 0, dedicated_proc_hours = 0;
  double total_proc_hours = -1;                         // of the machine; -1: unknown
  double wallclock_accuracy = -1, job_efficiency = -1;  // per cent; -1: no data
  std::vector<SpreadRow> spreads;
  std::vector<CredentialStatisticsReply> credentials;
  std::vector<GridReply> grids;
  std::vector<CompletedRow> jobs;  // if requested
  friend bool operator==(const ProfileReply&, const ProfileReply&) = default;
};

/// resetstats
struct StatisticsResetReply {
  std::int64_t when = 0;
  friend bool operator==(const StatisticsResetReply&, const StatisticsResetReply&) = default;
};

}  // namespace maui
