// Computes how many tasks of a question a node has room for, as a function of time.
//
// This file holds the rules for jobs that share a node: which jobs share it
// (NODEACCESSPOLICY), how many jobs a node takes (MAXJOB, MAXJOBPERUSER), what reservations
// keep from jobs.  A job runs inside the reservations that admit it, so its use is not
// subtracted twice.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"
#include "sched/availability/node_timeline.h"
#include "sched/availability/profile.h"
#include "sched/availability/question.h"
#include "sched/availability/tables.h"

namespace maui::availability {

/// The tasks that fit from `from` on.  Times are those of the timeline, including symbols.
struct RoomStep {
  Time from = kAlways;
  int tasks = 0;
  friend bool operator==(const RoomStep&, const RoomStep&) = default;
};

/// The time frame of a job; it decides which reservations admit the job for its whole run.
struct Stay {
  Time start{0};
  Seconds length{1};
};

/// Returns how the class may use the reservation; nullptr: not at all.
const Terms* terms_of(const QuestionClass& of, std::uint32_t reservation);
/// True if the terms of a class admit a job with that stay to the block; without a stay, only terms
/// without a time limit count.
bool admits(const QuestionClass& of, const Block& block, const Stay* stay);
/// True if the start of a job decides whether some block of the timeline admits it.
bool depends_on_start(const QuestionClass& of, const NodeTimeline& timeline);
/// Calls `visit` with the times from which a different set of reservations admits a job of that
/// length that starts: where it can no longer end within a time limit, and where it can begin
/// within one.
template <class Visit>
void each_admission_cut(const QuestionClass& of, const NodeTimeline& timeline, Seconds length,
                        const Visit& visit) {
  for (const auto& block : timeline.blocks()) {
    const auto* terms = terms_of(of, block.reservation);
    if (!terms || terms->overlap >= kUnlimited) continue;
    if (block.start > kAlways) visit(block.start + terms->overlap - length + Seconds(1));
    if (block.end < kForever) visit(block.end - terms->overlap);
  }
}
/// Returns the affinity to the node of a job, by the reservations that stand there at any time of
/// its stay; neutral if there are none.
Affinity affinity_of(const QuestionClass& of, const NodeTimeline& timeline, const Stay& stay,
                     Time now);

class RoomReader {
 public:
  explicit RoomReader(const Tables& tables) : tables_(tables) {}
  const Tables& tables() const { return tables_; }

  /// Writes the free resources and other jobs that the class would find; ignores timeline.closed.
  void profile(const NodeTimeline& timeline, const QuestionClass& of, const Stay* stay,
               Profile& out);
  /// Writes the tasks that fit: at least one step; adjacent steps differ.
  void steps(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size,
             const Stay* stay, std::vector<RoomStep>& out);
  /// Returns the tasks of the first step.
  int tasks_at_once(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size);

 private:
  /// Writes the times at which something begins or ends on the node to times_.
  void look_up_times(const NodeTimeline& timeline);
  Presence free_at(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                   const Stay* stay);
  /// steps() on a node without reservations: one sweep over the times at which uses begin and end.
  void sweep(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size,
             std::vector<RoomStep>& out);
  void take_blocks(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                   const Stay* stay, Presence& presence);
  template <class AmountOf>
  void subtract(const Block& block, Presence& presence, const AmountOf& amount_of);
  void begin_to_cover(const NodeTimeline& timeline);
  void cover(const Block& block);
  void confine(Time when, const NodeTimeline& timeline, const QuestionClass& of, const Stay* stay);

  const Tables& tables_;
  std::vector<Resources::Quantity> free_, kept_, room_, held_;  // by consumable
  std::vector<Time> times_;
  struct Inside {  // a use, with the amounts not covered by a block so far
    const Use* use;
    std::vector<Resources::Quantity> left;
  };
  std::vector<Inside> inside_;
  struct Change {  // a use begins or ends
    Time when;
    const Use* use;
    int times;  // 1: begins, -1: ends
    friend bool operator<(const Change& a, const Change& b) { return a.when < b.when; }
  };
  std::vector<Change> changes_;
  std::vector<std::int64_t> left_;  // by consumable: below zero if jobs have more than there is
};

// --- steps ------------------------------------------------------------------

/// Returns the step that holds at that time.
const RoomStep& step_at(const std::vector<RoomStep>& steps, Time now, Time when);
/// Returns the least room in [start, start + duration).
int least_room(const std::vector<RoomStep>& steps, Time now, Time start, Seconds duration);
/// Returns the first time from `after` on with room for fewer than `tasks`; kForever: never.
Time less_from(const std::vector<RoomStep>& steps, Time now, Time after, int tasks);
/// Appends to `out` the room for starts of that duration in [from, bound]; the first step is at
/// `from`.
void rooms_to_start(const std::vector<RoomStep>& steps, Time now, Time from, Time bound,
                    Seconds duration, std::vector<RoomStep>& out);

}  // namespace maui::availability
