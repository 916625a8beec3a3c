// What the engine needs of a resource manager (guide 13.1.1).
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
  std::string partition;               // empty: any
  std::vector<std::string> host_list;  // empty: any
  HostListUse host_list_use = HostListUse::none;
  std::vector<std::vector<std::string>> features;  // by requirement
  Job job;          // times, flags, strings; credentials and request are filled by the engine
  Request request;  // class, partitions, features and hosts are filled from the names above
  /// Generic resources per task, by requirement: name and amount.
  std::vector<std::vector<std::pair<std::string, int>>> generic;
  /// Where it runs, a name a task, if it does so already: job.state says that, job.started since
  /// when.  With not_queued nobody knows whether it does: it is not started.
  std::vector<std::string> task_list;
  std::string problem;  // why it cannot be scheduled; empty: it can
};

struct NodeReport {
  Node node;  // partition and features are filled by the engine from the names below
  std::string partition;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, int>> classes;  // class and its initiators
  std::vector<std::pair<std::string, int>> generic;
};

struct JobEnd {
  std::string name;
  JobState state = JobState::completed;  // completed or removed
  Time when{0};
  int exit_code = 0;  // anything else is a failure
};

/// A job that had ended when it was reported for the first time.
struct PastJob {
  JobReport report;  // job.started and task_list, if it ran and that is told
  JobEnd end;
};

/// What is new of a job that was reported before.
struct JobStatus {
  std::string name;
  std::optional<JobState> state = std::nullopt;  // idle, starting, running or suspended
  std::optional<JobUse> use = std::nullopt;
  std::optional<bool> held = std::nullopt;  // by its user, at the resource manager; if that changed
  /// Active or suspended: where, in case that nobody here started it, and since when.
  std::vector<std::string> task_list = {};
  Time started = kForever;
};

/// One of several resource managers does not answer: what is known of it is old.
struct Silence {
  std::string manager, why;
};

/// What changed since the last poll.
struct Update {
  std::vector<NodeReport> nodes;
  std::vector<JobReport> arrived;
  std::vector<JobEnd> ended;
  /// They ended before the first poll, of which a scheduler before this one may have known, or came
  /// and went between two polls.
  std::vector<PastJob> past;
  std::vector<JobStatus> statuses;
  /// Jobs that are reported no longer, though nothing was said of their end.
  std::vector<std::string> lost;
  /// Nodes that are reported no longer.
  std::vector<std::string> lost_nodes;
  /// Jobs that were reported before and ask for something else now.
  std::vector<JobReport> changed;
  std::vector<Silence> silent;
  bool exhausted = false;  // a replayed trace has nothing left to submit
};

class ResourceManager {
 public:
  using Answer = std::function<void(Status)>;

  virtual ~ResourceManager() = default;
  virtual std::string_view name() const = 0;
  /// Everything at the first call, changes afterwards.
  virtual void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) = 0;
  virtual void start(const Job& job, const Cluster& cluster, Time now, Answer done) = 0;
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
  /// A job that was started is starting until a status says that it runs; else it runs at once.
  virtual bool tells_when_jobs_run() const { return false; }
  /// The next moment at which it knows that something will happen; kForever where it cannot know.
  virtual Time next_event() const { return kForever; }
  /// How each of them has answered, where it keeps count itself.
  virtual std::vector<RmRecord> records() const { return {}; }
};

}  // namespace maui
