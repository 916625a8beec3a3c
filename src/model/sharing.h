// Which jobs may share a node (NODEACCESSPOLICY), and which placements do.
#pragma once
#include <algorithm>

#include "maui/occupancy.h"
#include "maui/placement.h"
#include "maui/request.h"

namespace maui {

/// True if a job of that user may join the jobs that are on the node.
inline bool may_join(const Occupancy& here, NodeAccess access, UserId user) {
  if (here.exclusive() || (excludes_others(access) && !here.occupants.empty())) return false;
  return std::none_of(here.occupants.begin(), here.occupants.end(), [&](const Occupant& occupant) {
    return occupant.user != user &&
           (access == NodeAccess::single_user || occupant.access == NodeAccess::single_user);
  });
}

/// True if the placements have a node in common.
inline bool share_a_node(const Placement& a, const Placement& b) {
  const auto first = a.parts(), second = b.parts();
  return std::any_of(first.begin(), first.end(), [&](const Placement::Part& part) {
    return std::any_of(second.begin(), second.end(), [&](const Placement::Part& other) {
      return part.nodes.first < other.nodes.end && other.nodes.first < part.nodes.end;
    });
  });
}

}  // namespace maui
