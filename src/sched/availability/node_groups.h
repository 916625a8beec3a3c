// Groups of nodes that are equal now and in future.
//
// A group is a node timeline and the nodes that have it.  Timelines are interned: nodes that become
// equal share a group.  Changes move nodes between groups; a log notes by how many nodes each group
// grew or shrank, for readers that keep sums over groups.
//
// A trial is a sequence of moves; its end undoes the moves in reverse, to the same groups.
#pragma once
#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/node_runs.h"
#include "sched/availability/group_map.h"
#include "sched/availability/node_timeline.h"

namespace maui::availability {

using GroupId = std::uint32_t;

struct NodeGroup {
  NodeTimeline timeline;
  NodeRuns nodes;
  std::uint64_t generation = 0;  // changes whenever the group number gets another timeline
  Time moment = kForever;        // the first absolute time in the timeline
};

class NodeGroups {
 public:
  struct Change {
    GroupId group;
    int nodes;  // number of nodes that joined (left, if negative)
  };
  /// Edits a timeline; returns false if it leaves the timeline unchanged.
  using Edit = std::function<bool(NodeTimeline&)>;

  /// Resets to empty nodes of these kinds.
  void begin(std::span<const std::uint32_t> kinds, Time now);
  Time now() const { return now_; }
  std::uint32_t node_count() const { return map_.nodes(); }

  /// Edits the timelines of these nodes; returns how many nodes have changed.
  int edit(const NodeRuns& nodes, const Edit& edit);

  struct Assigned {
    NodeRun nodes;
    NodeTimeline timeline;
  };
  /// Sets the timeline of each of these runs.  Walks the nodes of a group once, however many runs
  /// leave it.  Requires that the runs ascend and that no trial is under way.
  void set(std::span<const Assigned> all);
  /// Moves time on.  Requires that no trial is under way.
  void advance(Time now);

  /// The upper bound of group numbers; some groups have no nodes.
  GroupId end() const { return static_cast<GroupId>(groups_.size()); }
  const NodeGroup& group(GroupId group) const { return groups_[group]; }
  GroupId group_of(std::uint32_t node) const { return map_.group_of(node); }
  /// The segments of nodes with their groups.
  const GroupMap& map() const { return map_; }
  /// Returns the groups on which that reservation stands; some may have no nodes any more.
  std::span<const GroupId> reserved_by(std::uint32_t reservation) const {
    return reservation < reserved_.size() ? reserved_[reservation].groups
                                          : std::span<const GroupId>();
  }
  /// The number of groups that have nodes.
  std::size_t filled() const { return filled_count_; }
  /// Calls visit(group) for the groups that have nodes, in ascending order.
  template <class Visit>
  void each_filled(const Visit& visit) const {
    for (auto id = filled_.find_first(); id != filled_.npos; id = filled_.find_next(id))
      visit(static_cast<GroupId>(id));
  }
  /// The number of uses and blocks in all stored timelines, including those that no node has any
  /// more: a measure of the memory that the model takes while a trial is under way.
  std::size_t stored() const { return stored_; }

  /// The log covers `log_begin` to `log_end`; readers that are behind must start anew.
  std::uint64_t log_begin() const { return log_begin_; }
  std::uint64_t log_end() const { return log_begin_ + log_.size(); }
  /// Returns the log from that position on.  Requires log_begin() <= from.
  std::span<const Change> log(std::uint64_t from);
  /// Adds up changes: each group once that all of them together made grow or shrink.  The result is
  /// valid until the next call.
  std::span<const Change> net(std::span<const Change> changes);
  /// Returns the log positions, from `from` on, of groups on which that reservation stands.
  std::span<const std::uint64_t> logged(std::uint32_t reservation, std::uint64_t from) const;
  const Change& logged_at(std::uint64_t place) const { return log_[place - log_begin_]; }

  /// Trials nest: the last one to begin is the first one to end.
  std::size_t begin_trial();
  void undo_trial(std::size_t begun);

 private:
  struct Move {
    GroupId from, to;
    NodeRuns nodes;
    std::uint64_t logged;  // position in the log
  };
  struct Moment {
    Time when;
    GroupId group;
    std::uint64_t generation;
    friend bool operator<(const Moment& a, const Moment& b) { return a.when > b.when; }
  };

  struct Reserved {  // by one reservation
    std::vector<GroupId> groups;
    std::vector<std::uint64_t> logged;  // their positions in the log
  };

  /// One of several moves that are carried out together.
  struct Step {
    GroupId from, to;
    NodeRun nodes;
  };

  GroupId intern(const NodeTimeline& timeline);
  GroupId unused_group();
  void add_nodes(GroupId group, const NodeRuns& nodes);
  void remove_nodes(GroupId group, const NodeRuns& nodes);
  void leave(std::span<const Step> steps);
  void arrive(std::span<const Step> steps);
  void move(GroupId from, GroupId to, const NodeRuns& nodes);
  void note(GroupId group, int nodes);
  void take_back_note();
  void clear_log();
  void note_reservations(GroupId group);
  void collect(const NodeRuns& nodes);
  void add_to_index(GroupId group);
  void grow_index();
  void sweep();

  Time now_{0};
  GroupMap map_;
  std::vector<NodeGroup> groups_;
  std::vector<GroupId> unused_;
  std::vector<std::uint64_t> hashes_;  // by group
  std::vector<GroupId> index_;         // open addressing by hash; the size is a power of two
  std::vector<Reserved> reserved_;     // by reservation
  boost::dynamic_bitset<> filled_;     // the groups that have nodes
  std::size_t interned_ = 0, filled_count_ = 0, stored_ = 0;
  std::uint64_t generations_ = 0;
  std::vector<Moment> moments_;  // a heap by time; may refer to groups that are gone
  std::vector<Change> log_;
  std::uint64_t log_begin_ = 0, log_read_ = 0;
  std::vector<Move> journal_;
  int trials_ = 0;
  // Kept only to save allocations.
  std::vector<GroupMap::Segment> segments_;
  std::vector<std::pair<GroupId, NodeRuns>> parts_;
  std::vector<int> net_by_group_;  // zeros
  std::vector<Change> net_;
  NodeTimeline edited_;
};

}  // namespace maui::availability
