// Availability over time: which tasks fit where, now and later.
//
// A timeline is built from the cluster at the start of a cycle and only ever
// holds plans; the cluster is not touched.  It answers two questions, for one
// requirement of one job at a time:
//
//   fits_now   nodes for the whole duration from now on
//   earliest   the first moment from which there are such nodes
//
// and takes two changes: hold and release.
//
// How it is fast.  Most nodes have no future: what is free of them now can only
// grow.  Such nodes need no line of their own; open ones that are equal (kind,
// free resources, who is there) are judged as one group, and later moments are
// reached by walking the list of active jobs by their ends.  Nodes that a
// reservation touches, or on which this cycle places something, get a NodeLine.
// Groups of these are equal in the worst that lies ahead of them up to each
// moment: for a job that starts now nothing else matters.
//
// Exact: a property test compares every answer with one counter per second.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/access_sets.h"
#include "sched/node_choice.h"
#include "sched/node_line.h"

namespace maui {

/// Where and when something fits.
struct Slot {
  Time start{0};
  PartitionId partition;
  Placement placement;
};

class Timeline {
 public:
  /// `keep_job_reservations`: the priority reservations that the cluster has stand; else the cycle
  /// will make them anew.
  Timeline(const Cluster& cluster, const Settings& settings, Time now, bool keep_job_reservations);

  AccessSets& access_sets() { return sets_; }
  Time now() const { return now_; }

  /// An Ask for one requirement of a waiting job.
  Ask ask(const Job& job, const Request& request, std::uint32_t requirement = 0);

  /// Nodes on which the job can start now and stay for its limit, chosen by the allocation policy;
  /// only nodes that are free for `at_least`, where that is longer.
  std::optional<Slot> fits_now(const Job& job, const Request& request, Seconds at_least = Seconds(0));
  /// The earliest moment in [from, not_after] from which the job could run; with nodes.
  std::optional<Slot> earliest(const Job& job, const Request& request, Time from,
                               Time not_after = kForever);

  /// The job uses its placement from `start` on, for its limit.
  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  /// Takes back what hold() did, or drops the priority reservation that the job came with.
  void release(JobId job, const Placement& placement);

  /// Tasks of `ask` that fit on one node throughout [start, start + duration); by the plain way.
  int tasks_on(NodeId node, const Ask& ask, Time start) const;
  /// When, after `start`, the node first has room for fewer than `tasks`.
  Time room_until(NodeId node, const Ask& ask, Time start, int tasks) const;
  /// Free processors of open nodes.
  long long free_procs(AccessSet set);
  /// The moments at which what is free now becomes less, in order: where backfill windows end.
  std::vector<Time> window_ends(AccessSet set);

  /// The state of a node at one moment, and what lies ahead of it.
  Moment moment(NodeId node, Time when, AccessSet set, JobId self = {}) const;
  /// A line for any node, made on the fly where it has none.
  NodeLine line_of(NodeId node) const;

 private:
  struct Step {  // from then on, the worst since now
    Time from{0};
    Moment moment;
  };
  struct Group {
    std::uint32_t kind = 0;
    PartitionId partition;
    std::vector<Step> steps;
    std::vector<NodeId> nodes;  // in order; may hold nodes that have moved on: see View::group_of
    int size = 0;
  };
  struct View {  // open nodes as the jobs of one access set see them
    AccessSet set = 0;
    std::deque<Group> groups;
    std::unordered_multimap<std::size_t, std::uint32_t> by_hash;
    std::vector<std::uint32_t> group_of;  // by node
    long long free_procs = 0;
  };
  struct Serving {  // which kinds serve one requirement
    std::vector<std::vector<bool>> kinds;  // by requirement
  };
  struct Room {  // a sweep's notes of one node
    int tasks = 0, at_first = 0;
    Time since{0};
    bool seen = false;
  };
  struct Event {  // from `when` on, a node with a line has room for `tasks` starts
    Time when{0};
    NodeId node;
    int tasks = 0;
  };
  class Sweep;

  const std::vector<bool>& serving(const Ask& ask);
  NodeAccess access_on(NodeId node, const Ask& ask) const;
  int fitting(const Moment& moment, const Ask& ask, NodeId node) const;
  View& view(AccessSet set);
  void place_in_view(View& view, NodeId node);
  void leave_view(View& view, NodeId node);
  std::vector<Step> steps_of(NodeId node, AccessSet set) const;
  NodeLine& line(NodeId node);
  Time end_of(const Occupant& occupant) const;
  int simple_tasks(NodeId node, const Ask& ask, Time when) const;
  void starts_of(NodeId node, const Ask& ask, Time bound, std::vector<Event>& out) const;
  /// Tasks that each node of a group takes for the ask's duration, and when it first takes fewer.
  int tasks_in(const Group& group, const Ask& ask, Time& until) const;
  static bool alike(const std::vector<Step>& a, const std::vector<Step>& b);
  std::optional<Slot> fits_in(const Ask& ask, PartitionId partition);
  std::optional<Placement> fits_by_group(const Ask& ask, PartitionId partition, View& open);
  std::optional<Placement> fits_by_node(const Ask& ask, PartitionId partition, View& open);
  std::optional<Placement> choose(const Ask& ask, std::vector<Offer> offers) const;
  std::optional<Slot> earliest_one(const Ask& ask, Time from, Time not_after);
  std::optional<Slot> earliest_several(const Job& job, const Request& request, Time from,
                                       Time not_after);
  std::optional<Placement> place_several(const Job& job, const Request& request,
                                         PartitionId partition, Time start, Seconds at_least);
  std::vector<Offer> offers_at(const Ask& ask, PartitionId partition, Time start);
  Time next_change(Time after) const;

  static constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  AccessSets sets_;
  std::vector<std::uint32_t> line_index_;  // by node; kNoLine: it has none
  std::deque<NodeLine> lines_;
  std::vector<NodeId> lined_;              // nodes with a line
  std::deque<View> views_;
  std::unordered_map<RequestId, Serving> serving_;
  Serving unknown_serving_;  // for a request that the cluster does not know
  // Kept between sweeps only to save allocations.
  std::vector<Room> rooms_;  // by node
  std::vector<NodeId> seen_;
  std::vector<Event> events_;
};

}  // namespace maui
