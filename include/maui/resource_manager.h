// The engine's view of a resource manager (guide 13.1.1).
//
// Calls are asynchronous: each returns at once and reports through its
// callback, exactly once, from the same thread, perhaps before it returns.  The
// trace replayer of the simulator is one implementation.
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

/// A job as a resource manager reports it: names instead of ids, which the engine resolves.
struct JobReport {
  std::string name, user, group, account, job_class, qos;
  bool any_class = false;  // nodes need not offer job_class: a node set tells which
  std::string partition;   // that the job asks for; empty: any
  /// That its resource manager names; means nothing where no node is in a partition.
  std::string partition_mask;
  std::vector<std::string> host_list;  // empty: any
  HostListUse host_list_use = HostListUse::none;
  bool only_hosts = false;  // it has no other nodes, unless these have no room for its tasks
  std::vector<std::string> excluded_hosts;
  std::vector<std::vector<std::string>> features;  // by requirement
  std::vector<std::string> requirement_hosts;      // by requirement: its only host; empty: any
  Job job;          // times, flags, strings; credentials and request are filled by the engine
  Request request;  // class, partitions, features and hosts are filled from the names above
  /// Generic resources per task, by requirement: name and amount.
  std::vector<std::vector<std::pair<std::string, int>>> generic;
  /// The nodes on which it runs, a name a task, if it does so already: job.state says that,
  /// job.started since when.  With not_queued nobody knows whether it does: it is not started.
  std::vector<std::string> task_list;
  std::string problem;    // why it cannot be scheduled; empty: it can
  std::string waits_for;  // what keeps it from being started now, and passes by itself
};

struct NodeReport {
  Node node;  // partition and features are filled by the engine from the names below
  std::string partition;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, int>> classes;  // class and its initiators
  std::vector<std::pair<std::string, int>> generic;
};

/// A reservation that the resource manager itself keeps: for jobs that ask for it by name.
struct ReservationReport {
  std::string name;
  Time start{0}, end{0};
  std::vector<std::pair<std::string, int>> nodes;  // and processors of each; -1: all
};
/// All that one of them keeps.
struct ReservationReports {
  std::string manager;
  std::vector<ReservationReport> all;
};

struct JobEnd {
  std::string name;
  JobState state = JobState::completed;  // completed or removed
  Time when{0};
  int exit_code = 0;  // anything else is a failure
};

/// A job that had ended when it was reported for the first time.
struct PastJob {
  JobReport report;  // job.started and task_list, if it ran and that is reported
  JobEnd end;
};

/// The changes of a job that was reported before.
struct JobStatus {
  std::string name;
  std::optional<JobState> state = std::nullopt;  // idle, starting, running or suspended
  std::optional<JobUse> use = std::nullopt;      // procs 0: to be worked out from the CPU time
  // Its user's and an administrator's hold at the resource manager, if they changed: bits of Hold.
  std::optional<std::uint8_t> holds = std::nullopt;
  /// Active or suspended: where, in case that nobody here started it, and since when.
  std::vector<std::string> task_list = {};
  Time started = kForever;
  Time used_until = kForever;  // when `use` was so; now, if nothing is said
  /// A hindrance to its start that passes by itself, if that has changed; empty: there is none.
  std::optional<std::string> waits_for = std::nullopt;
};

/// The notice that users should see about a waiting job where they look at their jobs.
struct JobNotice {
  std::string job, resource_manager;
  Time start = kForever;  // it is planned to
  std::string held = {};  // why the scheduler holds it; empty: it does not
  friend bool operator==(const JobNotice&, const JobNotice&) = default;
};

/// The kind of hindrance to a start.
enum class Obstacle : std::uint8_t {
  unknown,  // the start has failed, which counts (DEFERSTARTCOUNT)
  passes,   // it passes by itself: the job is looked at again with the next answer
  there,    // so, too, and it may be the nodes: the job is tried on others
  array,    // its array runs as many tasks as it may: it passes when one of them ends
  others,   // it depends on other jobs: it passes when one of them ends, or has started
  stays,    // the job is held until somebody changes something
};

/// How a start is answered.
struct StartAnswer {
  StartAnswer(Done) {}
  StartAnswer(Error error, Obstacle what = Obstacle::unknown)
      : status(std::move(error)), obstacle(what) {}
  operator Status() const { return status; }
  Status status = Done{};  // a success: it starts, or may have been started
  Obstacle obstacle = Obstacle::unknown;
};

/// A start that was answered with success has come to nothing.
struct FailedStart {
  std::string name, why;
  Obstacle obstacle = Obstacle::unknown;
};

/// One of several resource managers does not answer: what is known of it is old.
struct UnreachableManager {
  std::string manager, why;
};

/// Jobs that came, which are reported one by one since all at once would take much memory.
struct MoreJobs {
  std::size_t count = 0;
  std::function<JobReport()> next;  // to be asked so many times, before the next poll
};

/// The changes since the last poll.
struct Update {
  std::vector<NodeReport> nodes;
  std::vector<ReservationReports> reservations;  // of those where something changed
  std::vector<JobReport> arrived;
  MoreJobs more;  // that came after these
  std::vector<JobEnd> ended;
  /// They ended before the first poll, of which a scheduler before this one may have known, or came
  /// and went between two polls.
  std::vector<PastJob> past;
  std::vector<JobStatus> statuses;
  std::vector<FailedStart> failed_starts;
  /// Jobs that are reported no longer, though nothing was said of their end.
  std::vector<std::string> lost;
  /// Nodes that are reported no longer.
  std::vector<std::string> lost_nodes;
  /// Jobs that were reported before and ask for something else now.
  std::vector<JobReport> changed;
  std::vector<UnreachableManager> silent;
  /// Resource managers that have reported all, with all that had been asked of them done: what is
  /// not as expected is so.
  std::vector<std::string> certain;
  bool exhausted = false;  // a replayed trace has nothing left to submit
};

/// An attribute of a job or a node that the scheduler does not go by.
struct UnusedAttribute {
  std::string name, value;
  bool asks = false;  // it is a wish, which is not followed
};

class ResourceManager {
 public:
  using Answer = std::function<void(Status)>;
  using Started = std::function<void(StartAnswer)>;

  virtual ~ResourceManager() = default;
  virtual std::string_view name() const = 0;
  /// Everything at the first call, changes afterwards.
  virtual void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) = 0;
  virtual void start(const Job& job, const Cluster& cluster, Time now, Started done) = 0;
  virtual void cancel(const Job& job, Time now, Answer done) = 0;
  /// An active or suspended job goes back into the queue.
  virtual void requeue(const Job& job, Time now, Answer done) = 0;
  virtual void suspend(const Job& job, Time now, Answer done) = 0;
  virtual void resume(const Job& job, Time now, Answer done) = 0;
  /// The job goes back into the queue and will go on from where it was.
  virtual void checkpoint(const Job& job, Time now, Answer done) = 0;
  /// The job gets another wallclock limit.
  virtual void set_limit(const Job& /*job*/, Seconds /*limit*/, Time /*now*/, Answer done) {
    done(Done{});
  }
  /// Takes a node into or out of service (mnodectl).
  virtual void modify_node(const Node& node, NodeState state, Time now, Answer done) = 0;
  /// Users see there what is noted of their jobs.
  virtual bool shows_notices() const { return false; }
  /// All that is to be noted now; what was noted of other jobs is not so any more.
  virtual void note(const std::vector<JobNotice>& /*notices*/) {}
  /// A job that was started is starting until a status says that it runs; else it runs at once.
  virtual bool reports_job_starts() const { return false; }
  /// The next moment at which it knows that something will happen; kForever where it cannot know.
  virtual Time next_event() const { return kForever; }
  /// Attributes of a job, or of a node, that come beside its report.
  virtual std::vector<UnusedAttribute> unused_attributes_of_job(const Job& /*job*/) const {
    return {};
  }
  virtual std::vector<UnusedAttribute> unused_attributes_of_node(const Node& /*node*/) const {
    return {};
  }
  /// How each of them has answered, where it keeps count itself.
  virtual std::vector<RmRecord> records() const { return {}; }
};

}  // namespace maui
