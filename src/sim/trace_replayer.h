// The trace replayer: a resource manager whose nodes and jobs come from traces.
//
// A submitted job waits, runs for its recorded time once started, and is reported as ended at the
// first poll after its end, with the exact time.  Ends are kept in order, so that a poll at which
// nothing happens costs nothing.
//
// A suspended job runs for the rest of its time after it resumes; a
// checkpointed job does so after it is started again; a requeued job starts
// over.
//
// A job whose submission depends on the end of another job (Feedback) is submitted its think time
// after that end, whatever the submission policy is.
//
// SIMMRRANDOMDELAY: a start takes effect after a random delay of 0 to SIMMRRANDOMDELAY whole
// seconds. Until then the job is starting, and its end is delayed as well.  The random generator
// has the same seed in every simulation.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/settings.h"
#include "sim/simulator.h"
#include "sim/workload.h"

namespace maui {

class TraceReplayer : public Simulator {
 public:
  /// Requires a workload of at least one job.
  TraceReplayer(const Settings& settings, std::vector<NodeReport> nodes,
                std::unique_ptr<Workload> workload);

  std::string_view name() const override { return "SIM"; }
  void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) override;
  void start(const Job& job, const Cluster& cluster, Time now, Started done) override;
  void cancel(const Job& job, CancelCause why, Time now, Answer done) override;
  void requeue(const Job& job, Time now, Answer done) override;
  void suspend(const Job& job, Time now, Answer done) override;
  void resume(const Job& job, Time now, Answer done) override;
  void checkpoint(const Job& job, Time now, Answer done) override;
  void modify_node(const Node& node, NodeState state, const std::string& user, Time now,
                   Answer done) override;
  bool reports_job_starts() const override { return settings_.simulation.random_delay > 0; }
  Time start_time() const override { return start_time_; }
  Time next_event() const override;
  bool queue_full(const Cluster& cluster) const override;
  std::vector<std::string> never_submitted() const override;
  std::size_t unsubmitted() const override { return workload_->size() - submitted_; }

 private:
  struct Submitted {  // a job that has not ended
    JobState final_state = JobState::completed;
    Seconds whole{0};     // run time without interruption, on nodes of `recorded_speed`
    Seconds run_time{0};  // from its next start or resumption, likewise
    std::vector<std::string> hosts = {};  // on which it ran, if the speed of nodes matters
    double recorded_speed = 1;            // of these; known from its first start on
    double speed = 1;                     // of its nodes, relative to that
    std::uint64_t run = 0;                // 0: not running; else the number of its run
    Time ends{0};                         // if running: when it ends by itself
    bool suspended = false;
  };
  using End = std::pair<Time, std::uint64_t>;  // when, and of which run

  struct Return {  // the submission of a job after its user's think time
    Time when;
    std::size_t index;
    bool operator>(const Return& other) const {
      return when != other.when ? when > other.when : index > other.index;
    }
  };

  void read_feedback();
  void skip_followers();
  void follow(const std::string& ended, Time when);
  void submit_thought(Time now, Update& update);
  bool none_left() const { return next_ == workload_->size(); }
  void end_at(const std::string& name, Submitted& job, Time when);
  Submitted* running(const Job& job, const Answer& done);
  void end_run(Submitted& job);
  void stop(Submitted& job, Time now);
  void report_ends(Time now, Update& update);
  void report_starts(Time now, Update& update);
  void note_submitted(std::size_t index, JobReport& job);
  JobReport submit_next();
  std::size_t after(std::size_t index) const;
  bool submit_due(Time now, Update& update);
  void keep_depth(const Cluster& cluster, Time now, Update& update);
  std::int64_t queue_depth(const Cluster& cluster) const;
  std::int64_t depth_of(const JobReport& job) const;
  Time first_time() const;

  Settings settings_;
  std::vector<NodeReport> nodes_;  // empty after the first poll
  std::unique_ptr<Workload> workload_;
  std::size_t submitted_ = 0;  // the number of jobs that have been submitted
  std::size_t next_ = 0;       // the next job to submit, not counting jobs that follow others
  std::unordered_map<std::string, std::vector<std::size_t>> followers_;
  std::vector<bool> follows_;  // by index; empty: no job follows another
  std::priority_queue<Return, std::vector<Return>, std::greater<>> thinking_;
  Time start_time_{0};
  Time polled_{-1};  // time of the last poll
  // True if a job left the queue since the last poll: a constant depth must be restored.
  bool room_ = false;
  std::unordered_map<std::string, Submitted> jobs_;
  std::map<End, std::string> ends_;  // of running jobs: the name of each
  std::uint64_t runs_ = 0;
  struct Begun {  // when a started job begins to run, and its use from then on
    Time when{0};
    std::uint64_t run = 0;
    JobStatus status;
  };
  std::vector<Begun> begun_;  // to be reported by the next polls
  std::mt19937_64 random_;
};

}  // namespace maui
