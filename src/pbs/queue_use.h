// Counts the jobs that each queue runs: the scheduler enforces max_running and max_user_run.
#pragma once
#include <map>
#include <string>

#include "pbs/queue.h"

namespace maui::pbs {

class QueueUse {
 public:
  void add(const std::string& queue, const std::string& user);
  /// Returns why the queue runs no more jobs of the user; empty if it does.
  std::string keeps_back(const Queues& queues, const std::string& queue,
                         const std::string& user) const;

 private:
  struct Running {
    int jobs = 0;
    std::map<std::string, int> of_user;
  };
  std::map<std::string, Running> running_;  // by queue
};

}  // namespace maui::pbs
