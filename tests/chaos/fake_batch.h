// A batch system in memory, under virtual time: what is really true of jobs and nodes, whatever a
// scheduler is told of it.  It speaks WIKI, and takes note of what it must never be asked.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "rm/wiki_attributes.h"
#include "rm/wiki_message.h"

namespace maui::test {

struct BatchJob {
  std::string name;
  int tasks = 1;
  Seconds limit{0}, length{0};
  WikiState state = WikiState::idle;
  Time submitted{0}, started = kForever, ended = kForever;
  Seconds suspended{0};
  Time suspended_since = kForever;
  std::vector<std::string> nodes;
  int starts = 0, returns = 0;  // into the queue
  Time hidden_until{0};
  bool kept_back = false;  // a hold that the scheduler has promised

  bool waits() const { return state == WikiState::idle || state == WikiState::hold; }
  bool ended_already() const { return ended < kForever; }
  bool has_nodes() const { return !waits() && !ended_already(); }
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

  /// Jobs end when their time has come.
  void advance(Time now);
  WikiReply answer(const WikiRequest& request);

  BatchJob& submit(int tasks, Seconds limit, Seconds length);
  /// Jobs there go back into the queue.
  void fail_node(BatchNode& node);
  void end(BatchJob& job, WikiState how, Time when);
  /// Ends that are longer ago are not told any more.
  void forget_ended(Seconds older) { forgotten_ = now_ - older; }

  std::map<std::string, BatchJob> jobs;
  std::vector<BatchNode> nodes;
  std::vector<std::string> wrongs;  // what must never have been asked

 private:
  std::string node_list() const;
  std::string job_list() const;
  WikiReply start(BatchJob& job, const std::vector<std::string>& tasks);
  WikiReply command(const WikiRequest& request, BatchJob& job);
  int free_procs(const BatchNode& node) const;
  bool reported(const BatchJob& job) const;
  void give_back(BatchJob& job);

  std::string prefix_;
  Time now_, forgotten_{0};
  int last_ = 0;
};

}  // namespace maui::test
