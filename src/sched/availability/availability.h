// Availability: which tasks fit where, now and later.
//
// The model is kept from iteration to iteration and changed by what happens: a job is placed, ends,
// is extended or suspended; a node changes; a reservation is made, changed, released.  Time that
// passes changes nothing but the nodes whose moments pass.  What is only tried is done within a
// Trial, which undoes it.
//
// Questions walk groups of equal nodes, never nodes, and first of all sums that are kept for each
// class of question.  Whether something fits is counted before any node is chosen; nodes are chosen
// from the best groups, as many as are needed.
//
// Nodes, reservations and attributes of nodes are numbers of the caller's.  Times are absolute, in
// seconds.  Exact: a property test compares every answer with one counter per second, and a model
// that was kept with one that is made afresh.
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

/// In which order nodes are chosen that would do alike (NODEALLOCATIONPOLICY), as far as groups can
/// tell.  Affinity to reservations comes first in any.
struct Preference {
  /// LASTAVAILABLE: the least time left over on either side.
  bool by_time = false;
  /// With by_time: of nodes that come free alike those that hold back the fewest tasks that could
  /// start at once, for who is to have them later.
  bool sparing = false;
  /// The lower comes first, by attributes of kinds (MINRESOURCE, FASTEST); none: all alike.
  std::span<const int> rank;
  /// Among equals the lowest node number comes first, else the highest.
  bool upwards = false;
};

class Availability {
 public:
  Availability() : reader_(tables_) {}
  Availability(const Availability&) = delete;
  Availability& operator=(const Availability&) = delete;

  /// The amounts, sets of reservations and kinds that uses, blocks and nodes name.
  Tables& tables() { return tables_; }
  const Tables& tables() const { return tables_; }

  /// Nodes of these kinds, with nothing on them.  Classes of question stay.
  void begin(std::span<const std::uint32_t> kinds, Time now);
  Time now() const { return groups_.now(); }
  /// Requires that no trial is under way, and that time does not go back.
  void advance(Time now);
  /// Forgets everything: tables, nodes and classes of question, whose numbers are not valid any
  /// more.
  void clear();

  // --- what happens -----------------------------------------------------------

  /// Edits the timelines of these nodes; see NodeGroups::edit().
  int edit(const NodeRuns& nodes, const NodeGroups::Edit& edit) {
    return groups_.edit(nodes, edit);
  }
  /// Gives each of these runs its timeline; see NodeGroups::set().  Requires that no time in them
  /// is past.
  void set(std::span<const NodeGroups::Assigned> all) { groups_.set(all); }

  /// Undoes, when it ends, everything done to the model since it began.  Trials nest.
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

  /// Tasks for which there is room from now on for the whole duration, without regard to shape.
  long long room_now(const Question& question);
  bool fits_now(const Question& question);
  /// The first time in [from, not_after] from which it fits.
  std::optional<Time> earliest(const Question& question, Time from, Time not_after = kForever);
  /// True if there is room for these tasks on just these nodes, throughout.
  bool fits_on(const Question& question, const Placement& placement, Time start);
  /// Those of the nodes on which some processor is free now, whoever may have it.
  NodeRuns with_free_procs(const NodeRuns& nodes) const;
  /// The free processors of all nodes together as time goes on, whoever may have them; the first
  /// moment is now.
  std::vector<std::pair<Time, long long>> free_procs() const;

  /// Every group that could take tasks from then on.
  std::vector<Offer> offers(const Question& question, Time start);
  /// Places tasks on the nodes that come first, as many on each as it takes; with tasks per node,
  /// or an exact number of nodes, as these say.  Nothing if they do not fit.  Requires that the
  /// question names no other shape.
  std::optional<Placement> choose(const Question& question, Time start,
                                  const Preference& preference);
  /// The first `most` nodes in the order of choice, with the tasks that each could take.
  Placement in_order(const Question& question, Time start, const Preference& preference, int most);

  // --- nodes, groups, moments ---------------------------------------------------

  const NodeGroups& groups() const { return groups_; }
  const NodeTimeline& timeline_of(std::uint32_t node) const {
    return groups_.group(groups_.group_of(node)).timeline;
  }
  /// Tasks of the class that fit on the node throughout; 0 where it does not serve.
  int tasks_on(std::uint32_t node, ClassId of, Time start, Seconds duration, Seconds stay);
  /// Writes the free resources and the company that the class would find on the node from now on,
  /// in absolute times.  Time limits of access are judged for `stay`; without one they keep the
  /// class out.
  void profile_of(std::uint32_t node, ClassId of, const Stay* stay, Profile& out);
  /// The tasks of the class that there is room for on the node, from which moment on; the first is
  /// now.  Time limits of access keep the class out.
  std::vector<std::pair<Time, int>> room_on(std::uint32_t node, ClassId of);
  /// The moments at which what the class could have now becomes less, in order: where backfill
  /// windows end.  Of a class that reservations admit only those of the nodes where they stand.
  std::vector<Time> window_ends(ClassId of, const Stay& stay);
  /// The first moment after that one at which an answer for the class could change.
  Time next_change(Time after, ClassId of, Seconds stay) const;

 private:
  class Order;

  ClassIndex& index(const Question& question) { return indexes_[question.of]; }
  int nodes_of(const Question& question, GroupId group) const;
  bool has_free_procs(const NodeTimeline& timeline) const;
  bool counted(const Question& question, Time start);
  /// Fills the group's offer; false if it has none.
  bool look_at(ClassIndex& of, const Question& question, Time start, GroupId group, Offer& offer);

  Tables tables_;
  NodeGroups groups_;
  RoomReader reader_;
  std::deque<ClassIndex> indexes_;
  std::unordered_multimap<std::uint64_t, ClassId> classes_;
  std::uint64_t log_begin_ = 0;  // of the groups, when classes were last put to rest
  std::vector<RoomStep> scratch_;
};

}  // namespace maui::availability
