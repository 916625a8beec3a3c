// The parts of a restored checkpoint that still wait for the report of their job or node.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "maui/cluster.h"
#include "maui/placement.h"
#include "maui/units.h"

namespace maui {

struct PendingRestore {
  std::optional<Time> when;                               // the checkpoint was written
  std::unordered_map<std::string, CheckpointedJob> jobs;  // by name: not reported again yet
  std::vector<CheckpointedReservation> reservations;      // nodes of which are not known yet
  bool charges = false;                                   // it says how much of each run is charged
  std::optional<Time> unaccounted_since;  // `when`, until the time since has been accounted
};

/// Returns the part of these shares that is on nodes which are known.
Placement known_part(const Cluster& cluster, const std::vector<NamedShare>& shares);
/// True if the job of that name that is reported now is the one that was known then.
bool is_same_job(const CheckpointedJob& saved, Time submitted);

}  // namespace maui
