#include "sched/limit_forecast.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maui {
namespace {

// A running job uses of these what it has left to run.
constexpr std::size_t kProcSeconds = index_of(LimitKind::ps), kWallTime = index_of(LimitKind::wc);
constexpr std::size_t kProcessors = index_of(LimitKind::proc);

constexpr double kRounding = 1e-6;  // sums of processor equivalents are no whole numbers

}  // namespace

LimitForecast::LimitForecast(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster), now_(now), throttling_(cluster, settings, now) {
  if (!throttling_.any()) return;
  for (const Active& line : cluster.active()) {
    const Job& job = cluster.job(line.job);
    const auto amounts = throttling_.asks(cluster.request(job.request), &job.placement);
    count(job, amounts, now, std::max(line.ends, now + Seconds(1)));
  }
}

void LimitForecast::add(const Job& job, const Request& shape, const Slot& slot) {
  if (!throttling_.any()) return;
  count(job, throttling_.asks(shape, &slot.placement), slot.start,
        slot.start + cluster_.limit_on(shape, slot.placement));
}

void LimitForecast::count(const Job& job, const LimitAmounts& amounts, Time start, Time end) {
  Use use{amounts, {}};
  const auto left = static_cast<double>((end - now_).raw());
  for (const auto& [kind, rate] :
       {std::pair(kProcSeconds, amounts[kProcessors]), {kWallTime, 1.0}}) {
    use.rate[kind] = rate;
    use.fixed[kind] = rate * left;
  }
  const auto number = static_cast<std::uint32_t>(uses_.size());
  for (const auto owner : throttling_.scope_of(job.credentials).owners) {
    if (lines_.size() <= owner) lines_.resize(owner + 1);
    Line& line = lines_[owner];
    const auto insert = [&line](Change one) {
      const auto at =
          std::upper_bound(line.changes.begin(), line.changes.end(), one.when,
                           [](Time when, const Change& other) { return when < other.when; });
      line.changes.insert(at, one);
    };
    if (start > now_)
      insert({start, number, true});
    else
      for (std::size_t i = 0; i < kLimitKinds; ++i) {
        line.now.fixed[i] += use.fixed[i];
        line.now.rate[i] += use.rate[i];
      }
    insert({end, number, false});
  }
  uses_.push_back(use);
}

Time LimitForecast::room_from(const LimitRule& rule, double asked, Time from) const {
  static const Line kNothing;
  const auto& line = rule.owner < lines_.size() ? lines_[rule.owner] : kNothing;
  const auto kind = index_of(rule.kind);
  double over_now = line.now.fixed[kind] + asked - static_cast<double>(rule.limit.hard);
  double rate = line.now.rate[kind];
  auto next = line.changes.begin();
  for (Time when = from;;) {
    for (; next != line.changes.end() && next->when <= when; ++next) {
      const Use& use = uses_[next->use];
      over_now += next->begins ? use.fixed[kind] : -use.fixed[kind];
      rate += next->begins ? use.rate[kind] : -use.rate[kind];
    }
    const double over = over_now - rate * static_cast<double>((when - now_).raw());
    if (over <= kRounding) return when;
    Time later = next == line.changes.end() ? kForever : next->when;
    if (rate > kRounding)
      later = std::min(later, when + Seconds(static_cast<std::int64_t>(std::ceil(over / rate))));
    if (later >= kForever) return kForever;
    when = later;
  }
}

Time LimitForecast::first_allowed(const Job& job, const Request& shape, Time from,
                                  const Placement* placement) {
  if (!throttling_.any()) return from;
  if (job.request.valid() && throttling_.asks_too_much(job)) return kForever;
  const auto& rules = throttling_.scope_of(job.credentials).active;
  if (rules.empty()) return from;
  const auto asked = throttling_.asks(shape, placement);
  for (Time when = from; when < kForever;) {
    const Time before = when;
    for (const LimitRule& rule : rules)
      if (rule.limit.hard > 0 && when < kForever)
        when = room_from(rule, asked[index_of(rule.kind)], when);
    if (when == before) return when;
  }
  return kForever;
}

std::optional<Slot> first_start(const Cluster& cluster, Timeline& timeline, LimitForecast& limits,
                                const Job& job, const Request& shape) {
  const Time now = timeline.now();
  for (Time from = std::max(now, job.earliest_start);;) {
    from = limits.first_allowed(job, shape, from);
    if (from >= kForever) return std::nullopt;
    // What starts now goes where a cycle would put it.
    auto slot = from <= now ? timeline.fits_now(job, shape) : std::nullopt;
    if (!slot) slot = timeline.earliest(job, shape, from);
    if (!slot) return std::nullopt;
    from = limits.first_allowed(job, shape, slot->start);
    if (from > slot->start) continue;
    const Time there = limits.first_allowed(job, shape, slot->start, &slot->placement);
    if (there == slot->start) return slot;
    // On these it is more nodes than it might have been: when something ends there may be others.
    const auto active = cluster.active();
    const auto next = std::find_if(active.begin(), active.end(),
                                   [&](const Active& line) { return line.ends > slot->start; });
    from = next == active.end() ? there : std::min(there, next->ends);
    if (from >= kForever) return std::nullopt;
  }
}

}  // namespace maui
