// The open nodes as jobs of one access set see them: groups of equal ones.
//
// Nodes are equal that are of one kind and partition, draw these jobs alike, and have the same
// worst ahead of them up to each moment; groups that begin alike share a Beginning, since most
// questions are answered by it.
//
// Only nodes with a reservation that admits the set look other to it than to those who may use
// none.  Its view has groups of these alone, its own ones; for all others it lies over the base,
// the view of set 0.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"
#include "sched/availability/access_sets.h"
#include "sched/availability/profile.h"
#include "sched/placement/attraction.h"

namespace maui {

/// Rooms once found for questions that differ in their duration only.  As long as room only gets
/// less, there is no more of it later, and none for longer.
class RoomBounds {
 public:
  /// So many tasks fitted for `duration`.
  void note(Seconds duration, long long tasks);
  /// At most so many fit now.
  long long most(Seconds duration) const;
  void clear() { known_.clear(); }

 private:
  std::vector<std::pair<Seconds, long long>> known_;  // longer durations, ever fewer tasks
};

class OpenView {
 public:
  struct Group {
    Attraction attraction;
    std::uint32_t beginning = 0;
    std::uint32_t place = 0;    // in groups(), while there is a node in it
    std::uint64_t hash = 0;     // of all that makes it
    Profile worst;              // of what lies ahead
    std::vector<NodeId> nodes;  // in order; may hold nodes that have moved on: holds() tells
  };
  /// What a group's nodes are, and have free now.
  struct Beginning {
    std::uint32_t kind = 0;
    PartitionId partition;
    Profile now;              // one level
    std::uint64_t asked = 0;  // by which question last
    int tasks = 0;            // the answer
  };
  /// A group that has nodes, as a walk over all of them needs it.
  struct Summary {
    std::uint32_t group = 0, beginning = 0;
    int size = 0;
    Attraction attraction;
    Time changes = kForever;  // from when on there may be less than now
    Time full = kForever;     // from when on there is no processor
  };

  /// A view with no nodes.  `whole`: all nodes will be its own; else those that it claims.
  void begin(AccessSet set, std::size_t nodes, bool whole);
  AccessSet set() const { return set_; }
  bool whole() const { return whole_; }

  /// The node is its own from now on.
  void claim(NodeId node);
  bool owns(NodeId node) const { return group_of_[node.index()] != kOther; }
  /// Those that it has claimed.
  std::span<const NodeId> claimed() const { return claimed_; }

  /// One of its own nodes is as this says from now on.
  void place(NodeId node, std::uint32_t kind, PartitionId partition, const Attraction& attraction,
             const Profile& worst);
  /// One of its own nodes is not open.
  void leave(NodeId node);

  std::span<const Summary> groups() const { return filled_; }
  /// How many groups there have been: their numbers are less.
  std::size_t group_count() const { return used_; }
  const Group& group(std::uint32_t number) const { return groups_[number]; }
  Beginning& beginning(std::uint32_t number) { return beginnings_[number]; }
  /// The node is open, and in that group.
  bool holds(std::uint32_t group, NodeId node) const { return group_of_[node.index()] == group; }
  /// The node's group; nullptr where it is not open.
  const Summary* group_of(NodeId node) const {
    const auto group = group_of_[node.index()];
    return group >= kOther ? nullptr : &filled_[groups_[group].place];
  }
  /// Free processors of its own open nodes.
  long long free_procs() const { return free_procs_; }

  /// By what is asked for, in the numbering of the timeline.
  RoomBounds& bounds(std::uint64_t question) { return bounds_[question]; }
  void forget_bounds() { bounds_.clear(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kOther = kNone - 1;  // the base's

  std::uint32_t find(std::uint32_t kind, PartitionId partition, const Attraction& attraction,
                     const Profile& worst);
  std::uint32_t find_beginning(std::uint32_t kind, PartitionId partition, const Profile& worst);
  void grow_index();
  void fill(std::uint32_t group);
  void empty(std::uint32_t group);

  AccessSet set_ = 0;
  bool whole_ = true;
  long long free_procs_ = 0;
  std::vector<std::uint32_t> group_of_;  // by node; kNone: it is not open
  std::vector<NodeId> claimed_;
  std::deque<Group> groups_;  // those in use first
  std::size_t used_ = 0;
  std::vector<std::uint32_t> index_;  // groups; open addressing by hash; a power of two of places
  std::vector<Summary> filled_;       // of groups with nodes, in no particular order
  std::vector<Beginning> beginnings_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> beginnings_by_hash_;
  std::unordered_map<std::uint64_t, RoomBounds> bounds_;
};

}  // namespace maui
