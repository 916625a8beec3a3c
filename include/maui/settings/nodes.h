// What NODECFG says of a node (guide 12.2).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maui/request.h"

namespace maui {

struct NodeSettings {
  std::optional<NodeAccess> access;
  std::optional<int> max_jobs, max_jobs_per_user;
  std::optional<double> max_load, speed;
  std::optional<int> frame, slot, proc_speed;
  std::string partition, type;
  std::vector<std::string> features;
  friend bool operator==(const NodeSettings&, const NodeSettings&) = default;
};

}  // namespace maui
