// Events that cause notifications (guide 14.4).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/enum_names.h"

namespace maui {

enum class EventType : std::uint8_t {
  bank_failure,
  checkpoint_failure,
  job_corruption,
  job_hold,
  job_wc_violation,
  node_down,
  node_up,
  reservation_corruption,
  reservation_created,
  reservation_destroyed,
  rm_failure,
  statistics_failure,
};

/// An event: a message, or for reservation events the words that the guide lists.
struct Event {
  EventType type;
  std::vector<std::string> words;
  /// The user, or others, who can cause any number of such events; empty: none of them.
  std::string party = {};
};

/// The guide's names of event types, such as "JOBHOLD".
std::span<const EnumName<EventType>> event_names();

}  // namespace maui
