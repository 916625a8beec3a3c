// Replies of checkjob and showstart, and of the commands that act on jobs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/dry_run.h"
#include "maui/replies/expected_end.h"
#include "maui/replies/queue.h"

namespace maui {

/// A request's bound on a configured amount: ">=" 512; "NC": no comparison.
struct AmountBound {
  std::string compare;
  std::int64_t amount = 0;
  friend bool operator==(const AmountBound&, const AmountBound&) = default;
};

/// An amount of one resource; -1 processors: all of a node.
struct ResourceAmount {
  std::string name;  // PROCS, MEM, SWAP, DISK, class:NAME or a generic resource
  std::int64_t amount = 0;
  friend bool operator==(const ResourceAmount&, const ResourceAmount&) = default;
};

struct NodeShare {
  std::string node;
  std::int64_t tasks = 0;
  friend bool operator==(const NodeShare&, const NodeShare&) = default;
};

struct JobRequirement {
  std::int64_t tasks = 0, least_nodes = 0, nodes = 0, tasks_per_node = 0;  // 0: not requested
  std::string partition;             // ALL until the job has a partition
  std::string network, opsys, arch;  // [NONE]: any
  AmountBound memory, disk, swap, procs;
  std::vector<std::string> features;
  std::vector<ResourceAmount> per_task;
  std::vector<NodeShare> allocated;
  friend bool operator==(const JobRequirement&, const JobRequirement&) = default;
};

struct JobReservation {
  std::string name;
  std::int64_t start = 0;
  std::int64_t end = 0;  // -1: none
  friend bool operator==(const JobReservation&, const JobReservation&) = default;
};

struct RejectionCount {
  std::string reason;  // as in guide G, checkjob
  std::int64_t nodes = 0;
  friend bool operator==(const RejectionCount&, const RejectionCount&) = default;
};

struct NodeRejection {
  std::string node, reason;  // reason empty: the node can take tasks
  std::int64_t tasks = 0;
  friend bool operator==(const NodeRejection&, const NodeRejection&) = default;
};

/// The two reasons that come with numbers of processors.
inline constexpr char kInsufficientProcs[] = "insufficient idle procs";
inline constexpr char kUnmetRequirements[] = "idle procs do not meet requirements";

/// Why the job does not run in one partition.
struct JobVerdict {
  std::string partition;
  std::string reason;  // as in guide G; empty: the job can run
  std::int64_t idle_procs = 0, feasible_procs = 0, needed_procs = 0;
  std::vector<RejectionCount> rejections;
  std::vector<NodeRejection> nodes;  // with -v and -n
  std::string limit = {};            // the limit that the job would exceed; empty: none
  friend bool operator==(const JobVerdict&, const JobVerdict&) = default;
};

/// Whether the job may use the reservation that checkjob -r names.
struct ReservationAccess {
  std::string reservation;
  bool admitted = false;
  friend bool operator==(const ReservationAccess&, const ReservationAccess&) = default;
};

/// The total use of a job's tasks; amounts in MB.
struct UsedAmounts {
  double procs = 0;
  std::int64_t memory = 0, swap = 0, disk = 0;
  friend bool operator==(const UsedAmounts&, const UsedAmounts&) = default;
};

struct JobUsage {
  UsedAmounts now, most;
  double average_procs = 0;
  friend bool operator==(const JobUsage&, const JobUsage&) = default;
};

/// A reason why a job waited, and the time during which it applied.
struct WaitPeriod {
  std::string reason;                // as in guide G
  std::int64_t start = 0, end = -1;  // -1: still applies
  friend bool operator==(const WaitPeriod&, const WaitPeriod&) = default;
};

/// checkjob
struct JobReply {
  std::int64_t now = 0;
  bool verbose = false;
  bool pairs = false;  // -A: attribute-value pairs
  std::string name, state, user, group, account, job_class, qos;
  std::int64_t run_time = 0, limit = 0;  // seconds; limit -1: none
  std::int64_t recorded_run_time = -1;   // -1: not known
  std::int64_t submitted = 0, queued = 0;
  std::int64_t queue_time = 0, eligible_time = 0;  // seconds
  std::int64_t started = -1, ends = -1;            // -1: not running
  std::int64_t earliest_start = 0;                 // 0: no start date
  std::optional<ExpectedEnd> expected_end;         // of an active job
  std::int64_t expected_start = -1;                // of a waiting job, with more detail requested
  std::int64_t promised_start = -1;                // latest start of a waiting job, by limits
  std::int64_t tasks = 0;
  std::vector<JobRequirement> requirements;
  std::optional<JobUsage> use;  // of an active job
  std::string node_access, executable;
  std::int64_t bypass = 0, start_count = 0;
  std::vector<std::string> partitions;  // empty: all
  std::vector<std::string> flags, holds;
  std::string hold_reason, required_reservation;
  std::string qos_requested;                            // if it differs from the job's QOS
  std::vector<std::string> dependencies;                // "afterok:a (not met)"
  std::string node_set, system_id, job_group, display;  // as in the job's extensions
  std::vector<std::string> host_list;
  // Further attributes that the resource manager reports, as NAME=VALUE: requests that have no
  // effect and, with -v, attributes that do not concern scheduling.
  std::vector<std::string> not_followed, told;
  std::optional<JobReservation> reservation;
  double pe = 0;
  std::int64_t priority = 0, system_priority = 0;
  bool system_priority_absolute = false;
  std::optional<ReservationAccess> access;
  std::vector<JobVerdict> verdicts;
  std::vector<WaitPeriod> waits = {};  // the reasons for its wait so far, oldest first
  // A description of the event that would end the present reason, and its time; -1: unknown.
  std::string lifted_by = {};
  std::int64_t lifted_at = -1;
  friend bool operator==(const JobReply&, const JobReply&) = default;
};

/// checkjob of a job that ended recently
struct EndedJobReply {
  std::int64_t now = 0;
  bool pairs = false;  // -A: attribute-value pairs
  CompletedRow job;
  double limit_used = -1;              // per cent; -1: the job was removed or had no limit
  std::vector<WaitPeriod> waits = {};  // the known reasons for its wait, oldest first
  std::string cancelled = {};          // why the scheduler itself had it cancelled, if known
  friend bool operator==(const EndedJobReply&, const EndedJobReply&) = default;
};

/// A job and its holds: User, System, Batch, Defer.
struct HeldJob {
  std::string name, user;
  std::vector<std::string> holds;
  friend bool operator==(const HeldJob&, const HeldJob&) = default;
};

/// showhold
struct HoldsReply {
  std::vector<HeldJob> jobs;
  friend bool operator==(const HoldsReply&, const HoldsReply&) = default;
};

/// A smaller or shorter request, and its start.
struct StartAlternative {
  std::int64_t procs = 0, limit = 0, start = 0;
  friend bool operator==(const StartAlternative&, const StartAlternative&) = default;
};

/// showstart
struct StartReply {
  std::int64_t now = 0;
  std::string job;  // empty: PROCS@DURATION
  std::int64_t procs = 0, limit = 0;
  std::int64_t start = 0;       // -1: never
  std::int64_t completion = 0;  // -1: never
  std::string partition;
  std::int64_t expected_start = -1, promised_start = -1;  // -1: unknown; no promise
  /// The expected start if all jobs before this one ran for their full limits; -1: unknown.
  std::int64_t start_by_limits = -1;
  // For a request without a job: why it cannot start at once, and the event that would end that
  // reason; smaller requests that start earlier; options of its script that have no effect.  For a
  // job that needs nodes that are down, the first two.
  std::string limited_by = {}, lifted_by = {};
  std::vector<StartAlternative> alternatives = {};
  std::vector<std::string> unknown = {};
  bool resumes = false;  // the job is suspended: `start` is when it resumes
  /// Whatever blocks the job besides resources and limits of active jobs, for a time that is not
  /// known: `start` leaves it out.  `lifted_by` is its end.
  std::string not_counted = {};
  friend bool operator==(const StartReply&, const StartReply&) = default;
};

/// The outcome for one of the objects that a command was applied to.
struct Outcome {
  std::string name;
  bool done = false;
  std::string reason;  // why not
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

enum class JobAction : std::uint8_t {
  cancelled,
  started,
  preempted,
  suspended,
  requeued,
  checkpointed,
  resumed,
  modified,
  cleared,
  holds_set,
  holds_released,
  priority_set,
  qos_set,
};

/// canceljob, mjobctl, runjob, sethold, releasehold, setspri, setqos.  The command affected at
/// least one job.
struct JobsReply {
  JobAction action = JobAction::cancelled;
  std::vector<std::string> holds;  // sethold, releasehold: types of hold
  std::vector<Outcome> jobs;
  std::string command = {};            // the command given: canceljob, mjobctl, ...
  std::optional<DryRun> dry_run = {};  // with --dry-run: nothing was changed
  friend bool operator==(const JobsReply&, const JobsReply&) = default;
};

}  // namespace maui
