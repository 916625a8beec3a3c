// PBS's queues, as far as scheduling goes by them.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pbs/attribute.h"

namespace maui::pbs {

struct Queue {
  bool executes = true;  // a routing queue does not
  bool started = true;
  int most_running = 0;               // 0: no limit
  int most_running_of_user = 0;       // likewise
  std::vector<std::string> hosts;     // whose nodes are for it alone to use; empty: all
  std::vector<std::string> features;  // of the nodes of its jobs
  friend bool operator==(const Queue&, const Queue&) = default;
};

using Queues = std::map<std::string, Queue, std::less<>>;

Queues read_queues(std::span<const Object> objects);

}  // namespace maui::pbs
