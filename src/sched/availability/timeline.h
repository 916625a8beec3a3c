// Availability over time: which tasks fit where, now and later.
//
// A timeline is built from the cluster at the start of a cycle and only ever
// holds plans; the cluster is not touched.  It answers two questions about a
// job's request:
//
//   fits_now   nodes for the whole duration from now on
//   earliest   the first moment from which there are such nodes
//
// and takes changes: hold and release; pin and unpin, of what no reservation may
// move; vacate and put_back, of what runs.
//
// How it is fast.  Most nodes have no future: what is free of them now can only
// grow.  Such nodes need no line of their own; open ones that are equal are
// judged as one group, and later moments are reached by walking the list of
// active jobs by their ends.  Nodes that a reservation touches, or on which this
// cycle places something, get a line.  For a job that starts now all that
// matters of a node is the worst that lies ahead of it up to each moment: nodes
// that are equal in that make a group.
//
// Exact: a property test compares every answer with one counter per second.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "maui/cluster.h"
#include "maui/node_selector.h"
#include "maui/settings.h"
#include "sched/availability/access_sets.h"
#include "sched/availability/node_line.h"
#include "sched/availability/open_view.h"
#include "sched/availability/profile.h"
#include "sched/availability/slot.h"
#include "sched/placement/node_choice.h"
#include "sched/placement/node_scores.h"
#include "sched/placement/node_sets.h"

namespace maui {

class Timeline {
 public:
  /// `keep_job_reservations`: the priority reservations that the cluster has stand; else the cycle
  /// will make them anew.
  Timeline(const Cluster& cluster, const Settings& settings, Time now, bool keep_job_reservations);
  /// One that has to be begun; beginning again uses the same memory again.
  Timeline() = default;
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  void begin(const Cluster& cluster, const Settings& settings, Time now,
             bool keep_job_reservations);
  /// Who chooses nodes where the policy is LOCAL; nobody, until one is given.
  void choose_with(NodeSelector* selector) { selector_ = selector; }

  AccessSets& access_sets() { return *sets_; }
  Time now() const { return now_; }

  /// An Ask for one requirement of a job, which need not be one of the cluster's.  Valid until the
  /// next ask() for a request that is not one of the cluster's.
  Ask ask(const Job& job, const Request& request, std::uint32_t requirement = 0);

  /// Nodes on which the job can start now and stay for its limit, chosen by the allocation policy;
  /// only nodes that are free for `at_least`, where that is longer.
  std::optional<Slot> fits_now(const Job& job, const Request& request,
                               Seconds at_least = Seconds(0));
  /// The earliest moment in [from, not_after] from which the job could run; with nodes.
  std::optional<Slot> earliest(const Job& job, const Request& request, Time from,
                               Time not_after = kForever);

  /// The job uses its placement from `start` on, for its limit.
  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  /// Takes back what hold() did, or drops the priority reservation that the job came with.
  void release(JobId job, const Placement& placement);

  /// The suspended job has these nodes, and no others, from `start` on.
  void pin(const Job& job, const Request& request, const Placement& placement, Time start);
  void unpin(JobId job, const Placement& placement);
  /// The active job leaves its nodes.
  void vacate(JobId job);
  /// It is as if it had not.
  void put_back(JobId job);

  /// Tasks of `ask` that fit on one node throughout [start, start + duration).
  int tasks_on(NodeId node, const Ask& ask, Time start) const;
  /// When, from `start` on, the node first has room for fewer than `tasks`.
  Time room_until(NodeId node, const Ask& ask, Time start, int tasks) const;
  /// The node as the jobs of one access set see it.
  void profile_of(NodeId node, AccessSet set, JobId self, Profile& out, UserId user = {}) const;
  /// What uses it and what is kept of it, from now on.
  NodeLine line_of(NodeId node) const;

  /// A priority reservation as it stands in this timeline.
  struct Held {
    JobId job;
    const Job* of = nullptr;
    const Request* request = nullptr;
    Time start{0};
    Placement placement;
  };
  /// All of them.  Their nodes may change while the cycle goes on, their starts do not.
  const std::vector<Held>& held() const { return held_; }
  const Held* held_by(JobId job) const;
  /// Moves every priority reservation forward as far as it goes, in this order, none of them ever
  /// later; false, and nothing is changed, where processors are not interchangeable.
  bool slide_together(std::span<const JobId> by_priority);

  /// Some job, some node, or what is only asked about, wants SINGLEUSER access.
  bool users_matter() const {
    return cluster_->users_matter() || settings_->node_access == NodeAccess::single_user;
  }
  /// The moments at which what is free now becomes less, in order: where backfill windows end.
  /// Of a set other than 0 only those on nodes that look other to it than to set 0.
  std::vector<Time> window_ends(AccessSet set);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static std::uint64_t bounds_key(std::uint32_t question, PartitionId partition) {
    return std::uint64_t{question} << 32 | partition.raw();
  }

  struct Line {
    NodeLine all;  // what runs there stands in it only once it is filled
    bool filled = false;
    Profile profile;  // of `all`, unless it has to be made for each access set or user
  };
  struct Way {                    // one way to run a request
    std::vector<KindMask> kinds;  // where each requirement may be served
    Seconds duration{1};
  };
  struct Ways {
    struct Set {
      std::vector<Way> ways;
      double fastest = 0;
    };
    std::vector<Set> sets;      // of nodes, where the request asks for one
    std::vector<Way> anywhere;  // whatever the set
  };
  /// The first moment in a time frame at which there is room; under way_.
  using Question = std::function<std::optional<Slot>(Time from, Time not_after)>;
  struct Serving {                   // what is worth knowing of a request, by requirement
    std::uint64_t serial = 0;        // whose request it was; 0: nobody's
    std::uint64_t node_changes = 0;  // for which that was worked out
    std::vector<KindMask> kinds;
    std::vector<TaskSize> sizes;
    Seconds duration{1};  // on the slowest nodes that serve
    std::shared_ptr<const Ways> ways;
    std::uint64_t cycle = 0;  // of which `questions` are
    std::vector<std::uint32_t> questions;
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
  class Dealing;

  Serving& serving(const Job& job, const Request& request);
  std::uint32_t question_of(Serving& entry, const Request& request, std::uint32_t requirement);

  // Node sets and speeds (timeline_sets.cc).
  Seconds longest(const Request& request, const std::vector<KindMask>& kinds) const;
  Seconds shortest(const Request& request) const;
  std::vector<Way> ways_by_speed(const Request& request, std::vector<KindMask> kinds) const;
  std::shared_ptr<const Ways> ways_of(const Job& job, const Request& request);
  std::optional<Slot> first_of(const std::vector<Way>& ways, Time from, Time not_after,
                               const Question& question);
  std::optional<Slot> first_in_sets(const Job& job, const Request& request, const Ways& ways,
                                    Time from, Time not_after, const Question& question);
  double penalty(const Job& job, const Request& request, const Ways::Set& set, const Slot& slot);
  long long room_in(const Job& job, const Request& request, const Ways::Set& set, const Slot& slot);
  std::optional<Slot> now_by_ways(const Job& job, const Request& request, const Question& question);
  std::optional<Slot> earliest_by_ways(const Job& job, const Request& request, Time from,
                                       Time not_after, const Question& question);
  NodeAccess access_on(NodeId node, const Request& request) const {
    return cluster_->node(node).policy.access.value_or(request.access);
  }
  Terms terms_on(NodeId node, const Ask& ask) const {
    return {access_on(node, *ask.request), cluster_->node(node).policy.max_jobs};
  }
  /// The node limits how many jobs, or jobs of a user, it bears.
  bool limits_jobs(NodeId node) const {
    const auto& policy = cluster_->node(node).policy;
    return policy.max_jobs > 0 || policy.max_jobs_per_user > 0;
  }
  /// What of a node jobs can have at all.
  Resources whole(NodeId node) const;
  /// Jobs can be planned for it: it is available, or taken to be so again later.
  bool returns(const Node& node) const { return node.available() || back_ < kForever; }
  void close_unavailable();
  Time end_of(const Occupant& occupant) const {
    // A job that has run over its limit may end at any moment, but not before the next one.
    return std::max(occupant.ends, now_ + Seconds(1));
  }
  bool lined(NodeId node) const { return line_index_[node.index()] != kNone; }
  Line& line(NodeId node);
  const Line& filled_line(NodeId node) const;
  void add_use(Line& line, NodeId node, const Occupant& occupant) const;
  /// The line's profile holds for everybody.
  bool common(const Line& line) const { return line.all.blocks.empty() && !users_matter(); }
  const Profile& seen_by(NodeId node, const Ask& ask, Profile& scratch) const;

  Affinity affinity_on(NodeId node, AccessSet set, Time start, Seconds stay) const {
    if (!lined(node)) return Affinity::neutral;
    const auto& all = lines_[line_index_[node.index()]].all;
    return all.attraction(start, set, *sets_).until(start + stay);
  }
  Affinity affinity_on(NodeId node, const Ask& ask, Time start) const {
    return affinity_on(node, sets_->when(ask.set, start, ask.stay), start, ask.stay);
  }
  OpenView& view(AccessSet set);
  void place_in_view(OpenView& view, NodeId node);
  /// What a node without a line is now; it can only grow.
  void present(NodeId node, Profile& out) const;
  /// Calls visit(view, group, nodes) for each group of open nodes, be it the view's own or the
  /// base's, and how many nodes of it the view shows.
  template <class Visit>
  void each_group(OpenView& open, Visit visit);
  /// The node is in that group, be it the view's own or the base's, and the view shows it.
  static bool shows(const OpenView& open, const OpenView& from, std::uint32_t group, NodeId node) {
    return from.holds(group, node) && (&from == &open || !open.owns(node));
  }
  /// Tasks that each node of a group takes for the ask's duration, and when it first takes fewer.
  /// begin_question() goes before the first group.
  void begin_question() { ++questions_begun_; }
  int tasks_in(OpenView& open, const OpenView::Summary& group, const Ask& ask,
               PartitionId partition, Time& until);
  /// What is known already of the room there; nullptr where nothing can be noted.
  RoomBounds* bounds(OpenView& open, const Ask& ask, PartitionId partition);
  void forget_bounds();
  /// Tasks of `ask` for which there is room now.
  long long room_now(const Ask& ask, PartitionId partition);
  struct Found {            // tasks for which there was room
    long long room = 0;     // in the view
    long long in_base = 0;  // in the base, what the view hides included
  };
  void note_room(OpenView& open, const Ask& ask, PartitionId partition, const Found& found);
  bool known_too_small(OpenView& open, const Ask& ask, PartitionId partition);
  std::optional<Placement> fits_in(const Ask& ask, PartitionId partition);
  std::optional<Placement> fits_by_group(const Ask& ask, PartitionId partition, OpenView& open);
  std::optional<Placement> fits_by_node(const Ask& ask, PartitionId partition, OpenView& open);
  std::optional<Placement> now_in(const Job& job, const Request& request, PartitionId partition,
                                  Seconds at_least);
  std::optional<Slot> fits_one_way(const Job& job, const Request& request, Seconds at_least);
  std::optional<Slot> earliest_one_way(const Job& job, const Request& request, Time from,
                                       Time not_after);

  // Which of the nodes that would do (timeline_choice.cc).
  std::optional<Placement> choose(const Ask& ask, std::vector<Offer> offers, Time start);
  std::optional<Placement> placed(const Ask& ask, std::vector<Offer>& offers) const;
  std::optional<Placement> choose_locally(const Ask& ask, const std::vector<Offer>& offers,
                                          Time start, bool counts) const;
  NodeStanding standing(NodeId node, Time when) const;
  /// How little affinity draws the job to a place: by tasks on nodes of last resort, then by those
  /// on nodes that do not draw it.
  struct Reluctance {
    int repelled = 0, indifferent = 0;
    friend auto operator<=>(const Reluctance&, const Reluctance&) = default;
  };
  Reluctance reluctance(const Job& job, const Request& request, const Slot& slot);
  Reluctance reluctance_in_sets(const Job& job, const Request& request, const Slot& slot);
  std::optional<Slot> first_in_partitions(
      const Job& job, const Request& request, Time from, Time not_after,
      const std::function<std::optional<Slot>(PartitionId, Time not_after)>& in);
  void score(std::vector<Offer>& offers, NodeAllocation policy, Time start);

  // Where processors are interchangeable, counting them tells when a job can start; its nodes, and
  // those of the reservations, are then a matter of arranging (arrange.cc).
  bool interchangeable(const Request& request) const;
  const Profile& total();
  std::optional<Time> first_by_count(const Request& request, Time from, Time not_after);
  bool arrange(std::vector<Held> wanted);
  bool arrange_all(std::vector<Held> wanted);
  std::optional<Placement> rearrange(const Job& job, const Request& request, Time start);
  std::vector<Offer> offers_during(const Ask& ask, PartitionId partition, Time start);
  void take(const Job& job, const Request& request, const Placement& placement, Time start);
  void give_back(JobId job, const Placement& placement);
  void refresh_views(const Placement& placement);

  int simple_tasks(NodeId node, const Ask& ask, Time when);
  std::vector<Time> cuts(NodeId node, const Ask& ask) const;
  void starts_of(NodeId node, const Ask& ask, Time bound);
  int starts_within(NodeId node, const Ask& ask, Time from, Time bound, int last);
  std::optional<Slot> earliest_one(const Ask& ask, Time from, Time not_after);
  /// The first moment within the bound from which one requirement has room; kForever: none.
  Time first_room(const Ask& ask, PartitionId partition, Time from, Time bound);

  // Several requirements of one job (timeline_several.cc).
  std::optional<Slot> earliest_several(const Job& job, const Request& request, Time from,
                                       Time not_after);
  std::optional<Placement> place_in_some_order(const Job& job, const Request& request,
                                               PartitionId partition, Time start, Seconds at_least,
                                               bool by_affinity);
  std::optional<Placement> place_several(const Job& job, const Request& request,
                                         PartitionId partition, Time start, Seconds at_least);
  std::optional<Placement> place_several(const Job& job, const Request& request,
                                         PartitionId partition, Time start, Seconds at_least,
                                         int& effort);

  std::vector<Offer> offers_at(const Ask& ask, PartitionId partition, Time start) const;
  Time next_change(Time after, AccessSet set) const;
  std::vector<PartitionId> partitions_of(const Request& request) const;

  const Cluster* cluster_ = nullptr;
  const Settings* settings_ = nullptr;
  Time now_{0};
  Time back_{0};  // when nodes that are down or drained are taken to be available again
  std::size_t consumables_ = 0;
  mutable std::optional<AccessSets> sets_;  // remembers answers
  std::vector<std::uint32_t> line_index_;   // by node; kNone: it has none
  mutable std::deque<Line> lines_;          // as many as lined_ has are in use
  std::vector<NodeId> lined_;               // nodes with a line
  bool limits_users_ = false;               // some node has MAXJOBPERUSER
  std::deque<OpenView> views_;              // the base is the first
  std::size_t views_used_ = 0;
  std::vector<std::uint32_t> view_of_set_;
  std::vector<std::uint32_t> whole_views_;
  std::vector<std::vector<std::uint32_t>>
      claimed_by_;             // by node: views; empty: there are no claims
  bool bounds_noted_ = false;  // in some view
  std::uint64_t cycle_ = 0;    // counts begin()
  // Questions that differ in nothing but tasks and duration have a number in common; from 1 on.
  std::map<std::tuple<TaskSize, KindMask, NodeAccess, bool>, std::uint32_t> questions_;
  std::uint64_t questions_begun_ = 0;
  std::vector<Held> held_;
  bool pinned_ = false;          // there is, or was, something that cannot be arranged anew
  std::vector<NodeId> vacated_;  // nodes that some job has left
  Profile total_;                // processors of all nodes together, once somebody asks
  bool total_made_ = false;
  std::vector<Serving> serving_;  // by request; stays true from cycle to cycle
  Serving unknown_serving_;       // of a request that is not the cluster's
  const Way* way_ = nullptr;      // how the question that is being answered is to be served
  NodeSelector* selector_ = nullptr;
  std::optional<NodePriorities> priorities_;  // once somebody asks
  // Kept between questions only to save allocations.
  std::vector<Room> rooms_;  // by node
  std::vector<NodeId> seen_;
  std::vector<Event> events_;
  Profile scratch_, worst_scratch_;
  std::vector<std::pair<Time, int>> room_scratch_;
  std::vector<Time> times_scratch_;
  std::vector<int> hidden_;  // by group of the base: nodes that a view does not show
};

}  // namespace maui
