// A batch system in memory, under virtual time: the true state of jobs and nodes, whatever a
// scheduler is sent about it.  It speaks WIKI and records requests that should never occur.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rm/wiki_attributes.h"
#include "rm/wiki_message.h"

namespace maui::test {

struct BatchJob {
  std::string name;
  std::string user = "amy";
  int tasks = 1;
  Seconds limit{0}, length{0};
  WikiState state = WikiState::idle;
  Time submitted{0}, started = kForever, ended = kForever;
  Time dated_submitted{0}, dated_started = kForever, dated_ended = kForever;  // by its clock
  Seconds suspended{0};
  Time suspended_since = kForever;
  std::vector<std::string> nodes;
  int starts = 0, returns = 0;       // returns: to the queue
  double returned_proc_seconds = 0;  // of the runs before these
  Time hidden_until{0};
  bool kept_back = false;      // the scheduler has accepted a hold
  int run_to_requeue = 0;      // by a command: the number of that start; 0: none
  std::optional<double> busy;  // the part of its processor time that it uses; nullopt: unreported

  bool waits() const { return state == WikiState::idle || state == WikiState::hold; }
  bool ended_already() const { return ended < kForever; }
  bool has_nodes() const { return !waits() && !ended_already(); }
  /// Returns the CPU seconds, in whole ones, that its run has used by then.
  double cpu_seconds(Time now) const;
};

struct BatchNode {
  std::string name;
  int procs = 4;
  bool down = false;
  Time hidden_until{0};
};

class FakeBatch {
 public:
  FakeBatch(std::string prefix, int nodes, Time now);

  /// Advances the time and ends the jobs whose run time is over.
  void advance(Time now);
  WikiReply answer(const WikiRequest& request);

  BatchJob& submit(int tasks, Seconds limit, Seconds length);
  /// Fails the node; its jobs return to the queue.
  void fail_node(BatchNode& node);
  /// Returns a job that has nodes to the queue.
  void give_back(BatchJob& job);
  void end(BatchJob& job, WikiState how, Time when);
  int free_procs(const BatchNode& node) const;
  /// Stops reporting jobs that ended longer ago than `older`.
  void forget_ended(Seconds older) { forgotten_ = now_ - older; }

  std::map<std::string, BatchJob> jobs;
  std::vector<BatchNode> nodes;
  std::vector<std::string> wrongs;  // requests that should never have been sent
  Seconds clock_ahead{0};           // of the clock by which it dates what happens
  bool lists_no_jobs = false;       // as just after its own restart

 private:
  std::string node_list() const;
  std::string job_list() const;
  WikiReply start(BatchJob& job, const std::vector<std::string>& tasks);
  WikiReply command(const WikiRequest& request, BatchJob& job);
  bool reported(const BatchJob& job) const;

  std::string prefix_;
  Time now_, forgotten_{0};
  int last_ = 0;
};

}  // namespace maui::test
