// The nodes as groups of those that are equal now and in future.
//
// A group is a node timeline and the nodes that have it.  Timelines are interned: nodes that come
// to be equal are in one group again.  What happens to nodes moves them to other groups; a log
// notes by how many nodes each group grew or shrank, for those who keep sums over groups.
//
// A trial is a stretch of moves that is undone backwards, to the same groups.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sched/availability/group_map.h"
#include "sched/availability/node_runs.h"
#include "sched/availability/node_timeline.h"

namespace maui::availability {

using GroupId = std::uint32_t;

struct NodeGroup {
  NodeTimeline timeline;
  NodeRuns nodes;
  std::uint64_t generation = 0;  // no other timeline that bears this number had it
  Time moment = kForever;        // the first absolute time in the timeline
};

class NodeGroups {
 public:
  struct Change {
    GroupId group;
    int nodes;  // that came, or went if negative
  };
  /// Edits a timeline; false where it leaves it as it is.
  using Edit = std::function<bool(NodeTimeline&)>;

  /// Nodes of these kinds, with nothing on them.
  void begin(std::span<const std::uint32_t> kinds, Time now);
  Time now() const { return now_; }
  std::uint32_t node_count() const { return map_.nodes(); }

  /// Edits the timelines of these nodes; returns how many nodes have another one now.
  int edit(const NodeRuns& nodes, const Edit& edit);

  struct Assigned {
    NodeRun nodes;
    NodeTimeline timeline;
  };
  /// Gives each of these runs its timeline.  However many leave one group, its nodes are walked
  /// once.  Requires that the runs ascend and that no trial is under way.
  void set(std::span<const Assigned> all);
  /// Time passes.  Requires that no trial is under way.
  void advance(Time now);

  /// Group numbers are below this; some groups have no nodes.
  GroupId end() const { return static_cast<GroupId>(groups_.size()); }
  const NodeGroup& group(GroupId group) const { return groups_[group]; }
  GroupId group_of(std::uint32_t node) const { return map_.group_of(node); }
  /// The nodes by segments, and the groups that they are in.
  const GroupMap& map() const { return map_; }
  /// The groups with nodes on which that reservation stands, and others that had been such.
  std::span<const GroupId> reserved_by(std::uint32_t reservation) const {
    return reservation < reserved_.size() ? reserved_[reservation].groups
                                          : std::span<const GroupId>();
  }
  /// Groups that have nodes.
  std::size_t filled() const { return filled_; }
  /// Uses and blocks of all timelines together, those included that no node has any more: what the
  /// model takes of memory grows with it while a trial is under way.
  std::size_t stored() const { return stored_; }

  /// The log is kept from `log_begin` to `log_end`; readers that are behind start anew.
  std::uint64_t log_begin() const { return log_begin_; }
  std::uint64_t log_end() const { return log_begin_ + log_.size(); }
  /// Requires log_begin() <= from.
  std::span<const Change> log(std::uint64_t from);
  /// The places in the log, from there on, of groups on which that reservation stands.
  std::span<const std::uint64_t> logged(std::uint32_t reservation, std::uint64_t from) const;
  const Change& logged_at(std::uint64_t place) const { return log_[place - log_begin_]; }

  /// Trials nest: the one begun last ends first.
  std::size_t begin_trial();
  void undo_trial(std::size_t begun);

 private:
  struct Move {
    GroupId from, to;
    NodeRuns nodes;
    std::uint64_t logged;  // where in the log
  };
  struct Moment {
    Time when;
    GroupId group;
    std::uint64_t generation;
    friend bool operator<(const Moment& a, const Moment& b) { return a.when > b.when; }
  };

  struct Reserved {  // by one reservation
    std::vector<GroupId> groups;
    std::vector<std::uint64_t> logged;  // where in the log these are
  };

  /// One of many moves that are carried out together.
  struct Step {
    GroupId from, to;
    NodeRun nodes;
  };

  GroupId intern(const NodeTimeline& timeline);
  void leave(std::span<const Step> steps);
  void arrive(std::span<const Step> steps);
  void move(GroupId from, GroupId to, const NodeRuns& nodes);
  void note(GroupId group, int nodes);
  void take_back_note();
  void clear_log();
  void note_reservations(GroupId group);
  void collect(const NodeRuns& nodes);
  void grow_index();
  void sweep();

  Time now_{0};
  GroupMap map_;
  std::vector<NodeGroup> groups_;
  std::vector<GroupId> unused_;
  std::vector<std::uint64_t> hashes_;  // by group
  std::vector<GroupId> index_;         // open addressing by hash; a power of two of places
  std::vector<Reserved> reserved_;     // by reservation
  std::size_t interned_ = 0, filled_ = 0, stored_ = 0;
  std::uint64_t generations_ = 0;
  std::vector<Moment> moments_;  // a heap, the first on top; some of groups that are gone
  std::vector<Change> log_;
  std::uint64_t log_begin_ = 0, log_read_ = 0;
  std::vector<Move> journal_;
  int trials_ = 0;
  // Kept only to save allocations.
  std::vector<GroupMap::Segment> segments_;
  std::vector<std::pair<GroupId, NodeRuns>> parts_;
  NodeTimeline edited_;
};

}  // namespace maui::availability
