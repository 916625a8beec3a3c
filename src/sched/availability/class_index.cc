#include "sched/availability/class_index.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <utility>

#include "base/sorted.h"
#include "maui/access_list.h"

namespace maui::availability {

ClassIndex::ClassIndex(QuestionClass of, NodeGroups& groups, RoomReader& reader,
                       ClassIndex* elsewhere)
    : of_(std::move(of)),
      size_(task_size(of_.per_task)),
      groups_(groups),
      reader_(reader),
      elsewhere_(elsewhere) {
  limited_ = std::any_of(of_.terms.begin(), of_.terms.end(),
                         [](const Terms& terms) { return terms.overlap < kUnlimited; });
  if (of_.terms.empty()) return;
  admitting_.resize(of_.terms.back().reservation + 1);
  for (const auto& terms : of_.terms) admitting_[terms.reservation] = true;
}

// --- answers ----------------------------------------------------------------

bool ClassIndex::concerns(const NodeTimeline& timeline) const {
  if (of_.terms.empty()) return true;
  for (const auto& block : timeline.blocks())
    if (block.reservation < admitting_.size() && admitting_[block.reservation]) return true;
  return false;
}

ClassIndex::Answer& ClassIndex::own_answer(GroupId id) {
  if (of_.terms.empty() && id >= answers_.size()) answers_.resize(groups_.end());
  auto& answer = of_.terms.empty() ? answers_[id] : term_answers_[id];
  const auto& group = groups_.group(id);
  const bool known = answer.future != Future::unknown || !asked_later_;
  if (answer.generation == group.generation && known) return answer;
  answer.generation = group.generation;
  answer.in_open = answer.in_growing = false;
  judge(group.timeline, answer);
  return answer;
}

const ClassIndex::Answer& ClassIndex::answer_of(GroupId id) {
  return concerns(groups_.group(id).timeline) ? own_answer(id) : elsewhere_->own_answer(id);
}

void ClassIndex::judge(const NodeTimeline& timeline, Answer& answer) {
  answer.steps.clear();
  answer.future = Future::none;
  const auto attributes = reader_.tables().kind_of(timeline.kind).attributes;
  if (attributes >= of_.serves.size() || !of_.serves[attributes] || timeline.closed >= kUnlimited)
    return;
  const bool closed = timeline.closed > Seconds(0);
  if (limited_ && depends_on_start(of_, timeline)) {
    answer.future = closed ? Future::closed : Future::judged;
    return;
  }
  if (!asked_later_ && (closed || reader_.tasks_at_once(timeline, of_, size_) == 0)) {
    answer.future = Future::unknown;
    return;
  }
  reader_.steps(timeline, of_, size_, nullptr, scratch_);
  if (scratch_.size() == 1 && scratch_.front().tasks == 0) return;
  answer.steps.assign(scratch_.begin(), scratch_.end());
  bool grows = true, at_once = false;
  for (std::size_t i = 1; i < answer.steps.size(); ++i) {
    if (answer.steps[i].tasks > answer.steps[i - 1].tasks) continue;
    grows = false;
    at_once = at_once || answer.steps[i].from == kOverdue;  // a loss that may happen at any time
  }
  answer.future = closed    ? Future::closed
                  : at_once ? Future::judged
                  : grows   ? Future::steady
                            : Future::shrinking;
}

// --- sums -------------------------------------------------------------------

namespace {

/// Calls visit(when, before, after) for each time at which the minimum so far decreases.
template <class Visit>
void each_loss(const std::vector<RoomStep>& steps, const Visit& visit) {
  int least = steps.front().tasks;
  for (const auto& step : steps) {
    if (step.tasks >= least) continue;
    visit(step.from, least, step.tasks);
    least = step.tasks;
  }
}

}  // namespace

void ClassIndex::SumsNow::add(const Answer& answer, int nodes) {
  const auto& steps = answer.steps;
  const long long times = nodes;
  switch (answer.future) {
    case Future::none:
    case Future::closed:
    case Future::unknown:
      return;
    case Future::judged:
      judged += nodes;
      return;
    case Future::steady:
      steady += times * steps.front().tasks;
      return;
    case Future::shrinking:
      shrinking += times * steps.front().tasks;
      each_loss(steps, [&](Time when, int before, int after) {
        losses.add(when, times * (before - after));
      });
  }
}

void ClassIndex::SumsLater::add(const Answer& answer, int nodes) {
  if (answer.future != Future::steady) return;
  const auto& steps = answer.steps;
  const long long times = nodes;
  now += times * steps.front().tasks;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const auto gain = times * (steps[i].tasks - steps[i - 1].tasks);
    if (steps[i].from == kOverdue)
      overdue += gain;
    else
      gains.add(steps[i].from, gain);
  }
}

template <class View>
void ClassIndex::start_anew(View& view) {
  view = {};
  view.begun = true;
  const auto reset = [&](Answer& answer) { answer.*View::kIn = answer.*view.special.in = false; };
  for (auto& answer : answers_) reset(answer);
  for (auto& [id, answer] : term_answers_) reset(answer);
  const auto take = [&](GroupId id) { apply(view, id, groups_.group(id).nodes.size()); };
  if (of_.terms.empty()) return groups_.each_filled(take);
  for (const auto id : reserved()) take(id);
}

std::vector<GroupId> ClassIndex::reserved() const {
  std::vector<GroupId> found;
  for (const auto& terms : of_.terms)
    for (const auto id : groups_.reserved_by(terms.reservation))
      if (!groups_.group(id).nodes.empty() && concerns(groups_.group(id).timeline))
        found.push_back(id);
  sort_unique(found);
  return found;
}

std::span<const NodeGroups::Change> ClassIndex::changes_since(std::uint64_t place) {
  if (of_.terms.empty()) return groups_.net(groups_.log(place));
  std::vector<std::uint64_t> places;  // in the log, where reservations admit the class
  for (const auto& terms : of_.terms) {
    const auto logged = groups_.logged(terms.reservation, place);
    places.insert(places.end(), logged.begin(), logged.end());
  }
  sort_unique(places);
  std::vector<NodeGroups::Change> changes;
  for (const auto at : places) changes.push_back(groups_.logged_at(at));
  return groups_.net(changes);
}

template <class View>
void ClassIndex::catch_up(View& view) {
  if (view.begun && view.read == groups_.log_end()) return;
  if (!view.begun || view.read < groups_.log_begin())
    start_anew(view);
  else
    for (const auto& change : changes_since(view.read)) apply(view, change.group, change.nodes);
  view.read = groups_.log_end();
  groups_.log(view.read);  // what has been read is not taken back
}

void ClassIndex::catch_up() {
  if (elsewhere_) elsewhere_->catch_up();
  catch_up(now_);
}

void ClassIndex::catch_up_for_later() {
  if (elsewhere_) elsewhere_->catch_up_for_later();
  if (!std::exchange(asked_later_, true)) now_.begun = false;  // some answers were unknown
  catch_up(later_);
}

void ClassIndex::rest() {
  const auto behind = [this](const auto& view) {
    return !view.begun || view.read < groups_.log_begin();
  };
  if (!behind(now_) || !behind(later_)) return;
  asked_later_ = false;
  answers_ = {};
  term_answers_ = {};
  now_ = {};
  later_ = {};
}

template <class View>
void ClassIndex::apply(View& view, GroupId id, int nodes) {
  if (!concerns(groups_.group(id).timeline)) return;
  auto& answer = own_answer(id);
  view.sums.add(answer, nodes);
  if (elsewhere_) view.sums.add(elsewhere_->own_answer(id), -nodes);
  if (answer.future == Future::none || answer.future == Future::unknown) return;
  if (groups_.group(id).nodes.empty() && answer.*View::kIn) view.rooms.lose();
  note_rooms(view, id, answer);
  note_special(view.special, id, answer);
}

void ClassIndex::note_special(Special& special, GroupId id, Answer& answer) {
  if (answer.future == Future::steady || answer.*special.in) return;
  answer.*special.in = true;
  special.groups.push_back(id);
}

void ClassIndex::note_rooms(Now& now, GroupId id, Answer& answer) {
  if (answer.in_open || answer.future == Future::closed) return;
  OpenRoom room{.group = id, .generation = answer.generation};
  if (answer.future == Future::judged) {
    room.until = kAlways;
    now.rooms.add(room);
    answer.in_open = true;
    return;
  }
  int least = answer.steps.front().tasks;
  if (least == 0) return;
  each_loss(answer.steps, [&](Time when, int, int after) {
    room.until = when;
    now.rooms.add(room);
    room.since = when;
    least = after;
  });
  room.until = kForever;
  if (least > 0) now.rooms.add(room);
  answer.in_open = true;
}

// A class with terms looks at each of its few groups instead.
void ClassIndex::note_rooms(Later& later, GroupId id, Answer& answer) {
  if (answer.in_growing || answer.future != Future::steady || elsewhere_) return;
  for (const auto& step : answer.steps)
    if (step.tasks > 0) later.rooms.add({step.from, id, answer.generation});
  answer.in_growing = true;
}

// The number of a group may have been reused for a group that is not this class's own.
void ClassIndex::look_through(Special& special) {
  if (special.groups.size() <= special.most) return;
  std::erase_if(special.groups, [&](GroupId id) {
    const auto& group = groups_.group(id);
    if (!group.nodes.empty() && concerns(group.timeline)) return false;
    own_answer(id).*special.in = false;
    return true;
  });
  constexpr std::size_t kFew = 64;
  special.most = 2 * special.groups.size() + kFew;
}

template <class View, class Visit>
void ClassIndex::each_special(View ClassIndex::*view, const Visit& visit) {
  const auto look_at = [&](ClassIndex& index, bool concerned) {
    auto& special = (index.*view).special;
    index.look_through(special);
    for (const auto id : special.groups) {
      const auto& group = groups_.group(id);
      if (group.nodes.empty() || concerns(group.timeline) != concerned) continue;
      const auto future = index.own_answer(id).future;
      if (future != Future::none && future != Future::steady) visit(id);
    }
  };
  look_at(*this, true);
  if (elsewhere_) look_at(*elsewhere_, false);
}

long long ClassIndex::room_now(Seconds duration, Seconds stay) {
  catch_up();
  const auto now = groups_.now();
  auto room = now_.sums.until(now + duration);
  int judged = now_.sums.judged;
  if (elsewhere_) {
    room += elsewhere_->now_.sums.until(now + duration);
    judged += elsewhere_->now_.sums.judged;
  }
  if (judged == 0) return room;
  each_special(&ClassIndex::now_, [&](GroupId id) {
    if (answer_of(id).future == Future::judged)
      room +=
          static_cast<long long>(groups_.group(id).nodes.size()) * room_in(id, now, duration, stay);
  });
  return room;
}

// Returns the room at `from` in groups whose answers are not steady, and adds its later changes to
// events_.
long long ClassIndex::note_special_rooms(Seconds duration, Time from, Time not_after) {
  long long room = 0;
  each_special(&ClassIndex::later_, [&](GroupId id) {
    const int nodes = groups_.group(id).nodes.size();
    scratch_.clear();
    rooms_to_start(id, duration, from, not_after, scratch_);
    int before = 0;
    for (const auto& step : scratch_) {
      const auto change = static_cast<long long>(nodes) * (step.tasks - before);
      if (step.from <= from)
        room += change;
      else
        events_.emplace_back(step.from, change);
      before = step.tasks;
    }
  });
  return room;
}

std::optional<Time> ClassIndex::earliest(int tasks, Seconds duration, Time from, Time not_after) {
  catch_up_for_later();
  const auto now = groups_.now();
  from = std::max(from, now);
  if (from > not_after) return std::nullopt;
  events_.clear();
  long long room = note_special_rooms(duration, from, not_after);
  struct Coming {
    const TimeSums::Entry *next, *end;
  };
  boost::container::static_vector<Coming, 3> coming;
  const auto add = [&](const std::vector<TimeSums::Entry>& changes) {
    coming.push_back({changes.data(), changes.data() + changes.size()});
  };
  for (auto* index : {this, elsewhere_}) {
    if (!index) continue;
    auto& sums = index->later_.sums;
    room += sums.now;
    if (from > now)
      room += sums.overdue;
    else if (sums.overdue != 0)
      events_.emplace_back(now + Seconds(1), sums.overdue);
    add(sums.gains.sorted());
  }
  std::sort(events_.begin(), events_.end());
  add(events_);
  for (Time when = from;;) {
    for (auto& [next, end] : coming)
      for (; next != end && next->first <= when; ++next) room += next->second;
    if (room >= tasks) return when;
    when = kForever;
    for (const auto& [next, end] : coming)
      if (next != end) when = std::min(when, next->first);
    if (when > not_after || when >= kForever) return std::nullopt;
  }
}

std::optional<long long> ClassIndex::most_room_at(Time when) {
  if (elsewhere_) return std::nullopt;
  catch_up_for_later();
  auto& sums = later_.sums;
  long long room = sums.now + sums.overdue + sums.gains.before(when + Seconds(1));
  bool known = true;
  each_special(&ClassIndex::later_, [&](GroupId id) {
    const auto& steps = own_answer(id).steps;
    known = known && !steps.empty();
    if (known)
      room += static_cast<long long>(groups_.group(id).nodes.size()) *
              step_at(steps, groups_.now(), when).tasks;
  });
  return known ? std::optional(room) : std::nullopt;
}

// --- one group --------------------------------------------------------------

int ClassIndex::room_in(GroupId id, Time start, Seconds duration, Seconds stay) {
  const auto now = groups_.now();
  const auto& answer = answer_of(id);
  if (answer.future == Future::none) return 0;
  const auto& timeline = groups_.group(id).timeline;
  if (start < now + timeline.closed) return 0;
  if (!answer.steps.empty()) return least_room(answer.steps, now, start, duration);
  const Stay when{start, stay};
  std::vector<RoomStep> steps;
  reader_.steps(timeline, of_, size_, &when, steps);
  return least_room(steps, now, start, duration);
}

bool ClassIndex::offer(GroupId id, Time start, Seconds duration, Seconds stay, Offer& out) {
  const auto now = groups_.now();
  const auto& timeline = groups_.group(id).timeline;
  const bool concerned = concerns(timeline);
  const auto& answer = concerned ? own_answer(id) : elsewhere_->own_answer(id);
  if (answer.future == Future::none) return false;
  const Stay when{start, stay};
  if (answer.future == Future::steady) {
    const auto& at_start = step_at(answer.steps, now, start);
    out.tasks = at_start.tasks;
    out.since = resolved(at_start.from, now);
    out.tasks_now = answer.steps.front().tasks;
    out.until = kForever;
  } else {
    if (start < now + timeline.closed) return false;
    if (answer.steps.empty()) reader_.steps(timeline, of_, size_, &when, scratch_);
    const auto& steps = answer.steps.empty() ? scratch_ : answer.steps;
    out.tasks = least_room(steps, now, start, duration);
    out.since = now;
    out.tasks_now = out.tasks;
    if (out.tasks > 0) out.until = less_from(steps, now, start + duration, out.tasks);
  }
  if (out.tasks == 0) return false;
  if (answer.future != Future::steady && start > now) look_back(id, start, duration, out);
  out.affinity =
      concerned && !of_.terms.empty() ? affinity_of(of_, timeline, when, now) : Affinity::neutral;
  return true;
}

bool ClassIndex::may_grow_from(Time since, GroupId id, Time start) {
  const auto& answer = answer_of(id);
  if (answer.future != Future::steady) return answer.future != Future::none;
  const auto& at_start = step_at(answer.steps, groups_.now(), start);
  return at_start.tasks > 0 && resolved(at_start.from, groups_.now()) >= since;
}

// Examines the group's room for earlier starts.
void ClassIndex::look_back(GroupId id, Time start, Seconds duration, Offer& out) {
  scratch_.clear();
  rooms_to_start(id, duration, groups_.now(), start, scratch_);
  out.tasks_now = scratch_.front().tasks;
  int before = 0;
  for (const auto& step : scratch_) {
    if (step.from > start) break;
    if (step.tasks > before) out.since = step.from;
    before = step.tasks;
  }
}

void ClassIndex::rooms_to_start(GroupId id, Seconds duration, Time from, Time bound,
                                std::vector<RoomStep>& out) {
  const auto now = groups_.now();
  const auto& answer = answer_of(id);
  const auto& timeline = groups_.group(id).timeline;
  if (answer.future == Future::none) return out.push_back({from, 0});
  if (const auto opens = now + timeline.closed; opens > from) {
    out.push_back({from, 0});
    if (opens > bound) return;
    from = opens;
  }
  if (!answer.steps.empty())
    return availability::rooms_to_start(answer.steps, now, from, bound, duration, out);
  std::vector<Time> cuts{from};
  each_admission_cut(of_, timeline, duration, [&](Time when) {
    if (when > from) cuts.push_back(when);
  });
  sort_unique(cuts);
  std::vector<RoomStep> steps;
  for (std::size_t i = 0; i < cuts.size() && cuts[i] <= bound; ++i) {
    const Stay stay{cuts[i], duration};
    const auto until = i + 1 < cuts.size() ? cuts[i + 1] - Seconds(1) : kForever;
    reader_.steps(timeline, of_, size_, &stay, steps);
    availability::rooms_to_start(steps, now, cuts[i], std::min(until, bound), duration, out);
  }
}

}  // namespace maui::availability
