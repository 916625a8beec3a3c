// The questions that jobs ask of availability.
//
// A class of question is all of a request but its count and its duration: how large a task is, on
// which kinds of nodes it may be, whom it bears there, which reservations admit it.  Jobs that ask
// alike share what is remembered for their class.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/resources.h"
#include "maui/units.h"

namespace maui {
enum class NodeAccess : std::uint8_t;
enum class Affinity : std::uint8_t;
struct Requirement;
}  // namespace maui

namespace maui::availability {

class NodeRuns;

/// How jobs of a class may use one reservation.
struct Terms {
  std::uint32_t reservation = 0;
  Seconds overlap = kUnlimited;  // they may run no longer than this while it lasts
  Affinity affinity{};
  friend bool operator==(const Terms&, const Terms&) = default;
};

struct QuestionClass {
  Resources per_task{1};
  NodeAccess access{};
  UserId user;               // invalid where it does not matter who asks
  std::vector<char> serves;  // by attributes of kinds of nodes; further ones do not serve
  std::vector<Terms> terms;  // by reservation
  bool confined = false;     // to the reservations of `terms`
  friend bool operator==(const QuestionClass&, const QuestionClass&) = default;
};

/// The number of a class in the model.
using ClassId = std::uint32_t;

struct Question {
  ClassId of = 0;
  int tasks = 1;
  Seconds duration{1};
  /// How long the job stays, where it asks for room for longer: what time limits of access look at.
  Seconds stay{1};
  /// Node counts and tasks per node, where they matter; its tasks are `tasks`.
  const Requirement* shape = nullptr;
  /// Only these nodes; nullptr: all.
  const NodeRuns* among = nullptr;
  /// Each of these nodes must take a task; nothing fits where one is not `among`.
  const NodeRuns* each_of = nullptr;
  /// Which requirement of the request it is: what a placement says of its tasks.
  std::uint32_t requirement = 0;
};

}  // namespace maui::availability
