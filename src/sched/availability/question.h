// The questions that jobs put to the availability model.
//
// A class of question is all of a request except its count and duration: the size of a task, the
// usable kinds of nodes, the access to nodes, the reservations that admit it.  Jobs with equal
// questions share the cached answers of their class.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/request.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {
enum class Affinity : std::uint8_t;
class NodeRuns;
}  // namespace maui

namespace maui::availability {

/// The terms on which jobs of a class may use one reservation.
struct Terms {
  std::uint32_t reservation = 0;
  Seconds overlap = kUnlimited;  // they may run no longer than this during the reservation
  Affinity affinity{};
  friend bool operator==(const Terms&, const Terms&) = default;
};

struct QuestionClass {
  Resources per_task{1};
  JobAccess access;
  UserId user;               // invalid if the user does not matter
  std::vector<char> serves;  // by attributes of kinds of nodes; numbers beyond the end do not serve
  std::vector<Terms> terms;  // ordered by reservation
  bool confined = false;     // restricted to the reservations of `terms`
  friend bool operator==(const QuestionClass&, const QuestionClass&) = default;
};

/// The number of a class in the model.
using ClassId = std::uint32_t;

struct Question {
  ClassId of = 0;
  int tasks = 1;
  Seconds duration{1};
  /// The job's own run, which may be shorter than `duration`; time limits of access apply to it.
  Seconds stay{1};
  /// Node counts and tasks per node, if they matter; its task count equals `tasks`.
  const Requirement* shape = nullptr;
  /// Only these nodes; nullptr: all.
  const NodeRuns* among = nullptr;
  /// Each of these nodes must take a task; nothing fits if one of them is not in `among`.
  const NodeRuns* each_of = nullptr;
  /// The requirement of the request; a placement notes it with its tasks.
  std::uint32_t requirement = 0;
  friend bool operator==(const Question&, const Question&) = default;
};

}  // namespace maui::availability
