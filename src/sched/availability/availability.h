// Availability: which tasks fit where, now and later.
//
// The model is kept from iteration to iteration and follows events: a job is placed, ends, is
// extended or suspended; a node changes; a reservation is made, changed or released.  Passing time
// only affects nodes on which something begins or ends.  Temporary changes are made within a Trial,
// which undoes them.
//
// Queries examine groups of equal nodes instead of nodes, and first of all sums that are kept for
// each class of question.  They count whether something fits before they choose nodes, and choose
// nodes from the best groups, only as many as needed.
//
// The caller numbers nodes, reservations and attributes of nodes.  Times are absolute, in seconds.
// Results are exact: a property test compares them with one counter per second, and a model that
// was kept with a model that is made anew.
#pragma once
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "maui/placement.h"
#include "sched/availability/class_index.h"
#include "sched/availability/node_groups.h"
#include "sched/availability/question.h"
#include "sched/availability/room.h"
#include "sched/availability/tables.h"

namespace maui::availability {

/// The order in which equally suitable nodes are chosen (NODEALLOCATIONPOLICY), as far as groups
/// can tell nodes apart.  Affinity to reservations always comes first.
struct Preference {
  /// LASTAVAILABLE: nodes with the least unused time before and after come first.
  bool by_time = false;
  /// With by_time: among nodes that come free at the same time, prefer those on which the fewest
  /// tasks could start at once; for reservations of later starts.
  bool sparing = false;
  /// Lower values come first, by attributes of kinds (MINRESOURCE, FASTEST); empty: all are equal.
  std::span<const int> rank;
  /// Among equals, take the lowest node number first; otherwise the highest.
  bool upwards = false;
};

class Availability {
 public:
  Availability() : reader_(tables_) {}
  Availability(const Availability&) = delete;
  Availability& operator=(const Availability&) = delete;

  /// The amounts, sets of reservations and kinds that uses, blocks and nodes refer to by number.
  Tables& tables() { return tables_; }
  const Tables& tables() const { return tables_; }

  /// Resets the model to empty nodes of these kinds.  Keeps classes of question.
  void begin(std::span<const std::uint32_t> kinds, Time now);
  Time now() const { return groups_.now(); }
  /// Moves time on.  Requires that no trial is under way and that `now` is not before now().
  void advance(Time now);
  /// Removes everything: tables, nodes and classes of question.  Their numbers become
  /// invalid.
  void clear();

  // --- events -------------------------------------------------------------------

  /// Edits the timelines of these nodes; see NodeGroups::edit().
  int edit(const NodeRuns& nodes, const NodeGroups::Edit& edit) {
    return groups_.edit(nodes, edit);
  }
  /// Sets the timeline of each of these runs; see NodeGroups::set().  Requires that the timelines
  /// contain no past times.
  void set(std::span<const NodeGroups::Assigned> all) { groups_.set(all); }

  /// Undoes, on destruction, all changes to the model since its construction.  Trials nest.
  class Trial {
   public:
    explicit Trial(Availability& model) : groups_(model.groups_), begun_(groups_.begin_trial()) {}
    ~Trial() { groups_.undo_trial(begun_); }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

   private:
    NodeGroups& groups_;
    std::size_t begun_;
  };

  // --- questions --------------------------------------------------------------

  ClassId class_of(const QuestionClass& question);
  std::size_t classes() const { return indexes_.size(); }
  const QuestionClass& question_class(ClassId of) const { return indexes_[of].of(); }

  /// Returns how many tasks fit from now on for the whole duration, regardless of shape.
  long long room_now(const Question& question);
  bool fits_now(const Question& question);
  /// Returns how many tasks of the class at most run at that later time; nullopt: not known without
  /// a look at each reservation.
  std::optional<long long> most_room_at(ClassId of, Time when) {
    return indexes_[of].most_room_at(when);
  }
  /// Returns the first time in [from, not_after] from which the question fits.
  std::optional<Time> earliest(const Question& question, Time from, Time not_after = kForever);
  /// True if exactly these nodes have room for these tasks throughout.
  bool fits_on(const Question& question, const Placement& placement, Time start);
  /// Returns the part of the placement on nodes on which some processor is free now, regardless of
  /// access.
  Placement on_free_nodes(const Placement& placement) const;
  /// Returns the free processors of all nodes together over time, regardless of access; the first
  /// time is now.
  std::vector<std::pair<Time, long long>> free_procs() const;

  /// Returns every group that could take tasks from `start` on.
  std::vector<Offer> offers(const Question& question, Time start);
  /// Places as many tasks on each of the first nodes as it takes, or as tasks per node or an exact
  /// number of nodes require.  Empty if the tasks do not fit.  Requires that the question names no
  /// other shape.
  std::optional<Placement> choose(const Question& question, Time start,
                                  const Preference& preference);
  /// Returns the first `most` nodes in the order of choice, with the tasks that each could take.
  Placement in_order(const Question& question, Time start, const Preference& preference, int most);

  // --- nodes, groups, times -----------------------------------------------------

  const NodeGroups& groups() const { return groups_; }
  const NodeTimeline& timeline_of(std::uint32_t node) const {
    return groups_.group(groups_.group_of(node)).timeline;
  }
  /// Returns the tasks of the class that fit on the node throughout; 0 if it cannot serve them.
  int tasks_on(std::uint32_t node, ClassId of, Time start, Seconds duration, Seconds stay);
  /// Writes the free resources and the other jobs that the class would find on the node from now
  /// on, in absolute times.  Time limits of access are checked for `stay`; without a stay they
  /// exclude the class.
  void profile_of(std::uint32_t node, ClassId of, const Stay* stay, Profile& out);
  /// Returns the tasks of the class that fit on the node over time; the first time is now.  Time
  /// limits of access exclude the class.
  std::vector<std::pair<Time, int>> room_on(std::uint32_t node, ClassId of);
  /// Returns the times at which resources that the class could have now decrease, in order: the
  /// ends of backfill windows.  For a class that reservations admit, covers only their nodes.
  std::vector<Time> window_ends(ClassId of, const Stay& stay);
  /// Returns the first later time at which an answer for the class could change.
  Time next_change(Time after, ClassId of, Seconds stay) const;
  /// Adds all later times at which an answer for the class on these nodes could change to `out`.
  void add_changes_on(const NodeRuns& nodes, Time after, ClassId of, Seconds stay,
                      std::vector<Time>& out) const;

 private:
  class Order;
  class Dealer;

  /// The last answer about a later start, chosen among the groups that are the last to get room.
  /// It stays the answer as long as these groups have these nodes.
  struct Chosen {
    Question question;
    Time start{0};
    bool sparing = false, upwards = false;
    Time since{0};                                    // when the last of the groups gets room
    std::vector<std::pair<GroupId, NodeRuns>> among;  // the groups
    std::uint64_t read = 0;  // the position in the log of the groups up to which it is the answer
    Placement placement;
  };
  /// True if nodes chosen among groups that get room from `since` on may stay the choice: as time
  /// passes, room that is there now, or in a second, counts as if it came later.
  bool may_stay(Time since) const { return since > now() + Seconds(1); }
  /// True if chosen_ is about this question and start, and its groups are still known by the same
  /// numbers.
  bool chosen_for(const Question& question, Time start) const;
  /// True if chosen_ answers the question.
  bool already_chosen(const Question& question, Time start, const Preference& preference);
  /// True if the placement was chosen for this question and start, from groups that have the same
  /// nodes now: they still have the room.
  bool stands_as_chosen(const Question& question, const Placement& placement, Time start) const;

  ClassIndex& index(const Question& question) { return indexes_[question.of]; }
  int nodes_of(const Question& question, GroupId group) const;
  bool has_free_procs(const NodeTimeline& timeline) const;
  bool counted(const Question& question, Time start);
  /// Calls `visit` with the times at which an answer for the class on such a node could change.
  template <class Visit>
  void each_change(const NodeTimeline& timeline, ClassId of, Seconds stay,
                   const Visit& visit) const;
  /// Fills in the group's offer; false if it has none.
  bool look_at(ClassIndex& of, const Question& question, Time start, GroupId group, Offer& offer);

  Tables tables_;
  NodeGroups groups_;
  RoomReader reader_;
  std::deque<ClassIndex> indexes_;
  std::unordered_multimap<std::uint64_t, ClassId> classes_;
  std::uint64_t log_begin_ = 0;  // log_end() of the groups when classes were last put to rest
  std::optional<Chosen> chosen_;
  std::vector<RoomStep> scratch_;
};

}  // namespace maui::availability
