// How many jobs each queue runs: its max_running and max_user_run are left to the scheduler.
#pragma once
#include <map>
#include <string>

#include "pbs/queue.h"

namespace maui::pbs {

class QueueUse {
 public:
  void add(const std::string& queue, const std::string& user);
  /// Why the queue runs no more jobs of the user; empty: it does.
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
