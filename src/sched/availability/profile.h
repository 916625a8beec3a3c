// The free resources of one node, and the other jobs there, as a function of time.
//
// A Profile is a step function stored as flat sorted vectors.  Level i holds from
// level(i).from until level(i + 1).from, the last level for ever.  Amounts are
// dense: one Quantity for each consumable that the cluster knows, in the order of
// its table.
//
// Invariants (Profile::check() in the tests): there is at least one level; `from` strictly
// increases; no two adjacent levels are equal in everything else.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

/// The nonzero resources of a task: consumable and amount.
using TaskSize = std::vector<std::pair<std::uint32_t, Resources::Quantity>>;
TaskSize task_size(const Resources& task);

/// The other jobs on the node.  `user` and `owner` are set only where SINGLEUSER is in use.
struct Presence {
  std::int32_t jobs = 0;       // jobs and reservations that take something
  std::int32_t exclusive = 0;  // how many of them share the node with no other job
  UserId user;                 // whose jobs are there
  UserId owner;                // the user that has the node exclusively
  bool several = false;        // jobs of more than one user, or reservations, are there
  // Jobs that count towards the node's MAXJOB, where it has one, and reservations.
  std::int32_t limited = 0;
  friend bool operator==(const Presence&, const Presence&) = default;
};

/// Returns how many of `task` these free resources hold.
inline Resources::Quantity tasks_in(std::span<const Resources::Quantity> free,
                                    const TaskSize& task) {
  constexpr Resources::Quantity kMany = 0x7fffffff;
  auto most = kMany;
  for (const auto& [what, amount] : task) {
    const auto there = free[what];
    const auto held = there <= 0 ? 0 : amount == 1 ? there : there / amount;
    if (held < most) most = held;
  }
  return most;
}

class Profile {
 public:
  using Quantity = Resources::Quantity;
  struct Level {
    Time from{0};
    Presence presence;
    friend bool operator==(const Level&, const Level&) = default;
  };

  /// Resets to one level from `now` on: no jobs, everything free.  `consumables`: their number.
  void reset(Time now, const Resources& configured, std::size_t consumables);

  /// Lets a job take (sign -1) or give back (+1) `amount` in [start, end); `limited`: the job
  /// counts towards MAXJOB.
  void change(Time start, Time end, const Resources& amount, int sign, bool exclusive,
              bool limited = false);
  /// Appends a level after the last one.
  void append(Time from, const Presence& presence, std::span<const Quantity> free);
  void append(Time from, const Presence& presence, const Resources& free);
  /// Returns a profile that keeps the first level for ever.
  Profile first_level() const;

  std::size_t size() const { return levels_.size(); }
  const Level& level(std::size_t i) const { return levels_[i]; }
  Level& level(std::size_t i) { return levels_[i]; }
  std::span<const Quantity> free(std::size_t i) const {
    return {free_.data() + i * width_, width_};
  }
  std::span<Quantity> free(std::size_t i) { return {free_.data() + i * width_, width_}; }
  /// Returns the level that holds at `when`; the first one for earlier times.
  std::size_t at(Time when) const;
  /// Returns how many of `task` the level's free resources hold.
  Quantity tasks(std::size_t i, const TaskSize& task) const { return tasks_in(free(i), task); }

  /// Sets this to the running worst of `other` since its start: for each t, what holds throughout
  /// [now, t).
  void set_to_worst_of(const Profile& other);
  std::uint64_t hash() const;
  bool check() const;
  friend bool operator==(const Profile&, const Profile&) = default;

 private:
  std::size_t split(Time when);  // returns the level that begins exactly then, made if needed
  void join(std::size_t i);      // drops level i if it equals the one before

  std::size_t width_ = 0;
  std::vector<Level> levels_;
  std::vector<Quantity> free_;  // width_ entries for each level
};

}  // namespace maui
