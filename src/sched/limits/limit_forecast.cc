#include "sched/limits/limit_forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/placement.h"
#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

// A running job uses only the rest of these amounts, which shrinks as it runs.
constexpr std::size_t kProcSeconds = index_of(LimitKind::ps), kWallTime = index_of(LimitKind::wc);
constexpr std::size_t kProcessors = index_of(LimitKind::proc);

}  // namespace

void LimitForecast::Use::add(const Use& other, double times) {
  for (std::size_t i = 0; i < kLimitKinds; ++i) {
    fixed[i] += times * other.fixed[i];
    rate[i] += times * other.rate[i];
  }
}

LimitForecast::LimitForecast(const Cluster& cluster, Throttling& throttling, Time now, Ends ends)
    : cluster_(cluster), now_(now), throttling_(throttling) {
  if (!throttling_.any()) return;
  for (const auto& running : throttling.active())
    count(running.job, throttling.subjects_of(running.scope), running.amounts, now,
          ends == Ends::unforeseen ? kForever : std::max(running.ends, now + Seconds(1)));
}

void LimitForecast::add(const Job& job, const Request& shape, const Placement& placement,
                        Time start) {
  if (throttling_.any())
    add(job, throttling_.scope_of(job, &placement), throttling_.asks(shape, &placement), start,
        start + cluster_.limit_on(shape, placement));
}

void LimitForecast::remove(const Job& job) {
  for (std::uint32_t i = 0; i < uses_.size(); ++i) {
    if (uses_[i].job != &job) continue;
    uses_[i].job = nullptr;
    for (const auto subject : *uses_[i].subjects) {
      Line& line = lines_[subject];
      std::erase(line.uses, i);
      if (!line.drawn) continue;
      std::erase_if(line.changes, [i](const Change& change) { return change.use == i; });
      if (uses_[i].start <= now_) line.now.add(uses_[i].use, -1);
    }
  }
}

double LimitForecast::used(std::size_t subject, LimitKind kind, Time when) {
  const auto i = index_of(kind);
  const auto at = [&](const Use& use) {
    return use.fixed[i] - use.rate[i] * static_cast<double>((when - now_).raw());
  };
  const Line& line = line_of(subject);
  double sum = at(line.now);
  for (const Change& change : line.changes) {
    if (change.when > when) break;
    sum += (change.begins ? 1 : -1) * at(uses_[change.use].use);
  }
  return sum;
}

void LimitForecast::count(const Job* job, const std::vector<std::size_t>& subjects,
                          const LimitAmounts& amounts, Time start, Time end) {
  // A job may stay for longer than its limit lasts.
  const auto stays = static_cast<double>((end - start).raw());
  const bool outlasts = amounts[kWallTime] < stays;
  const Time used_up =
      outlasts ? start + Seconds(static_cast<std::int64_t>(amounts[kWallTime])) : end;
  Counted made{{amounts, {}}, job, start, end, &subjects};
  Counted time{{}, job, start, used_up, &subjects};
  Counted& shrinking = outlasts ? time : made;
  const auto left = static_cast<double>((used_up - now_).raw());
  for (const auto& [kind, rate] :
       {std::pair(kProcSeconds, amounts[kProcessors]), {kWallTime, 1.0}}) {
    made.use.fixed[kind] = 0;
    shrinking.use.rate[kind] = rate;
    shrinking.use.fixed[kind] = rate * left;
  }
  count(made);
  if (outlasts && used_up > start) count(time);
}

void LimitForecast::count(const Counted& made) {
  const auto& [use, job, start, end, subjects] = made;
  const auto number = static_cast<std::uint32_t>(uses_.size());
  uses_.push_back(made);
  for (const auto subject : *subjects) {
    if (lines_.size() <= subject) lines_.resize(subject + 1);
    Line& line = lines_[subject];
    line.uses.push_back(number);
    if (!line.drawn) continue;
    const auto insert = [&line](Change change) {
      const auto at =
          std::upper_bound(line.changes.begin(), line.changes.end(), change.when,
                           [](Time when, const Change& other) { return when < other.when; });
      line.changes.insert(at, change);
    };
    if (start <= now_)
      line.now.add(use, 1);
    else
      insert({start, number, true});
    insert({end, number, false});
  }
}

const LimitForecast::Line& LimitForecast::line_of(std::size_t subject) {
  if (lines_.size() <= subject) lines_.resize(subject + 1);
  Line& line = lines_[subject];
  if (!line.drawn) draw(line);
  return line;
}

// Fills in the line as if each use had been added when it was counted.
void LimitForecast::draw(Line& line) const {
  line.drawn = true;
  for (const auto number : line.uses) {
    const Counted& counted = uses_[number];
    if (counted.start <= now_)
      line.now.add(counted.use, 1);
    else
      line.changes.push_back({counted.start, number, true});
    line.changes.push_back({counted.end, number, false});
  }
  std::stable_sort(line.changes.begin(), line.changes.end(),
                   [](const Change& a, const Change& b) { return a.when < b.when; });
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Time LimitForecast::room_from(const LimitRule& rule, double limit, double asked, Time from) {
  const Line& line = line_of(rule.subject);
  const auto kind = index_of(rule.kind);
  double over_now = line.now.fixed[kind] + asked - limit;
  double rate = line.now.rate[kind];
  auto next = line.changes.begin();
  for (Time when = from;;) {
    for (; next != line.changes.end() && next->when <= when; ++next) {
      const Use& use = uses_[next->use].use;
      over_now += next->begins ? use.fixed[kind] : -use.fixed[kind];
      rate += next->begins ? use.rate[kind] : -use.rate[kind];
    }
    const double over = over_now - rate * static_cast<double>((when - now_).raw());
    if (over <= kLimitRounding) return when;
    Time later = next == line.changes.end() ? kForever : next->when;
    // A request without a time limit may take longer to fit than times can say.
    const double wait = rate > kLimitRounding ? std::ceil(over / rate) : kInfinity;
    if (wait < static_cast<double>((later - when).raw()))
      later = when + Seconds(static_cast<std::int64_t>(wait));
    if (later >= kForever) return kForever;
    when = later;
  }
}

Time LimitForecast::first_allowed(const Job& job, const Request& shape, Time from,
                                  const Placement* placement, Strictness level) {
  if (!throttling_.any()) return from;
  if (job.request.valid() && throttling_.asks_too_much(job, shape)) return kForever;
  if (placement || !throttling_.partitions_matter()) {
    const auto& scope = throttling_.scope_of(job, placement);
    return scope.active.empty()
               ? from
               : first_allowed_by(scope, throttling_.asks(shape, placement), from, level);
  }
  const auto asked = throttling_.asks(shape, nullptr);
  Time first = kForever;
  for (const auto* scope : throttling_.scopes_of(job, shape))
    first = std::min(first, first_allowed_by(*scope, asked, from, level));
  return first;
}

Time LimitForecast::first_allowed_by(const LimitRules::Scope& scope, const LimitAmounts& asked,
                                     Time from, Strictness level) {
  const auto& rules = scope.active;
  for (Time when = from; when < kForever;) {
    const Time before = when;
    for (const LimitRule& rule : rules)
      if (const double limit = limit_at(rule, level); limit > 0 && when < kForever)
        when = room_from(rule, limit, asked[index_of(rule.kind)], when);
    if (when == before) return when;
  }
  return kForever;
}

LeftByLimits LimitForecast::left_to(const Job& job, const Request& shape,
                                    const Placement& placement, Time when, Strictness level) {
  return left_by(throttling_.scope_of(job, &placement).active, level, shape,
                 [&](const LimitRule& rule) { return used(rule.subject, rule.kind, when); });
}

namespace {

/// Returns a slot on fewer or faster nodes than `slot`, which has more nodes, or for longer, than
/// limits leave: they let the job start there, and before `bound`.
std::optional<Slot> slot_on_better_nodes(const Cluster& cluster, LimitForecast& limits,
                                         const Job& job, const Request& shape,
                                         const StartSearch& search, const Slot& beyond,
                                         Time bound) {
  Request better = shape;
  const auto left = limits.left_to(job, shape, beyond.placement, beyond.start, search.level);
  const bool too_many = std::cmp_less(left.nodes, node_count(beyond.placement));
  if (too_many) {
    auto fewer = on_at_most(shape, left.nodes);
    if (!fewer) return std::nullopt;
    better = *std::move(fewer);
  }
  if (auto faster = on_fast_nodes(cluster, better, left.time))
    better = *std::move(faster);
  else if (!too_many)
    return std::nullopt;
  auto slot = search.next(better, beyond.start);
  if (!slot || slot->start >= bound || search.barred(*slot) > slot->start) return std::nullopt;
  const Time there = limits.first_allowed(job, better, slot->start, &slot->placement, search.level);
  return there == slot->start ? std::move(slot) : std::nullopt;
}

std::optional<Slot> first_start_in_shape(const Cluster& cluster, LimitForecast& limits,
                                         const Job& job, const Request& shape,
                                         const StartSearch& search) {
  for (Time from = search.from;;) {
    from = limits.first_allowed(job, shape, from, nullptr, search.level);
    if (from >= kForever) return std::nullopt;
    auto slot = search.next(shape, from);
    if (!slot) return std::nullopt;
    from = limits.first_allowed(job, shape, slot->start, nullptr, search.level);
    if (from == slot->start) from = search.barred(*slot);
    if (from > slot->start) continue;
    const Time there =
        limits.first_allowed(job, shape, slot->start, &slot->placement, search.level);
    if (there == slot->start) return slot;
    // This placement has more nodes than the job needs, or slower ones; after the next end, other
    // nodes may be free or limits may leave more.
    const auto active = cluster.active();
    const auto next = std::find_if(active.begin(), active.end(),
                                   [&](const Active& line) { return line.ends > slot->start; });
    from = next == active.end() ? there : std::min(there, next->ends);
    if (auto better = slot_on_better_nodes(cluster, limits, job, shape, search, *slot, from))
      return better;
    if (from >= kForever) return std::nullopt;
  }
}

}  // namespace

std::optional<Slot> first_start(const Cluster& cluster, LimitForecast& limits, const Job& job,
                                const Request& shape, const StartSearch& search) {
  const auto choice = limits.choice_of(job, shape);
  if (choice.size() <= 1) return first_start_in_shape(cluster, limits, job, shape, search);
  auto best = search.next(shape, search.from);
  const auto allowed = [&](const Slot& slot) {
    return limits.first_allowed(job, shape, slot.start, &slot.placement, search.level);
  };
  if (!best || (search.barred(*best) == best->start && allowed(*best) == best->start)) return best;
  // The free nodes may be in one partition while limits let the job start earlier in another.
  best.reset();
  Request there = shape;
  for (const auto partition : choice) {
    there.partitions = {partition};
    auto slot = first_start_in_shape(cluster, limits, job, there, search);
    if (slot && (!best || slot->start < best->start)) best = std::move(slot);
  }
  return best;
}

std::optional<Slot> slot_between(Timeline& timeline, const Job& job, const Request& shape,
                                 Time from, Time last) {
  const Time now = timeline.now();
  auto slot = from <= now && now <= last ? timeline.fits_now(job, shape) : std::nullopt;
  return slot ? std::move(slot) : timeline.earliest(job, shape, from, last);
}

std::optional<Slot> first_start(const Cluster& cluster, Timeline& timeline, LimitForecast& limits,
                                const Job& job, const Request& shape, Time not_before) {
  StartSearch search;
  search.from = std::max({timeline.now(), job.earliest_start, not_before});
  search.next = [&](const Request& wanted, Time from) {
    return slot_between(timeline, job, wanted, from, latest_start(cluster, job, wanted));
  };
  return first_start(cluster, limits, job, shape, search);
}

}  // namespace maui
