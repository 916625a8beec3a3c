// The parts of a restored checkpoint that still wait for the report of their job or node.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/checkpoint.h"

namespace maui {

struct PendingRestore {
  std::optional<Time> when;                               // the checkpoint was written
  std::unordered_map<std::string, CheckpointedJob> jobs;  // by name: not reported again yet
  std::vector<CheckpointedReservation> reservations;      // nodes of which are not known yet
  bool charges = false;                                   // it says how much of each run is charged
  std::optional<Time> unaccounted_since;  // `when`, until the time since has been accounted
};

}  // namespace maui
