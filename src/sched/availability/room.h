// How many tasks of a question a node has room for, as a function of time.
//
// The rules of the company that jobs keep stand here: who shares a node with whom
// (NODEACCESSPOLICY), how many jobs a node bears (MAXJOB, MAXJOBPERUSER), what reservations keep
// from whom. A job works inside the reservations that admit it: what it uses is not kept a second
// time.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"
#include "sched/availability/node_timeline.h"
#include "sched/availability/profile.h"
#include "sched/availability/question.h"
#include "sched/availability/tables.h"

namespace maui::availability {

/// The tasks that fit from then on.  Times are those of the timeline, symbols included.
struct RoomStep {
  Time from = kAlways;
  int tasks = 0;
  friend bool operator==(const RoomStep&, const RoomStep&) = default;
};

/// The time in which a job would be there; decides which reservations admit it for its whole stay.
struct Stay {
  Time start{0};
  Seconds length{1};
};

/// How the class may use the reservation; nullptr: not at all.
const Terms* terms_of(const QuestionClass& of, std::uint32_t reservation);
/// The terms of a class admit to the block a job with that stay; without one, only terms with no
/// time limit do.
bool admits(const QuestionClass& of, const Block& block, const Stay* stay);
/// True if a job's start decides whether some block of the timeline admits it.
bool depends_on_start(const QuestionClass& of, const NodeTimeline& timeline);
/// How much a job is drawn to the node by the reservations that stand at any moment of its stay;
/// neutral where there is none.
Affinity affinity_of(const QuestionClass& of, const NodeTimeline& timeline, const Stay& stay,
                     Time now);

class RoomReader {
 public:
  explicit RoomReader(const Tables& tables) : tables_(tables) {}
  const Tables& tables() const { return tables_; }

  /// Writes the free resources and the company that the class would find; `timeline.closed` aside.
  void profile(const NodeTimeline& timeline, const QuestionClass& of, const Stay* stay,
               Profile& out);
  /// The tasks that fit; at least one step, neighbours differ.
  void steps(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size,
             const Stay* stay, std::vector<RoomStep>& out);
  /// The first of them.
  int tasks_at_once(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size);

 private:
  /// The moments at which something begins or ends on the node, into times_.
  void look_up_times(const NodeTimeline& timeline);
  Presence free_at(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                   const Stay* stay);
  void take_blocks(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                   const Stay* stay, Presence& presence);

  const Tables& tables_;
  std::vector<Resources::Quantity> free_, kept_, room_, held_;  // by consumable
  std::vector<Time> times_;
  struct Inside {  // a use with what no block has covered of it yet
    const Use* use;
    std::vector<Resources::Quantity> left;
  };
  std::vector<Inside> inside_;
};

// --- steps ------------------------------------------------------------------

/// The step that holds at that time.
const RoomStep& step_at(const std::vector<RoomStep>& steps, Time now, Time when);
/// The least room in [start, start + duration).
int least_room(const std::vector<RoomStep>& steps, Time now, Time start, Seconds duration);
/// The first time from `after` on at which there is room for fewer than `tasks`; kForever: never.
Time less_from(const std::vector<RoomStep>& steps, Time now, Time after, int tasks);
/// Appends to `out` how the room for a start that lasts for `duration` goes on in [from, bound]:
/// the first step is at `from`.
void rooms_to_start(const std::vector<RoomStep>& steps, Time now, Time from, Time bound,
                    Seconds duration, std::vector<RoomStep>& out);

}  // namespace maui::availability
