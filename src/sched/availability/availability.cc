#include "sched/availability/availability.h"

#include <algorithm>

#include "base/sorted.h"
#include "maui/access_list.h"
#include "maui/hash.h"
#include "maui/request.h"
#include "sched/placement/requirement_fit.h"

namespace maui::availability {
namespace {

std::uint64_t hash_of(const QuestionClass& question) {
  auto hash = mix(mix(0, question.user.raw()), question.confined ? 1U : 0U);
  hash = mix(hash, static_cast<std::uint64_t>(question.access.usual) << 8 |
                       static_cast<std::uint64_t>(question.access.demanded));
  for (const auto& [what, amount] : task_size(question.per_task))
    hash = mix(hash, std::uint64_t{what} << 32 | static_cast<std::uint32_t>(amount));
  for (const auto serves : question.serves) hash = mix(hash, serves != 0 ? 1 : 0);
  for (const auto& terms : question.terms) {
    hash = mix(hash,
               std::uint64_t{terms.reservation} << 8 | static_cast<std::uint64_t>(terms.affinity));
    hash = mix(hash, static_cast<std::uint64_t>(terms.overlap.raw()));
  }
  return hash;
}

/// True if only the amount of room decides whether the question fits.
bool plain(const Question& question) {
  return !question.among && !question.each_of && !(question.shape && question.shape->shaped());
}

/// True if some node that must take a task is not among the usable nodes.
bool impossible(const Question& question) {
  return question.among && question.each_of &&
         question.among->common_size(*question.each_of) < question.each_of->size();
}

Requirement shape_of(const Question& question) {
  Requirement shape;
  if (question.shape) shape = *question.shape;
  shape.tasks = question.tasks;
  return shape;
}

}  // namespace

void Availability::begin(std::span<const std::uint32_t> kinds, Time now) {
  groups_.begin(kinds, now);
}

void Availability::advance(Time now) {
  groups_.advance(now);
  if (log_begin_ == groups_.log_begin()) return;
  log_begin_ = groups_.log_begin();
  for (auto& index : indexes_) index.rest();
}

void Availability::clear() {
  chosen_.reset();
  indexes_.clear();
  classes_.clear();
  groups_.begin({}, now());
  tables_ = Tables();
}

// --- events -------------------------------------------------------------------

// --- questions --------------------------------------------------------------

ClassId Availability::class_of(const QuestionClass& question) {
  const auto hash = hash_of(question);
  const auto [first, last] = classes_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (indexes_[at->second].of() == question) return at->second;
  ClassIndex* elsewhere = nullptr;
  if (!question.terms.empty()) {
    QuestionClass without = question;
    without.terms.clear();
    elsewhere = &indexes_[class_of(without)];
  }
  const auto made = static_cast<ClassId>(indexes_.size());
  tables_.amount(question.per_task);  // adds its consumables to the tables
  indexes_.emplace_back(question, groups_, reader_, elsewhere);
  classes_.emplace(hash, made);
  return made;
}

int Availability::nodes_of(const Question& question, GroupId group) const {
  const auto& nodes = groups_.group(group).nodes;
  return question.among ? nodes.common_size(*question.among) : nodes.size();
}

long long Availability::room_now(const Question& question) {
  auto& of = index(question);
  if (!question.among) return of.room_now(question.duration, question.stay);
  of.catch_up();
  long long room = 0;
  of.each_open([&](GroupId id) {
    room += static_cast<long long>(nodes_of(question, id)) *
            of.room_in(id, now(), question.duration, question.stay);
  });
  return room;
}

bool Availability::fits_now(const Question& question) {
  if (impossible(question)) return false;
  auto& of = index(question);
  // Named nodes may have less room than all nodes, never more.
  if (of.room_now(question.duration, question.stay) < question.tasks) return false;
  return plain(question) || counted(question, now());
}

// True if what could start then meets the node counts and host lists.
bool Availability::counted(const Question& question, Time start) {
  auto& of = index(question);
  if (start > now())
    of.catch_up_for_later();
  else
    of.catch_up();
  Need need(shape_of(question));
  int hosts = 0;
  const auto look_at = [&](GroupId id) {
    const auto& group = groups_.group(id);
    if (group.nodes.empty()) return;
    const int tasks = of.room_in(id, start, question.duration, question.stay);
    if (tasks == 0) return;
    need.offer(tasks, nodes_of(question, id));
    if (question.each_of) hosts += group.nodes.common_size(*question.each_of);
  };
  if (start > now()) {
    groups_.each_filled(look_at);
  } else {
    of.each_open(look_at);
  }
  return need.met() && (!question.each_of || hosts == question.each_of->size());
}

std::optional<Time> Availability::earliest(const Question& question, Time from, Time not_after) {
  if (impossible(question)) return std::nullopt;
  auto& of = index(question);
  from = std::max(from, now());
  // No earlier time is possible.
  const auto first = of.earliest(question.tasks, question.duration, from, not_after);
  if (!first || plain(question)) return first;
  from = *first;
  struct Event {
    Time when;
    int from, to, nodes, hosts;
  };
  std::vector<Event> events;
  groups_.each_filled([&](GroupId id) {
    const auto& group = groups_.group(id);
    if (of.never(id)) return;
    const int nodes = nodes_of(question, id);
    if (nodes == 0) return;
    const int hosts = question.each_of ? group.nodes.common_size(*question.each_of) : 0;
    scratch_.clear();
    of.rooms_to_start(id, question.duration, from, not_after, scratch_);
    int before = 0;
    for (const auto& step : scratch_) {
      if (step.tasks != before) events.push_back({step.from, before, step.tasks, nodes, hosts});
      before = step.tasks;
    }
  });
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.when < b.when; });
  Need need(shape_of(question));
  int hosts = 0;
  for (auto event = events.begin(); event != events.end();) {
    const auto when = event->when;
    if (when > not_after) break;
    for (; event != events.end() && event->when == when; ++event) {
      if (event->from > 0) need.offer(event->from, -event->nodes);
      if (event->to > 0) need.offer(event->to, event->nodes);
      hosts += event->hosts * ((event->to > 0 ? 1 : 0) - (event->from > 0 ? 1 : 0));
    }
    if (need.met() && (!question.each_of || hosts == question.each_of->size())) return when;
  }
  return std::nullopt;
}

bool Availability::fits_on(const Question& question, const Placement& placement, Time start) {
  if (stands_as_chosen(question, placement, start)) return true;
  auto& of = index(question);
  of.catch_up();
  const auto parts = placement.parts();
  return std::all_of(parts.begin(), parts.end(), [&](const Placement::Part& part) {
    return groups_.map().each_segment(part.nodes, [&](const GroupMap::Segment& segment) {
      return of.room_in(segment.group, start, question.duration, question.stay) >= part.tasks;
    });
  });
}

bool Availability::has_free_procs(const NodeTimeline& timeline) const {
  if (timeline.closed > Seconds(0)) return false;
  auto free = tables_.kind_of(timeline.kind).whole.procs();
  for (const auto& use : timeline.uses())
    if (resolved(use.start, now()) <= now()) free -= tables_.amount_of(use.amount).procs();
  return free > 0;
}

Placement Availability::on_free_nodes(const Placement& placement) const {
  Placement found;
  for (auto part : placement.parts())
    groups_.map().each_segment(part.nodes, [&](const GroupMap::Segment& segment) {
      part.nodes = segment.nodes;
      if (has_free_procs(groups_.group(segment.group).timeline)) found.add(part);
      return true;
    });
  return found;
}

std::vector<std::pair<Time, long long>> Availability::free_procs() const {
  std::vector<std::pair<Time, long long>> changes, here;
  long long free = 0;
  const auto procs_of = [&](std::uint32_t amount) { return tables_.amount_of(amount).procs(); };
  groups_.each_filled([&](GroupId id) {
    const auto& [timeline, nodes, generation, moment] = groups_.group(id);
    if (timeline.closed >= kUnlimited) return;
    here.clear();
    for (const auto& use : timeline.uses()) {
      here.emplace_back(resolved(use.start, now()), -procs_of(use.amount));
      here.emplace_back(resolved(use.end, now()), procs_of(use.amount));
    }
    std::sort(here.begin(), here.end());
    long long left = tables_.kind_of(timeline.kind).whole.procs(), before = 0;
    free += nodes.size() * std::max(left, 0LL);
    before = std::max(left, 0LL);
    for (std::size_t i = 0; i < here.size(); ++i) {
      left += here[i].second;
      if (i + 1 < here.size() && here[i + 1].first == here[i].first) continue;
      // Negative processors of an overcommitted node do not count against other nodes.
      const auto after = std::max(left, 0LL);
      if (after != before) changes.emplace_back(here[i].first, nodes.size() * (after - before));
      before = after;
    }
  });
  std::sort(changes.begin(), changes.end());
  std::vector<std::pair<Time, long long>> levels{{now(), free}};
  for (const auto& [when, change] : changes) {
    if (when > levels.back().first) levels.emplace_back(when, levels.back().second);
    levels.back().second += change;
  }
  return levels;
}

// --- nodes, groups, times -----------------------------------------------------

int Availability::tasks_on(std::uint32_t node, ClassId of, Time start, Seconds duration,
                           Seconds stay) {
  return indexes_[of].room_in(groups_.group_of(node), start, duration, stay);
}

void Availability::profile_of(std::uint32_t node, ClassId of, const Stay* stay, Profile& out) {
  const auto& timeline = timeline_of(node);
  Profile made;
  reader_.profile(timeline, indexes_[of].of(), stay, made);
  const auto end_of = [&](std::size_t level) {
    return level + 1 < made.size() ? resolved(made.level(level + 1).from, now()) : kForever;
  };
  out = made.first_level();
  out.level(0).from = now();
  for (std::size_t i = 1; i < made.size(); ++i) {
    const auto from = resolved(made.level(i).from, now());
    if (from < end_of(i)) out.append(from, made.level(i).presence, made.free(i));
  }
  if (timeline.closed > Seconds(0)) {
    const auto opens = timeline.closed >= kUnlimited ? kForever : now() + timeline.closed;
    out.change(now(), opens, Resources(), -1, true);
  }
}

std::vector<std::pair<Time, int>> Availability::room_on(std::uint32_t node, ClassId of) {
  const auto& question = indexes_[of].of();
  const auto& timeline = timeline_of(node);
  std::vector<RoomStep> steps;
  reader_.steps(timeline, question, task_size(question.per_task), nullptr, steps);
  const auto opens = timeline.closed >= kUnlimited ? kForever : now() + timeline.closed;
  std::vector<std::pair<Time, int>> room;
  if (opens > now()) room.emplace_back(now(), 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto end = i + 1 < steps.size() ? resolved(steps[i + 1].from, now()) : kForever;
    const auto from = std::max(resolved(steps[i].from, now()), opens);
    if (from < end) room.emplace_back(from, steps[i].tasks);
  }
  return room;
}

std::vector<Time> Availability::window_ends(ClassId of, const Stay& stay) {
  std::vector<Time> ends;
  Profile profile, worst;
  const auto& question = indexes_[of].of();
  const auto look_at = [&](GroupId id) {
    const auto& group = groups_.group(id);
    const auto& timeline = group.timeline;
    if (group.nodes.empty() || timeline.closed > Seconds(0)) return;
    // On other nodes the free resources only grow.
    if (!timeline.begins() && !(question.confined && !timeline.blocks().empty())) return;
    reader_.profile(group.timeline, question, &stay, profile);
    if (profile.level(0).presence.exclusive > 0 || profile.free(0)[kProcs.index()] <= 0) return;
    worst.set_to_worst_of(profile);
    for (std::size_t i = 1; i < worst.size(); ++i)
      ends.push_back(resolved(worst.level(i).from, now()));
  };
  if (question.terms.empty()) {
    groups_.each_filled(look_at);
  } else {
    for (const auto id : indexes_[of].reserved()) look_at(id);
  }
  sort_unique(ends);
  return ends;
}

template <class Visit>
void Availability::each_change(const NodeTimeline& timeline, ClassId of, Seconds stay,
                               const Visit& visit) const {
  if (timeline.closed < kUnlimited) visit(now() + timeline.closed);
  for (const auto& use : timeline.uses())
    visit(resolved(use.start, now())), visit(resolved(use.end, now()));
  for (const auto& block : timeline.blocks()) visit(resolved(block.start, now())), visit(block.end);
  each_admission_cut(indexes_[of].of(), timeline, stay, visit);
}

Time Availability::next_change(Time after, ClassId of, Seconds stay) const {
  Time next = kForever;
  groups_.each_filled([&](GroupId id) {
    each_change(groups_.group(id).timeline, of, stay, [&](Time when) {
      if (when > after) next = std::min(next, when);
    });
  });
  return next;
}

void Availability::add_changes_on(const NodeRuns& nodes, Time after, ClassId of, Seconds stay,
                                  std::vector<Time>& out) const {
  for (const auto run : nodes.runs())
    groups_.map().each_segment(run, [&](const GroupMap::Segment& segment) {
      each_change(groups_.group(segment.group).timeline, of, stay, [&](Time when) {
        if (when > after && when < kForever) out.push_back(when);
      });
      return true;
    });
}

}  // namespace maui::availability
