// The cached answers for a class of question: the room of each group, and sums over groups.
//
// The answer for a group depends only on its timeline, an immutable value, so it never becomes
// stale.  Most classes are only queried about now: these do not examine later times of a group
// without room now.  Sums are updated on demand from the log of the groups, at the cost of what has
// changed in all: what a trial takes and gives back between two questions costs nothing.  Groups
// whose room only grows are steady: they count by the times at which they gain room.  The few
// groups that lose room at some time are examined one by one for earliest fits.
//
// A class that some reservations admit differs from the same class without terms only on their
// nodes.  It caches answers for those groups and asks the other class for the rest.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched/availability/groups_in_order.h"
#include "sched/availability/node_groups.h"
#include "sched/availability/question.h"
#include "sched/availability/room.h"
#include "sched/availability/time_sums.h"

namespace maui::availability {

/// The nodes of a group that could serve, alike in all that matters.
struct Offer {
  GroupId group = 0;
  int nodes = 0;
  int tasks = 0;          // on each node, throughout
  int tasks_now = 0;      // how many of these it could take at once and keep idle until then
  Time since{0};          // the node has had that room since then, at or before the start
  Time until = kForever;  // when something else needs the room, after the end
  Affinity affinity{};
};

class ClassIndex {
 public:
  /// `elsewhere` answers for groups without reservations that admit the class: it is the index of
  /// the same class without terms.  nullptr: the class has no terms.
  ClassIndex(QuestionClass of, NodeGroups& groups, RoomReader& reader, ClassIndex* elsewhere);

  const QuestionClass& of() const { return of_; }

  /// Returns how many tasks have room from now on for that duration.
  long long room_now(Seconds duration, Seconds stay);
  /// Returns the first time in [from, not_after] from which that many tasks have room.
  std::optional<Time> earliest(int tasks, Seconds duration, Time from, Time not_after);

  /// Returns how many tasks at most run at that later time; nullopt: reservations decide.
  std::optional<long long> most_room_at(Time when);

  /// Calls visit(group) once for each group that has room now, and perhaps for some that have none.
  /// Requires catch_up().
  template <class Visit>
  void each_open(const Visit& visit);
  /// Calls visit(group, until) for those groups that may keep room until `end`, until it returns
  /// false: first, with kAlways, groups where reservations or the start matter to the class; then
  /// the others in the order in which their room decreases.
  template <class Visit>
  void each_open_until(Time end, const Visit& visit);
  /// Calls visit(group, since) once for each group that may have room from `start`, a later time,
  /// until it returns false: first, with kForever, groups where reservations or other losses of
  /// room matter; then the others: first those that got their room last before the start, at the
  /// end those that have it now.  Requires catch_up_for_later().
  template <class Visit>
  void each_growing_until(Time start, const Visit& visit);
  /// Returns the groups on which reservations that admit the class stand, by number.
  std::vector<GroupId> reserved() const;
  /// Processes what has happened since the last call, for questions about now, or about any
  /// time.
  void catch_up();
  void catch_up_for_later();
  /// Frees the memory if the class has fallen so far behind that it must start anew.
  void rest();

  /// Returns the tasks that one node of the group takes for that whole time.
  int room_in(GroupId group, Time start, Seconds duration, Seconds stay);
  /// Fills in what a node of the group offers to a job that starts then; false: nothing.
  bool offer(GroupId group, Time start, Seconds duration, Seconds stay, Offer& out);
  /// True if a node of the group may have room from `start` on that it gets at `since` or later.
  /// Requires catch_up_for_later().
  bool may_grow_from(Time since, GroupId group, Time start);
  /// Appends the room for starts in [from, bound], in absolute times.
  void rooms_to_start(GroupId group, Seconds duration, Time from, Time bound,
                      std::vector<RoomStep>& out);
  /// True if the group never has room; requires catch_up_for_later().
  bool never(GroupId group) { return answer_of(group).future == Future::none; }

 private:
  enum class Future : std::uint8_t {
    none,       // no room at any time
    steady,     // room only grows
    shrinking,  // room decreases at some time
    closed,     // no room now while the node is closed; room later
    judged,     // the start of the job decides who is admitted
    unknown,    // no room now; later times not examined yet
  };
  struct Answer {
    std::uint64_t generation = 0;
    Future future = Future::none;
    bool in_open = false, in_growing = false;
    bool special_now = false, special_later = false;  // in the list of Now, of Later
    std::vector<RoomStep> steps;
  };

  // Sums over groups with known answers; groups that are judged are only counted.  With terms: the
  // difference from elsewhere_.
  struct SumsNow {
    long long steady = 0, shrinking = 0;
    TimeSums losses;  // of shrinking groups, as their minimum so far falls
    int judged = 0;   // number of nodes

    void add(const Answer& answer, int nodes);
    /// Returns the room from now until `end`.
    long long until(Time end) { return steady + shrinking - losses.before(end); }
  };
  /// The sums of steady groups: the room now, and what it gains one second from now and at later
  /// times.
  struct SumsLater {
    long long now = 0, overdue = 0;
    TimeSums gains;

    void add(const Answer& answer, int nodes);
  };

  /// Groups whose answers are not steady, each once.  Groups without nodes are dropped when they
  /// may outnumber the others.
  struct Special {
    bool Answer::*in;  // marks the answers of these groups
    std::vector<GroupId> groups = {};
    std::size_t most = 0;  // the size at which groups are dropped
  };

  /// The sums that questions about now read, and those that questions about later times read.  Each
  /// catches up by itself, so that neither processes what only the other one has seen come and go.
  struct Now {
    static constexpr bool Answer::*kIn =
        &Answer::in_open;    // marks the answers of groups in `rooms`
    std::uint64_t read = 0;  // position in the log
    bool begun = false;
    SumsNow sums;
    GroupsInOrder<OpenRoom> rooms;
    Special special{&Answer::special_now};
  };
  struct Later {
    static constexpr bool Answer::*kIn = &Answer::in_growing;
    std::uint64_t read = 0;
    bool begun = false;
    SumsLater sums;
    GroupsInOrder<GrowingRoom> rooms;
    Special special{&Answer::special_later};
  };

  /// True if reservations that admit the class (or, without terms, any) stand on the group's nodes.
  bool concerns(const NodeTimeline& timeline) const;
  Answer& own_answer(GroupId group);
  const Answer& answer_of(GroupId group);
  void judge(const NodeTimeline& timeline, Answer& answer);
  // `View` is Now or Later.
  template <class View>
  void catch_up(View& view);
  template <class View>
  void start_anew(View& view);
  /// Returns how many nodes each group of the class gained or lost since that position in the log.
  std::span<const NodeGroups::Change> changes_since(std::uint64_t place);
  template <class View>
  void apply(View& view, GroupId group, int nodes);
  void note_rooms(Now& now, GroupId group, Answer& answer);
  void note_rooms(Later& later, GroupId group, Answer& answer);
  template <class Room>
  bool as_noted(const Room& room) const {
    return groups_.group(room.group).generation == room.generation;
  }
  /// Drops the entries of groups that are gone.
  template <class View>
  void look_through_rooms(View& view);
  /// Visits the groups that this class has listed itself; false if visit() returned false.
  template <class Visit>
  bool each_own_open(const Visit& visit);
  template <class Visit>
  void each_own_open_until(Time end, const Visit& visit);
  template <class Visit>
  void each_own_growing_until(Time start, const Visit& visit);
  void note_special(Special& special, GroupId group, Answer& answer);
  void look_through(Special& special);
  /// Calls visit(group) for all groups with nodes, in the list of Now or of Later, whose answers
  /// are not steady.
  template <class View, class Visit>
  void each_special(View ClassIndex::*view, const Visit& visit);
  long long note_special_rooms(Seconds duration, Time from, Time not_after);
  void look_back(GroupId group, Time start, Seconds duration, Offer& out);

  QuestionClass of_;
  TaskSize size_;
  bool limited_ = false;         // some terms have a time limit
  std::vector<bool> admitting_;  // by reservation
  NodeGroups& groups_;
  RoomReader& reader_;
  ClassIndex* elsewhere_;
  bool asked_later_ = false;
  std::vector<Answer> answers_;                       // by group, for a class without terms
  std::unordered_map<GroupId, Answer> term_answers_;  // for a class with terms
  Now now_;
  Later later_;  // only once later times have been asked about
  // Kept only to save allocations.
  std::vector<RoomStep> scratch_;
  std::vector<TimeSums::Entry> events_;
};

template <class View>
void ClassIndex::look_through_rooms(View& view) {
  view.rooms.look_through([&](const auto& room) {
    if (!as_noted(room)) return true;
    if (!groups_.group(room.group).nodes.empty()) return false;
    own_answer(room.group).*View::kIn = false;
    return true;
  });
}

template <class Visit>
void ClassIndex::each_open(const Visit& visit) {
  each_own_open([&](GroupId id) {
    visit(id);
    return true;
  });
  if (!elsewhere_) return;
  elsewhere_->each_own_open([&](GroupId id) {
    if (!concerns(groups_.group(id).timeline)) visit(id);
    return true;
  });
}

template <class Visit>
void ClassIndex::each_open_until(Time end, const Visit& visit) {
  if (!elsewhere_) return each_own_open_until(end, visit);
  const bool more = each_own_open([&](GroupId id) { return visit(id, kAlways); });
  if (!more) return;
  elsewhere_->each_own_open_until(end, [&](GroupId id, Time until) {
    return concerns(groups_.group(id).timeline) || visit(id, until);
  });
}

template <class Visit>
bool ClassIndex::each_own_open(const Visit& visit) {
  look_through_rooms(now_);
  bool more = true;
  now_.rooms.each_from({kAlways}, [&](const OpenRoom& room) {
    return more = room.since > kAlways || !as_noted(room) || visit(room.group);
  });
  return more;
}

template <class Visit>
void ClassIndex::each_own_open_until(Time end, const Visit& visit) {
  look_through_rooms(now_);
  bool more = true;
  now_.rooms.each_from({kAlways}, [&](const OpenRoom& room) {
    if (room.until > kAlways) return false;
    return more = !as_noted(room) || visit(room.group, kAlways);
  });
  if (!more) return;
  now_.rooms.each_from({end}, [&](const OpenRoom& room) {
    return room.since >= end || !as_noted(room) || visit(room.group, room.until);
  });
}

template <class Visit>
void ClassIndex::each_growing_until(Time start, const Visit& visit) {
  if (!elsewhere_) return each_own_growing_until(start, visit);
  for (const auto id : reserved())
    if (!visit(id, kForever)) return;
  elsewhere_->each_own_growing_until(start, [&](GroupId id, Time since) {
    return concerns(groups_.group(id).timeline) || visit(id, since);
  });
}

template <class Visit>
void ClassIndex::each_own_growing_until(Time start, const Visit& visit) {
  look_through(later_.special);
  for (const auto id : later_.special.groups)
    if (!groups_.group(id).nodes.empty() && own_answer(id).future != Future::steady &&
        !visit(id, kForever))
      return;
  look_through_rooms(later_);
  const auto now = groups_.now();
  later_.rooms.each_back_from({start}, [&](const GrowingRoom& room) {
    // Groups without nodes do not follow the time: their past times would stand in the wrong place.
    if (!as_noted(room) || groups_.group(room.group).nodes.empty()) return true;
    const bool last = step_at(answers_[room.group].steps, now, start).from == room.since;
    return !last || visit(room.group, resolved(room.since, now));
  });
}

}  // namespace maui::availability
