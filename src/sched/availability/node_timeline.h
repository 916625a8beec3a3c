// A node's timeline: its kind, the uses that jobs make of it over time, and the amounts that
// reservations keep of it.
//
// A timeline is a value and names no job, so that nodes with equal futures have equal timelines,
// whichever jobs caused them.  Times are absolute except for two symbols: kAlways, a start in the
// past, and kOverdue, a past end of a job that is still there.  Such a job may end at any time, but
// not before the next second: kOverdue always stands for one second from now, and the
// passing of time changes nothing.
//
// Invariants: no time is in the past; uses and blocks are sorted.  Equal timelines compare equal.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"

namespace maui {
enum class NodeAccess : std::uint8_t;
}

namespace maui::availability {

inline constexpr Time kAlways{-2}, kOverdue{-1};

/// Converts a symbol to an absolute time; returns an absolute time unchanged.
inline Time resolved(Time when, Time now) {
  return when == kAlways ? now : when == kOverdue ? now + Seconds(1) : when;
}

/// A job on the node: active, starting in this cycle, or with a priority reservation.  Amounts and
/// reservations are numbers of the model's tables.
struct Use {
  Time start = kAlways, end = kForever;
  std::uint32_t amount = 0;  // everything that the job has of the node
  std::uint32_t inside = 0;  // the reservations in which it runs; 0: none
  UserId user;               // invalid if the user does not matter
  NodeAccess access{};
  bool own = false;  // of the job that is being planned: no conflict with its other tasks
  friend auto operator<=>(const Use&, const Use&) = default;
};

/// The share of the node that a reservation keeps.
struct Block {
  std::uint32_t reservation = 0;
  Time start = kAlways, end = kForever;
  std::uint32_t amount = 0;
  friend auto operator<=>(const Block&, const Block&) = default;
};

class NodeTimeline {
 public:
  std::uint32_t kind = 0;
  /// The node takes no jobs from now on for this long; kUnlimited: for an unknown time.
  Seconds closed{0};

  const std::vector<Use>& uses() const { return uses_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  void add(const Use& use);
  void add(const Block& block);
  /// Removes a use or block that is equal; false if there is none.
  bool remove(const Use& use);
  bool remove(const Block& block);

  /// True if a use or a block begins later; otherwise what is free outside of blocks only grows.
  bool begins() const;
  /// Returns the first absolute time in the timeline; kForever if there is none.
  Time first_moment() const;
  /// Moves to a later time: times that are past by then become symbols or disappear.
  void advance(Time now);
  std::uint64_t hash() const;
  friend bool operator==(const NodeTimeline&, const NodeTimeline&) = default;

 private:
  std::vector<Use> uses_;
  std::vector<Block> blocks_;
};

/// Return the use or block as a timeline at that time stores it.
Use at_time(Use use, Time now);
Block at_time(Block block, Time now);

}  // namespace maui::availability
