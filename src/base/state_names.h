// The guide's names of states and holds, as commands and the log display them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "maui/job.h"
#include "maui/node.h"

namespace maui {

inline constexpr std::array<EnumName<JobState>, 7> kJobStateNames{{
    {JobState::not_queued, "NotQueued"},
    {JobState::idle, "Idle"},
    {JobState::starting, "Starting"},
    {JobState::running, "Running"},
    {JobState::suspended, "Suspended"},
    {JobState::completed, "Completed"},
    {JobState::removed, "Removed"},
}};

inline constexpr std::array<EnumName<NodeState>, 7> kNodeStateNames{{
    {NodeState::unknown, "Unknown"},
    {NodeState::idle, "Idle"},
    {NodeState::running, "Running"},
    {NodeState::busy, "Busy"},
    {NodeState::drained, "Drained"},
    {NodeState::draining, "Draining"},
    {NodeState::down, "Down"},
}};

/// A hold, and the state shown for a waiting job with it; with several holds, the first one counts.
struct HoldName {
  Hold hold;
  std::string_view name, state;
};
inline constexpr std::array<HoldName, 4> kHoldNames{{
    {Hold::batch, "Batch", "BatchHold"},
    {Hold::system, "System", "SystemHold"},
    {Hold::user, "User", "UserHold"},
    {Hold::defer, "Defer", "Deferred"},
}};

inline std::string_view state_name(JobState state) {
  return name_of<JobState>(kJobStateNames, state);
}
inline std::string_view state_name(NodeState state) {
  return name_of<NodeState>(kNodeStateNames, state);
}

/// Returns those of "User", "System", "Batch" and "Defer" that are set.
inline std::vector<std::string> hold_names(std::uint8_t holds) {
  std::vector<std::string> names;
  for (const HoldName& row : kHoldNames)
    if (has(holds, row.hold)) names.emplace_back(row.name);
  return names;
}

}  // namespace maui
