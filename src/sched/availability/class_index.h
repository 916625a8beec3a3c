// The answers remembered for a class of question: the room of each group, and sums over groups.
//
// The answer for a group goes by its timeline, a value that never changes, so it can never become
// stale.  Most classes are only ever asked about now: these do not look what comes later on a group
// that has no room now.  Sums are brought up to date from the log of the groups when somebody asks:
// they cost what has changed.  Groups whose room only grows are steady: they count by the moments
// at which they gain.  Those that lose room some time are few; earliest fits look at each of them.
//
// A class that some reservations admit differs from the same class without them only where these
// are.  It remembers what it finds in those groups, and asks the other class for all else.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched/availability/node_groups.h"
#include "sched/availability/open_groups.h"
#include "sched/availability/question.h"
#include "sched/availability/room.h"
#include "sched/availability/time_sums.h"

namespace maui::availability {

/// The nodes of a group that could serve, alike in all that matters.
struct Offer {
  GroupId group = 0;
  int nodes = 0;
  int tasks = 0;          // on each, throughout
  int tasks_now = 0;      // how many of these it could take at once, idle until then
  Time since{0};          // when it came to have that room, at or before the start
  Time until = kForever;  // when something else needs the room, after the end
  Affinity affinity{};
};

class ClassIndex {
 public:
  /// `elsewhere` answers for groups without reservations that admit the class: the index of the
  /// same class without terms.  nullptr: it has none.
  ClassIndex(QuestionClass of, NodeGroups& groups, RoomReader& reader, ClassIndex* elsewhere);

  const QuestionClass& of() const { return of_; }

  /// Tasks for which there is room from now on, for so long.
  long long room_now(Seconds duration, Seconds stay);
  /// The first time in [from, not_after] from which there is room for so many tasks.
  std::optional<Time> earliest(int tasks, Seconds duration, Time from, Time not_after);

  /// Calls visit(group) for groups of which some may have room now, each once, and for every one
  /// that has; requires catch_up().
  template <class Visit>
  void each_open(const Visit& visit);
  /// Calls visit(group, until) for those of them that may have room until that end, until it
  /// returns false: where all are alike to the class, in the order in which they come to have less
  /// room; before these, with kAlways, the others.
  template <class Visit>
  void each_open_until(Time end, const Visit& visit);
  /// The groups on which reservations stand that admit the class, in order of their numbers.
  std::vector<GroupId> reserved() const;
  /// Takes up what has happened since it was last asked, for questions about now, or about any
  /// time.
  void catch_up();
  void catch_up_for_later();
  /// Gives up its memory if it has not been asked for so long that it must start anew.
  void rest();

  /// The tasks that one node of the group takes for the whole of that time.
  int room_in(GroupId group, Time start, Seconds duration, Seconds stay);
  /// Fills in what a node of the group offers to a job that starts then; false: nothing.
  bool offer(GroupId group, Time start, Seconds duration, Seconds stay, Offer& out);
  /// Appends how the room for starts goes on in [from, bound], in absolute times.
  void rooms_to_start(GroupId group, Seconds duration, Time from, Time bound,
                      std::vector<RoomStep>& out);
  /// The group has no room at any time; requires catch_up_for_later().
  bool never(GroupId group) { return answer_of(group).future == Future::none; }

 private:
  enum class Future : std::uint8_t {
    none,       // no room at any time
    steady,     // room only grows
    shrinking,  // it becomes less some time
    closed,     // no room now, however late now is; some time later there is
    judged,     // it depends on the start of the job who is admitted
    unknown,    // no room now; nobody has asked about later
  };
  struct Answer {
    std::uint64_t generation = 0;
    Future future = Future::none;
    bool in_open = false, in_special = false;
    std::vector<RoomStep> steps;
  };

  // Sums over groups with known answers; those that are judged are only counted.
  struct Sums {
    long long steady_now = 0, steady_overdue = 0;  // now, and what is more at the next second
    TimeSums gains;                                // of the steady ones after that
    long long shrinking_now = 0;
    TimeSums losses;  // of the shrinking ones, as the least room so far becomes less
    int judged = 0;   // nodes

    void add(const Answer& answer, int nodes);
    /// Room from now on until then.
    long long until(Time end) { return steady_now + shrinking_now - losses.before(end); }
  };

  /// Groups whose answers are not steady, each once.  Those that have lost their nodes are dropped
  /// when there may be more of them than of the others.
  struct Special {
    std::vector<GroupId> groups;
    std::size_t most = 0;  // before they are looked through
  };

  /// The reservations that admit the class, if there are any, stand on some nodes of the group.
  bool concerns(const NodeTimeline& timeline) const;
  Answer& own_answer(GroupId group);
  const Answer& answer_of(GroupId group);
  void judge(const NodeTimeline& timeline, Answer& answer);
  void start_anew();
  void note_open(GroupId group, Answer& answer);
  bool as_noted(const OpenRoom& room) const {
    return groups_.group(room.group).generation == room.generation;
  }
  /// Takes up what has happened where the reservations that admit the class stand.
  void catch_up_where_admitted();
  void apply(GroupId group, int nodes);
  void look_through_open();
  /// The same of the groups that this class has listed itself; false if visit() returned it.
  template <class Visit>
  bool each_own_open(const Visit& visit);
  template <class Visit>
  void each_own_open_until(Time end, const Visit& visit);
  void look_through_special();
  /// Calls visit(group) for all groups with nodes whose answers are not steady.
  template <class Visit>
  void each_special(const Visit& visit);
  void look_back(GroupId group, Time start, Seconds duration, Offer& out);
  void admission_cuts(const NodeTimeline& timeline, Seconds duration, Time from,
                      std::vector<Time>& cuts) const;

  QuestionClass of_;
  TaskSize size_;
  bool limited_ = false;         // some terms have a time limit
  std::vector<bool> admitting_;  // by reservation
  NodeGroups& groups_;
  RoomReader& reader_;
  ClassIndex* elsewhere_;
  std::uint64_t read_ = 0;  // of the log
  bool begun_ = false;
  bool asked_later_ = false;
  std::vector<Answer> answers_;                       // by group, where no terms are given
  std::unordered_map<GroupId, Answer> term_answers_;  // else
  Sums sums_;  // with terms: what is more than elsewhere_ has it
  OpenGroups open_;
  Special special_;
  // Kept only to save allocations.
  std::vector<RoomStep> scratch_;
  std::vector<TimeSums::Entry> events_;
};

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
  look_through_open();
  const auto& rooms = open_.all();
  return std::all_of(rooms.begin(), rooms.end(), [&](const OpenRoom& room) {
    return room.since > kAlways || !as_noted(room) || visit(room.group);
  });
}

template <class Visit>
void ClassIndex::each_own_open_until(Time end, const Visit& visit) {
  look_through_open();
  const auto& rooms = open_.all();
  auto room = rooms.begin();
  for (; room != rooms.end() && room->until == kAlways; ++room)
    if (as_noted(*room) && !visit(room->group, kAlways)) return;
  room = std::lower_bound(room, rooms.end(), OpenRoom{end});
  for (; room != rooms.end(); ++room)
    if (room->since < end && as_noted(*room) && !visit(room->group, room->until)) return;
}

}  // namespace maui::availability
