// A node's timeline: its kind, the uses that jobs make of it from when to when, and the amounts
// that reservations keep of it.
//
// It is a value and names no job, so that nodes with equal futures have equal timelines, whoever
// made them. Times are absolute, but for two symbols: kAlways, a start that is past, and kOverdue,
// an end that is past though the user is still there.  Such a user may end at any moment, but not
// before the next one: kOverdue is one second from now, whenever that is.  So time that passes
// changes nothing.
//
// Invariants: no time in it is past; uses and blocks are sorted.  Equal timelines are equal values.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"

namespace maui {
enum class NodeAccess : std::uint8_t;
}

namespace maui::availability {

inline constexpr Time kAlways{-2}, kOverdue{-1};

/// When a symbol is, or an absolute time.
inline Time resolved(Time when, Time now) {
  return when == kAlways ? now : when == kOverdue ? now + Seconds(1) : when;
}

/// A job on the node: active, starting in this cycle, or with a priority reservation.  Amounts and
/// reservations stand in the model's tables.
struct Use {
  Time start = kAlways, end = kForever;
  std::uint32_t amount = 0;  // of everything that it has of the node
  std::uint32_t inside = 0;  // the reservations in which it works; 0: none
  UserId user;               // invalid where nobody asks whose it is
  NodeAccess access{};
  bool own = false;  // of the job that is being planned: no company to its other tasks
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
  /// From now on, for so long, the node takes no jobs; kUnlimited: it is not known how long.
  Seconds closed{0};

  const std::vector<Use>& uses() const { return uses_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  void add(const Use& use);
  void add(const Block& block);
  /// Takes away one that is equal; false if there is none.
  bool remove(const Use& use);
  bool remove(const Block& block);

  /// True if a use or a block begins some time: else what is free outside of blocks only grows.
  bool begins() const;
  /// The first absolute time in it; kForever if there is none.
  Time first_moment() const;
  /// The same timeline at a later time: what is past by then becomes a symbol, or goes.
  void advance(Time now);
  std::uint64_t hash() const;
  friend bool operator==(const NodeTimeline&, const NodeTimeline&) = default;

 private:
  std::vector<Use> uses_;
  std::vector<Block> blocks_;
};

/// As they stand in a timeline at that time.
Use at_time(Use use, Time now);
Block at_time(Block block, Time now);

}  // namespace maui::availability
