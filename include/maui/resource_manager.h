// The engine's view of a resource manager (guide 13.1.1).
//
// Calls are asynchronous: each returns at once and reports through its
// callback, exactly once, from the same thread, possibly before it returns.  The
// simulator's trace replayer is one implementation.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/job.h"
#include "maui/node.h"
#include "maui/result.h"
#include "maui/rm_record.h"

namespace maui {

/// A job as a resource manager reports it: names, which the engine resolves to ids.
struct JobReport {
  std::string name, user, group, account, job_class, qos;
  bool any_class = false;  // nodes need not offer job_class: a node set selects them
  std::string partition;   // requested by the job; empty: any
  /// The partitions that the resource manager names; ignored if no node is in a partition.
  std::string partition_mask;
  std::vector<std::string> host_list;  // empty: any
  HostListUse host_list_use = HostListUse::none;
  bool only_hosts = false;  // only these hosts, unless they have no room for its tasks
  std::vector<std::string> excluded_hosts;
  std::vector<std::vector<std::string>> features;  // by requirement
  std::vector<std::string> requirement_hosts;      // by requirement: the only host; empty: any
  /// Times, flags, strings, and what a run has used; the engine fills in credentials and request.
  Job job;
  Request request;  // the engine fills in class, partitions, features, hosts from above
  /// Generic resources per task, by requirement: name and amount.
  std::vector<std::vector<std::pair<std::string, int>>> generic;
  /// One node name per task, if the job already runs (see job.state and job.started).  In state
  /// not_queued it is unknown whether the job runs, and the scheduler does not start the job.
  std::vector<std::string> task_list;
  std::string problem;    // why the job cannot be scheduled; empty: it can
  std::string waits_for;  // a temporary obstacle to a start; empty: none
};

struct NodeReport {
  Node node;  // the engine fills in partition and features from the names below
  std::string partition;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, int>> classes;  // class and number of initiators
  std::vector<std::pair<std::string, int>> generic;
};

/// A reservation that the resource manager itself keeps for jobs that ask for it by name.
struct ReservationReport {
  std::string name;
  Time start{0}, end{0};
  std::vector<std::pair<std::string, int>> nodes;  // node and its processors; -1: all
};
/// All reservations that one resource manager keeps.
struct ReservationReports {
  std::string manager;
  std::vector<ReservationReport> all;
};

struct JobEnd {
  std::string name;
  JobState state = JobState::completed;  // completed or removed
  Time when{0};       // not in the future by more than a second, which is rounding
  int exit_code = 0;  // 0: success
  /// The dates of the run as the resource manager has them; kForever: it does not tell.  `when` may
  /// differ: their clock may be ahead or behind.
  Time dated_start = kForever, dated = kForever;
};

/// A job that had ended when it was reported for the first time.
struct PastJob {
  JobReport report;  // job.started and task_list, if the job ran, as far as known
  JobEnd end;
};

/// The changes of a job that has been reported before.
struct JobStatus {
  std::string name;
  std::optional<JobState> state = std::nullopt;  // idle, starting, running or suspended
  std::optional<JobUse> use = std::nullopt;      // procs 0: compute it from the CPU time
  // The resource manager's user and administrator holds, if they changed: bits of Hold.
  std::optional<std::uint8_t> holds = std::nullopt;
  /// The nodes and start of an active or suspended job, in case the scheduler did not start it.
  std::vector<std::string> task_list = {};
  Time started = kForever;
  Time used_until = kForever;  // time of the values in `use`; unset: now
  /// The temporary obstacle to the job's start, if it changed; empty: there is none.
  std::optional<std::string> waits_for = std::nullopt;
  std::optional<Seconds> suspended_time = std::nullopt;  // of an active job, if known
};

/// A notice about a waiting job, shown where users list the resource manager's jobs.
struct JobNotice {
  std::string job, resource_manager;
  Time start = kForever;  // planned start
  std::string held = {};  // why the scheduler holds the job; empty: it does not
  friend bool operator==(const JobNotice&, const JobNotice&) = default;
};

/// The kind of obstacle to a start.
enum class Obstacle : std::uint8_t {
  unknown,  // the start failed and counts as a failure (DEFERSTARTCOUNT)
  passes,   // temporary: the scheduler reconsiders the job after the next poll
  there,    // temporary, perhaps due to the nodes: the scheduler tries other nodes
  array,    // the job's array is at its task limit: ends when one of its tasks ends
  others,   // the job depends on others: ends when one of them starts or ends
  stays,    // permanent: the job is held until somebody intervenes
};

/// The answer to a start.
struct StartAnswer {
  StartAnswer(Done) {}
  StartAnswer(Error error, Obstacle what = Obstacle::unknown)
      : status(std::move(error)), obstacle(what) {}
  operator Status() const { return status; }
  Status status = Done{};  // success: the job starts, or may have started
  Obstacle obstacle = Obstacle::unknown;
  std::string doubt = {};  // of a success: why nobody knows whether the job starts; empty: it does
};

/// A start that failed after the resource manager had reported success.
struct FailedStart {
  std::string name, why;
  Obstacle obstacle = Obstacle::unknown;
};

/// One of several resource managers that does not answer, so that its data is stale.
struct UnreachableManager {
  std::string manager, why;
  bool late = false;  // it answers, but the others are not to wait for it
};

/// Arrived jobs that are delivered one by one, since all at once would take too much memory.
struct MoreJobs {
  std::size_t count = 0;
  std::function<JobReport()> next;  // call this `count` times before the next poll
};

/// The changes since the last poll.
struct Update {
  std::vector<NodeReport> nodes;
  std::vector<ReservationReports> reservations;  // of managers where some changed
  std::vector<JobReport> arrived;
  MoreJobs more;  // jobs that arrived after those
  std::vector<JobEnd> ended;
  /// Jobs that ended before the first poll (an earlier scheduler process may have known them), or
  /// that arrived and ended between two polls.
  std::vector<PastJob> past;
  std::vector<JobStatus> statuses;
  std::vector<FailedStart> failed_starts;
  /// Jobs that are no longer reported although no end was reported.
  std::vector<std::string> lost;
  /// Nodes that are no longer reported.
  std::vector<std::string> lost_nodes;
  /// Jobs that were reported before and whose request has changed.
  std::vector<JobReport> changed;
  std::vector<UnreachableManager> silent;
  /// Resource managers whose report is complete and includes the effect of every request sent to
  /// them: the scheduler then trusts a report that differs from what it expects.
  std::vector<std::string> certain;
  /// Resource managers whose list of jobs is missing or incomplete: it does not show which jobs are
  /// gone.
  std::vector<std::string> incomplete;
  /// When the answers had come, by the scheduler's clock: later than the poll began if they were
  /// waited for; 0: that is not known.
  Time answered{0};
  bool exhausted = false;  // a replayed trace has no jobs left to submit
};

/// An attribute of a job or a node that has no effect on scheduling.
struct UnusedAttribute {
  std::string name, value;
  bool asks = false;  // a request that the scheduler does not honour
};

/// Why a job is cancelled, as resource managers tell its user.
enum class CancelCause : std::uint8_t {
  asked,       // by a user, or for another rule of the scheduler
  past_limit,  // its wallclock limit
};

class ResourceManager {
 public:
  using Answer = std::function<void(Status)>;
  using Started = std::function<void(StartAnswer)>;

  virtual ~ResourceManager() = default;
  virtual std::string_view name() const = 0;
  /// Reports everything at the first call and changes afterwards.  A name that belongs to another
  /// manager, since `cluster` has its job or awaits it, is not reported until it is free.
  virtual void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) = 0;
  virtual void start(const Job& job, const Cluster& cluster, Time now, Started done) = 0;
  virtual void cancel(const Job& job, CancelCause why, Time now, Answer done) = 0;
  /// Puts an active or suspended job back into the queue.
  virtual void requeue(const Job& job, Time now, Answer done) = 0;
  virtual void suspend(const Job& job, Time now, Answer done) = 0;
  virtual void resume(const Job& job, Time now, Answer done) = 0;
  /// Puts the job back into the queue; its next run continues from this point.
  virtual void checkpoint(const Job& job, Time now, Answer done) = 0;
  /// Changes the job's wallclock limit.
  virtual void set_limit(const Job& /*job*/, Seconds /*limit*/, Time /*now*/, Answer done) {
    done(Done{});
  }
  /// Takes a node into or out of service for `user` (mnodectl).
  virtual void modify_node(const Node& node, NodeState state, const std::string& user, Time now,
                           Answer done) = 0;
  /// True if the resource manager shows notices to users.
  virtual bool shows_notices() const { return false; }
  /// Sets all current notices; earlier notices about other jobs no longer apply.
  virtual void note(const std::vector<JobNotice>& /*notices*/) {}
  /// True if a started job is `starting` until a status reports it running; else it runs at once.
  virtual bool reports_job_starts() const { return false; }
  /// Returns the time of the next event that is known in advance; kForever if none is.
  virtual Time next_event() const { return kForever; }
  /// True if a replayed trace submits none of its jobs until one of the waiting jobs starts, ends
  /// or is held.
  virtual bool queue_full(const Cluster& /*cluster*/) const { return false; }
  /// Reported attributes of a job, or of a node, that the scheduler does not use.
  virtual std::vector<UnusedAttribute> unused_attributes_of_job(const Job& /*job*/) const {
    return {};
  }
  virtual std::vector<UnusedAttribute> unused_attributes_of_node(const Node& /*node*/) const {
    return {};
  }
  /// The record of each resource manager, if this object keeps such records itself.
  virtual std::vector<RmRecord> records() const { return {}; }
};

}  // namespace maui
