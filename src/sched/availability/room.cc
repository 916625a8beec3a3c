#include "sched/availability/room.h"

#include <algorithm>
#include <compare>

#include "base/sorted.h"
#include "maui/access_list.h"
#include "maui/request.h"
#include "model/sharing.h"

namespace maui::availability {
namespace {

using Quantity = Resources::Quantity;

/// Takes a part of an amount, which may be more than there is.
void take(std::vector<Quantity>& from, const Part& part) {
  from[part.first] = Resources::sum(from[part.first], part.second, -1);
}

bool lasts(Time start, Time end, Time when) { return start <= when && when < end; }

/// The other jobs on a node, as far as they matter to a class of question.
struct Others {
  int jobs = 0;
  int limited = 0;  // those that count for the node's limit of jobs
  int exclusive = 0;
  int of_user = 0;    // of the class's user
  int of_others = 0;  // of other users
  int owned = 0;      // of other users that own the node (SINGLEUSER)

  /// Counts a use that begins (1) or ends (-1) on a node without reservations.
  void count(const Use& use, int times, const QuestionClass& of) {
    if (!use.own && use.user == of.user) of_user += times;
    // A job under SINGLETASK excludes even another task of its own.
    if (use.own && use.access != NodeAccess::single_task) return;
    jobs += times;
    limited += times;
    if (excludes_others(use.access)) exclusive += times;
    if (!use.user.valid() || use.user == of.user) return;
    of_others += times;
    if (use.access == NodeAccess::single_user) owned += times;
  }
};

/// Returns the jobs of a presence, among whose exclusive ones are those by the limit for each user.
Others others_in(const Presence& there, const QuestionClass& of) {
  const auto is_other = [&](UserId user) { return user.valid() && user != of.user; };
  Others others;
  others.jobs = there.jobs;
  others.limited = there.limited;
  others.exclusive = there.exclusive;
  others.of_others = there.several || is_other(there.user) ? 1 : 0;
  others.owned = is_other(there.owner) ? 1 : 0;
  return others;
}

int tasks_beside(const Others& there, std::span<const Quantity> free, const QuestionClass& of,
                 const TaskSize& size, const NodeKind& kind) {
  if (kind.max_jobs > 0 && there.limited >= kind.max_jobs) return 0;
  if (kind.max_jobs_per_user > 0 && there.of_user >= kind.max_jobs_per_user) return 0;
  if (there.exclusive > 0 || there.owned > 0) return 0;
  switch (access_on(kind.access, of.access)) {
    case NodeAccess::shared:
      break;
    case NodeAccess::single_user:
      if (there.of_others > 0) return 0;
      break;
    case NodeAccess::dedicated:
      if (there.jobs > 0) return 0;
      break;
    case NodeAccess::single_task:
      return there.jobs > 0 ? 0 : std::min(1, tasks_in(free, size));
  }
  return tasks_in(free, size);
}

template <class Entry>
std::strong_ordering compare(std::span<const Entry> a, std::span<const Entry> b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

bool covered_before(const Tables& tables, const Use& a, const Use& b) {
  auto order = compare(tables.reservations_of(a.inside), tables.reservations_of(b.inside));
  if (order == 0) order = compare(tables.parts(a.amount), tables.parts(b.amount));
  return order < 0;
}

void join(Presence& presence, const Use& use, const NodeKind& kind) {
  ++presence.jobs;
  if (kind.max_jobs > 0 || kind.max_jobs_per_user > 0) ++presence.limited;
  if (excludes_others(use.access)) ++presence.exclusive;
  presence.several = presence.several || (presence.user.valid() && presence.user != use.user);
  presence.user = use.user;
  if (use.access != NodeAccess::single_user) return;
  // After an overrun two owners may overlap: nobody can join both.
  if (presence.owner.valid() && presence.owner != use.user) ++presence.exclusive;
  presence.owner = use.user;
}

}  // namespace

const Terms* terms_of(const QuestionClass& of, std::uint32_t reservation) {
  const auto at = std::lower_bound(
      of.terms.begin(), of.terms.end(), reservation,
      [](const Terms& terms, std::uint32_t wanted) { return terms.reservation < wanted; });
  return at == of.terms.end() || at->reservation != reservation ? nullptr : &*at;
}

bool admits(const QuestionClass& of, const Block& block, const Stay* stay) {
  const auto* terms = terms_of(of, block.reservation);
  if (!terms) return false;
  if (terms->overlap >= kUnlimited) return true;
  if (!stay) return false;
  const auto start = std::max(stay->start, block.start);
  return std::min(stay->start + stay->length, block.end) - start <= terms->overlap;
}

bool depends_on_start(const QuestionClass& of, const NodeTimeline& timeline) {
  return std::any_of(timeline.blocks().begin(), timeline.blocks().end(), [&](const Block& block) {
    const auto* terms = terms_of(of, block.reservation);
    return terms && terms->overlap < kUnlimited;
  });
}

Affinity affinity_of(const QuestionClass& of, const NodeTimeline& timeline, const Stay& stay,
                     Time now) {
  auto found = Affinity::neutral;
  for (const auto& block : timeline.blocks()) {
    if (block.end <= stay.start || stay.start + stay.length <= resolved(block.start, now)) continue;
    if (!admits(of, block, &stay)) continue;
    const auto affinity = terms_of(of, block.reservation)->affinity;
    if (affinity != Affinity::neutral && found != Affinity::negative) found = affinity;
  }
  return found;
}

Presence RoomReader::free_at(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                             const Stay* stay) {
  const auto& kind = tables_.kind_of(timeline.kind);
  const auto whole = tables_.whole(timeline.kind);
  free_.resize(tables_.consumables());
  std::fill(std::copy(whole.begin(), whole.end(), free_.begin()), free_.end(), 0);
  Presence presence;
  int of_user = 0;
  inside_.clear();
  for (const auto& use : timeline.uses()) {
    if (!lasts(use.start, use.end, when)) continue;
    for (const auto& part : tables_.parts(use.amount)) take(free_, part);
    // A job under SINGLETASK excludes even another task of its own.
    if (!use.own || use.access == NodeAccess::single_task) join(presence, use, kind);
    if (!use.own && use.user == of.user) ++of_user;
    if (!timeline.blocks().empty() && use.inside != 0) inside_.push_back({&use, {}});
  }
  if (kind.max_jobs_per_user > 0 && of_user >= kind.max_jobs_per_user) ++presence.exclusive;
  if (!timeline.blocks().empty())
    take_blocks(when, timeline, of, stay, presence);
  else if (of.confined)
    free_[kProcs.index()] = std::min(free_[kProcs.index()], 0);
  return presence;
}

// Subtracts amount_of(part) for each part of the block's amount.  If that is anything, the block
// counts as a job of somebody else: without room for one, it would be of no use.
template <class AmountOf>
void RoomReader::subtract(const Block& block, Presence& presence, const AmountOf& amount_of) {
  bool some = false;
  for (const auto& part : tables_.parts(block.amount)) {
    const auto quantity = amount_of(part);
    take(free_, {part.first, quantity});
    some = some || quantity != 0;
  }
  if (!some) return;
  ++presence.jobs;
  ++presence.limited;
  presence.several = true;
}

void RoomReader::take_blocks(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                             const Stay* stay, Presence& presence) {
  const bool covers = !inside_.empty() || of.confined;
  if (covers) begin_to_cover(timeline);
  // A job inside several reservations leaves those that admit the class to the class.
  for (const auto& block : timeline.blocks()) {
    if (!lasts(block.start, block.end, when) || admits(of, block, stay)) continue;
    if (covers) {
      cover(block);
      subtract(block, presence, [this](const auto& part) { return kept_[part.first]; });
    } else {
      subtract(block, presence, [](const auto& part) { return part.second; });
    }
  }
  if (of.confined) confine(when, timeline, of, stay);
}

// Prepares inside_ for cover().
void RoomReader::begin_to_cover(const NodeTimeline& timeline) {
  // Overlapping reservations first cover uses that no other covers, regardless of table numbers.
  if (inside_.size() > 1 && timeline.blocks().size() > 1)
    std::sort(inside_.begin(), inside_.end(), [&](const Inside& a, const Inside& b) {
      return covered_before(tables_, *a.use, *b.use);
    });
  for (auto& inside : inside_) {
    inside.left.assign(tables_.consumables(), 0);
    for (const auto& [what, quantity] : tables_.parts(inside.use->amount))
      inside.left[what] = quantity;
  }
}

// Writes what the block keeps besides the uses inside it to kept_.
void RoomReader::cover(const Block& block) {
  kept_.assign(tables_.consumables(), 0);
  for (const auto& [what, quantity] : tables_.parts(block.amount)) kept_[what] = quantity;
  for (auto& inside : inside_) {
    if (!tables_.contains(inside.use->inside, block.reservation)) continue;
    for (const auto& [what, quantity] : tables_.parts(block.amount)) {
      const auto both = std::clamp(kept_[what], 0, std::max(0, inside.left[what]));
      kept_[what] -= both;
      inside.left[what] -= both;
    }
  }
}

// Leaves to the class only what the blocks that admit it keep.
void RoomReader::confine(Time when, const NodeTimeline& timeline, const QuestionClass& of,
                         const Stay* stay) {
  const auto width = tables_.consumables();
  room_.assign(width, 0), held_.assign(width, 0);
  for (const auto& block : timeline.blocks()) {
    if (!lasts(block.start, block.end, when) || !admits(of, block, stay)) continue;
    cover(block);
    for (const auto& [what, quantity] : tables_.parts(block.amount)) {
      room_[what] = Resources::sum(room_[what], kept_[what]);
      held_[what] = Resources::sum(held_[what], quantity);
    }
  }
  for (std::size_t what = 0; what < width; ++what)
    if (what == kProcs.index() || held_[what] > 0) free_[what] = std::min(free_[what], room_[what]);
}

void RoomReader::look_up_times(const NodeTimeline& timeline) {
  times_.assign(1, kAlways);
  const auto add = [&](Time when) {
    if (when > kAlways && when < kForever) times_.push_back(when);
  };
  for (const auto& use : timeline.uses()) add(use.start), add(use.end);
  for (const auto& block : timeline.blocks()) add(block.start), add(block.end);
  sort_unique(times_);
}

void RoomReader::profile(const NodeTimeline& timeline, const QuestionClass& of, const Stay* stay,
                         Profile& out) {
  look_up_times(timeline);
  out.reset(kAlways, Resources(), tables_.consumables());
  for (const auto when : times_) {
    const auto presence = free_at(when, timeline, of, stay);
    if (when == kAlways) {
      out.level(0).presence = presence;
      std::copy(free_.begin(), free_.end(), out.free(0).begin());
    } else {
      out.append(when, presence, free_);
    }
  }
}

void RoomReader::steps(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size,
                       const Stay* stay, std::vector<RoomStep>& out) {
  out.clear();
  if (timeline.blocks().empty()) {
    if (of.confined)  // no reservation is there
      out.push_back({kAlways, 0});
    else
      sweep(timeline, of, size, out);
    return;
  }
  look_up_times(timeline);
  const auto& kind = tables_.kind_of(timeline.kind);
  for (const auto when : times_) {
    const auto presence = free_at(when, timeline, of, stay);
    const int tasks = tasks_beside(others_in(presence, of), free_, of, size, kind);
    if (out.empty() || out.back().tasks != tasks) out.push_back({when, tasks});
  }
}

void RoomReader::sweep(const NodeTimeline& timeline, const QuestionClass& of, const TaskSize& size,
                       std::vector<RoomStep>& out) {
  const auto& kind = tables_.kind_of(timeline.kind);
  const auto whole = tables_.whole(timeline.kind);
  free_.resize(tables_.consumables());
  std::fill(std::copy(whole.begin(), whole.end(), free_.begin()), free_.end(), 0);
  left_.assign(free_.begin(), free_.end());
  changes_.clear();
  Others others;
  const auto apply = [&](const Use& use, int times) {
    for (const auto& [what, quantity] : tables_.parts(use.amount)) {
      left_[what] -= std::int64_t{times} * quantity;
      free_[what] = static_cast<Quantity>(
          std::clamp<std::int64_t>(left_[what], -Resources::kMost, Resources::kMost));
    }
    others.count(use, times, of);
  };
  for (const auto& use : timeline.uses()) {
    if (use.start >= use.end) continue;
    if (use.start <= kAlways)
      apply(use, 1);
    else
      changes_.push_back({use.start, &use, 1});
    if (use.end < kForever) changes_.push_back({use.end, &use, -1});
  }
  std::sort(changes_.begin(), changes_.end());
  out.push_back({kAlways, tasks_beside(others, free_, of, size, kind)});
  for (auto change = changes_.begin(); change != changes_.end();) {
    const auto when = change->when;
    for (; change != changes_.end() && change->when == when; ++change)
      apply(*change->use, change->times);
    const int tasks = tasks_beside(others, free_, of, size, kind);
    if (out.back().tasks != tasks) out.push_back({when, tasks});
  }
}

int RoomReader::tasks_at_once(const NodeTimeline& timeline, const QuestionClass& of,
                              const TaskSize& size) {
  if (of.confined && timeline.blocks().empty()) return 0;
  const auto presence = free_at(kAlways, timeline, of, nullptr);
  return tasks_beside(others_in(presence, of), free_, of, size, tables_.kind_of(timeline.kind));
}

// --- steps ------------------------------------------------------------------

const RoomStep& step_at(const std::vector<RoomStep>& steps, Time now, Time when) {
  std::size_t i = 0;
  while (i + 1 < steps.size() && resolved(steps[i + 1].from, now) <= when) ++i;
  return steps[i];
}

int least_room(const std::vector<RoomStep>& steps, Time now, Time start, Seconds duration) {
  const auto& first = step_at(steps, now, start);
  int least = first.tasks;
  auto i = static_cast<std::size_t>(&first - steps.data());
  while (++i < steps.size() && resolved(steps[i].from, now) < start + duration) {
    // A step that ends when it begins does not count.
    if (i + 1 < steps.size() && resolved(steps[i + 1].from, now) <= resolved(steps[i].from, now))
      continue;
    least = std::min(least, steps[i].tasks);
  }
  return least;
}

Time less_from(const std::vector<RoomStep>& steps, Time now, Time after, int tasks) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const auto from = resolved(steps[i].from, now);
    if (from < after || steps[i].tasks >= tasks) continue;
    if (i + 1 < steps.size() && resolved(steps[i + 1].from, now) <= from) continue;
    return from;
  }
  return kForever;
}

void rooms_to_start(const std::vector<RoomStep>& steps, Time now, Time from, Time bound,
                    Seconds duration, std::vector<RoomStep>& out) {
  const auto begin = out.size();
  const auto add = [&](Time when, int tasks) {
    if (out.size() == begin || out.back().tasks != tasks) out.push_back({when, tasks});
  };
  if (steps.size() == 1) return add(from, steps.front().tasks);
  // The answer changes where room grows, and one duration before room shrinks.
  std::vector<Time> times{from};
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const bool grows = steps[i].tasks > steps[i - 1].tasks;
    const auto change = resolved(steps[i].from, now);
    const auto when = grows ? change : change - duration + Seconds(1);
    if (when > from && when <= bound) times.push_back(when);
  }
  sort_unique(times);
  for (const auto when : times) add(when, least_room(steps, now, when, duration));
}

}  // namespace maui::availability
