#include "maui/request.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace maui {

bool Bound::holds_for(Resources::Quantity configured) const {
  switch (compare) {
    case Comparison::any:
      return true;
    case Comparison::less:
      return configured < amount;
    case Comparison::at_most:
      return configured <= amount;
    case Comparison::equal:
      return configured == amount;
    case Comparison::at_least:
      return configured >= amount;
    case Comparison::more:
      return configured > amount;
  }
  return false;
}

Seconds Request::limit_at(double speed) const {
  if (!by_speed || speed <= 0 || limit >= kUnlimited) return limit;
  const double seconds = std::ceil(static_cast<double>(limit.raw()) / speed);
  return Seconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds)));
}

bool Request::lists(NodeId node) const {
  return std::binary_search(host_list.begin(), host_list.end(), node);
}

bool Request::may_use(NodeId node) const {
  if (host_list_use == HostListUse::some_of && !lists(node)) return false;
  return !std::binary_search(excluded.begin(), excluded.end(), node);
}

bool Request::names_nodes() const {
  return host_list_use != HostListUse::none || !excluded.empty() ||
         std::any_of(requirements.begin(), requirements.end(),
                     [](const Requirement& requirement) { return requirement.host.valid(); });
}

int Request::total_tasks() const {
  std::int64_t total = 0;
  for (const Requirement& requirement : requirements) total += requirement.tasks;
  return static_cast<int>(std::min<std::int64_t>(total, std::numeric_limits<int>::max()));
}

int Request::nodes_named() const {
  std::int64_t total = 0;
  for (const Requirement& requirement : requirements)
    total += std::max(requirement.nodes, requirement.least_nodes);
  return static_cast<int>(std::min<std::int64_t>(total, std::numeric_limits<int>::max()));
}

}  // namespace maui
