// Replies of showq (guide G).  Active jobs are in order of their end, idle jobs
// in order of priority.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/expected_end.h"

namespace maui {

/// Processors and nodes in use, out of those that are up.
struct QueueUse {
  std::int64_t procs_active = 0, procs_up = 0, nodes_active = 0, nodes_up = 0;
  friend bool operator==(const QueueUse&, const QueueUse&) = default;
};

/// DISPLAYFLAGS: the contents of the columns that have alternatives.
struct DisplayChoice {
  bool nodes = false;     // instead of processors
  bool accounts = false;  // instead of groups
  friend bool operator==(const DisplayChoice&, const DisplayChoice&) = default;
};

struct ActiveRow {
  std::string name, user, state;
  std::int64_t procs = 0;
  std::int64_t remaining = 0;  // seconds until the limit, below zero past it; -1: no limit
  std::int64_t started = 0;
  std::int64_t nodes = 0;
  std::int64_t limit = 0;  // seconds; -1: none
  std::int64_t submitted = 0, priority = 0;
  std::string group = {}, account = {}, job_class = {}, qos = {}, main_host = {};
  std::int64_t run_time = 0;  // seconds so far, without suspensions
  friend bool operator==(const ActiveRow&, const ActiveRow&) = default;
};

struct WaitingRow {
  std::string name, user, state;
  std::int64_t procs = 0;
  std::int64_t limit = 0;  // seconds; -1: none
  std::int64_t queued = 0;
  std::int64_t nodes = 0;  // the requested nodes if any, else the tasks
  std::int64_t priority = 0;
  std::string group = {}, account = {}, job_class = {}, qos = {};
  friend bool operator==(const WaitingRow&, const WaitingRow&) = default;
};

/// showq
struct QueueReply {
  std::int64_t now = 0;
  QueueUse use;
  std::vector<ActiveRow> active;
  std::vector<WaitingRow> idle, blocked;
  DisplayChoice display = {};
  friend bool operator==(const QueueReply&, const QueueReply&) = default;
};

struct ActiveDetail {
  std::string name, user, group, state, partition, qos, main_host;
  double efficiency = 0;  // per cent
  double xfactor = 0;
  std::int64_t priority = 0, procs = 0, remaining = 0, started = 0;
  bool backfilled = false, preemptible = false;
  std::string account = {};
  std::int64_t nodes = 0;
  std::optional<ExpectedEnd> expected_end = {};
  friend bool operator==(const ActiveDetail&, const ActiveDetail&) = default;
};

/// showq -r
struct ActiveQueueReply {
  std::int64_t now = 0;
  bool verbose = false;
  QueueUse use;
  std::vector<ActiveDetail> jobs;
  DisplayChoice display = {};
  bool ends = false;  // expected ends are requested
  friend bool operator==(const ActiveQueueReply&, const ActiveQueueReply&) = default;
};

struct IdleDetail {
  std::string name, user, group, qos, job_class;
  double xfactor = 0;
  std::int64_t priority = 0, procs = 0, limit = 0, queued = 0;
  bool reserved = false;
  std::string account = {};
  std::int64_t nodes = 0;
  friend bool operator==(const IdleDetail&, const IdleDetail&) = default;
};

/// showq -i
struct IdleQueueReply {
  std::int64_t now = 0;
  double backlog_proc_hours = 0;
  std::int64_t procs_up = 0;
  std::vector<IdleDetail> jobs;
  DisplayChoice display = {};
  friend bool operator==(const IdleQueueReply&, const IdleQueueReply&) = default;
};

struct BlockedDetail {
  std::string name, user, reason;
  friend bool operator==(const BlockedDetail&, const BlockedDetail&) = default;
};

struct BlockedRow {
  std::string name, user, reason;
  std::string state = {}, group = {}, account = {}, job_class = {}, qos = {};
  std::int64_t procs = 0, limit = -1, queued = 0, priority = 0;  // as in WaitingRow
  friend bool operator==(const BlockedRow&, const BlockedRow&) = default;
};

/// showq -b
struct BlockedQueueReply {
  std::int64_t now = 0;
  std::vector<BlockedRow> jobs;
  friend bool operator==(const BlockedQueueReply&, const BlockedQueueReply&) = default;
};

struct CompletedRow {
  std::string name, user, group, account, job_class, qos, state;
  std::string partition = {}, main_host = {};  // empty: never ran, or unknown
  std::int64_t exit_code = 0;
  double efficiency = 0;  // per cent
  double xfactor = 0;
  std::int64_t procs = 0, nodes = 0;
  std::int64_t limit = -1;    // seconds; -1: none
  std::int64_t run_time = 0;  // seconds
  std::int64_t submitted = 0, ended = 0;
  std::int64_t started = -1;  // -1: never ran
  bool backfilled = false;
  // A shorter limit that would have sufficed, and the probable start with that limit; -1:
  // unknown.
  std::int64_t shorter_limit = -1, shorter_start = -1;
  friend bool operator==(const CompletedRow&, const CompletedRow&) = default;
};

/// showq -c: jobs that ended recently, in order of their end.
struct CompletedQueueReply {
  std::int64_t now = 0;
  std::vector<CompletedRow> jobs;
  DisplayChoice display = {};
  friend bool operator==(const CompletedQueueReply&, const CompletedQueueReply&) = default;
};

}  // namespace maui
