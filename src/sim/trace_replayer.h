// The trace replayer: a resource manager whose nodes and jobs come from traces.
//
// A submitted job waits, runs for its recorded time once it is started, and is
// reported as ended at the first poll after that, with the exact time.  Ends
// are kept in a heap, so that a poll at which nothing happens costs nothing.
//
// A job that is suspended runs for what is left once it resumes; so does one
// that was checkpointed, once it is started again; one that was requeued begins
// anew.
//
// A job whose submission depends on the end of another (Feedback) comes so long
// after that, whatever the submission policy says of the rest.
//
// SIMMRRANDOMDELAY: a start takes effect a random number of whole seconds, from
// 0 to that, after it was asked for: until then the job is starting, and its run
// ends so much later.  The generator begins with the same seed in every simulation.
#pragma once
#include <cstdint>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
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
  void cancel(const Job& job, Time now, Answer done) override;
  void requeue(const Job& job, Time now, Answer done) override;
  void suspend(const Job& job, Time now, Answer done) override;
  void resume(const Job& job, Time now, Answer done) override;
  void checkpoint(const Job& job, Time now, Answer done) override;
  void modify_node(const Node& node, NodeState state, Time now, Answer done) override;
  bool reports_job_starts() const override { return settings_.simulation.random_delay > 0; }
  Time start_time() const override { return start_time_; }
  Time next_event() const override;

 private:
  struct Submitted {  // a job that has not ended yet
    JobState final_state = JobState::completed;
    Seconds whole{0};       // run time, if it is not stopped
    Seconds run_time{0};    // from its next start or resumption on
    std::uint64_t run = 0;  // 0: it does not run; else which of all expected ends is its own
    Time ends{0};           // while it runs: when it will end by itself
    bool suspended = false;
  };
  struct End {
    Time when;
    std::uint64_t run;
    std::string job;
    bool operator>(const End& other) const {
      return when != other.when ? when > other.when : run > other.run;
    }
  };

  struct Return {  // of somebody who thinks until then
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
  bool current(const End& end) const;
  void drop_stale_ends();
  void end_at(const std::string& name, Submitted& job, Time when);
  Submitted* running(const Job& job, const Answer& done);
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
  std::vector<NodeReport> nodes_;  // until the first poll
  std::unique_ptr<Workload> workload_;
  std::size_t next_ = 0;  // the next job to submit that depends on no other
  std::unordered_map<std::string, std::vector<std::size_t>> followers_;
  std::vector<bool> follows_;  // by index; empty: none does
  std::priority_queue<Return, std::vector<Return>, std::greater<>> thinking_;
  Time start_time_{0};
  Time polled_{-1};  // the last poll
  // A job left the queue since the last poll; a constant depth is to be restored.
  bool room_ = false;
  std::unordered_map<std::string, Submitted> jobs_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::uint64_t runs_ = 0;
  struct Begun {  // from when on a job that was started runs, and what it uses then
    Time when{0};
    std::uint64_t run = 0;
    JobStatus status;
  };
  std::vector<Begun> begun_;  // what the next polls will report
  std::mt19937_64 random_;
};

}  // namespace maui
