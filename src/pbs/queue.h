// The attributes of PBS queues that affect scheduling.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pbs/attribute.h"

namespace maui::pbs {

struct Queue {
  bool executes = true;  // false for a routing queue
  bool started = true;
  int most_running = 0;               // 0: no limit
  int most_running_of_user = 0;       // 0: no limit
  std::vector<std::string> hosts;     // the queue may use only these; empty: all
  std::vector<std::string> features;  // nodes must have these features
  friend bool operator==(const Queue&, const Queue&) = default;
};

using Queues = std::map<std::string, Queue, std::less<>>;

Queues read_queues(std::span<const Object> objects);

}  // namespace maui::pbs
