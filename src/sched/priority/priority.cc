#include "sched/priority/priority.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "model/processor_equivalents.h"
#include "sched/priority/eligibility.h"
#include "sched/priority/waiting_priorities.h"

namespace maui {
PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job) {
  return PriorityJudge(cluster, settings, now).breakdown(cluster.job(job));
}

const SubcomponentInfo* driver_of(const PriorityBreakdown& breakdown, bool up) {
  const double sign = up ? 1 : -1;
  const auto strongest =
      std::max_element(components().begin(), components().end(), [&](const auto& a, const auto& b) {
        const auto of = [&](const auto& subcomponent) {
          return sign * breakdown.contribution[static_cast<std::size_t>(subcomponent.component)];
        };
        return of(a) < of(b);
      });
  // A negative weight of the component reverses the effect of its parts.
  const auto size = [&](const SubcomponentInfo& info) {
    return info.component == strongest->component
               ? std::abs(breakdown.weighted[static_cast<std::size_t>(info.subcomponent)])
               : 0;
  };
  const auto& all = subcomponents();
  const auto most = std::max_element(
      all.begin(), all.end(), [&](const auto& a, const auto& b) { return size(a) < size(b); });
  return size(*most) > 0 ? &*most : nullptr;
}

std::vector<PriorityBreakdown> breakdowns_of(const Cluster& cluster, const Settings& settings,
                                             Time now, std::span<const JobId> jobs) {
  std::vector<PriorityBreakdown> all;
  if (jobs.empty()) return all;
  const PriorityJudge judge(cluster, settings, now);
  all.reserve(jobs.size());
  for (const auto job : jobs) all.push_back(judge.breakdown(cluster.job(job)));
  return all;
}

Time next_target(const Cluster& cluster, const Settings& settings, Time now,
                 const StalledJobs& stalled) {
  Time next = kForever;
  for (const auto& info : subcomponents()) {
    if (info.component != Component::target || !counts(settings, info)) continue;
    const PriorityJudge judge(cluster, settings, now);
    for (const auto& line : cluster.waiting())
      if (!line.held && !stalled.contains(line.job))
        next = std::min(next, judge.target_due(cluster.job(line.job)));
    break;
  }
  return next;
}

std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs) {
  std::vector<std::int64_t> priorities;
  for (const auto& breakdown : breakdowns_of(cluster, settings, now, jobs))
    priorities.push_back(breakdown.priority);
  return priorities;
}

std::vector<std::int64_t> priorities_in_queue(const Cluster& cluster, const Settings& settings,
                                              Time now, std::span<const JobId> jobs) {
  std::vector<std::int64_t> priorities;
  if (jobs.empty()) return priorities;
  const PriorityJudge judge(cluster, settings, now);
  priorities.reserve(jobs.size());
  for (const JobId id : jobs)
    priorities.push_back(judge.breakdown(in_queue(cluster.job(id))).priority);
  return priorities;
}

double processor_equivalents(const Cluster& cluster, const Request& request) {
  return processor_equivalents(cluster.configured(), request);
}

Reason why_not_considered(const Cluster& cluster, const Settings& settings, Time now, JobId job) {
  const auto reason = Eligibility(cluster, settings, now).of(cluster.job(job));
  if (reason != Reason::none || !settings.priority.reject_negative) return reason;
  return priority_of(cluster, settings, now, job).rejected ? Reason::negative_priority
                                                           : Reason::none;
}

namespace {

/// Sorts by descending priority; equal priorities keep their order.
void sort_by_priority(std::vector<Plan::Ranked>& order) {
  const auto before = [](const Plan::Ranked& a, const Plan::Ranked& b) {
    return a.priority > b.priority;
  };
  if (std::is_sorted(order.begin(), order.end(), before)) return;
  constexpr std::size_t kFew = 512;
  const auto [least, most] = std::minmax_element(
      order.begin(), order.end(),
      [](const Plan::Ranked& a, const Plan::Ranked& b) { return a.priority < b.priority; });
  const std::int64_t highest = most->priority;
  const auto below = [highest](const Plan::Ranked& ranked) {
    return static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(ranked.priority);
  };
  const std::uint64_t range = below(*least);
  if (order.size() < kFew || range >> 44U != 0)
    return std::stable_sort(order.begin(), order.end(), before);
  // Radix sort, least significant digit first.
  constexpr unsigned kBits = 11;
  std::vector<Plan::Ranked> sorted(order.size());
  for (unsigned shift = 0; range >> shift != 0; shift += kBits) {
    const auto digit = [&](const Plan::Ranked& ranked) {
      return static_cast<std::size_t>(below(ranked) >> shift & ((1U << kBits) - 1));
    };
    std::array<std::size_t, (std::size_t{1} << kBits) + 1> begins{};
    for (const Plan::Ranked& ranked : order) ++begins[digit(ranked) + 1];
    for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    for (const Plan::Ranked& ranked : order) sorted[begins[digit(ranked)]++] = ranked;
    order.swap(sorted);
  }
}

/// Maps higher priorities to lower numbers.
std::uint64_t falling(double exact) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(exact + 0.0);
  return (bits & kSign) != 0 ? bits : ~bits & ~kSign;
}

/// Sorts stably.
template <class Before>
void sort_few(std::span<std::uint32_t> turns, Before before) {
  constexpr std::size_t kFew = 32;
  if (turns.size() > kFew) return std::stable_sort(turns.begin(), turns.end(), before);
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const auto moved = turns[i];
    std::size_t at = i;
    for (; at > 0 && before(moved, turns[at - 1]); --at) turns[at] = turns[at - 1];
    turns[at] = moved;
  }
}

/// Sorts indexes into `numbers` stably by ascending number.
void sort_by_number(std::vector<std::uint32_t>& turns, std::span<const std::uint64_t> numbers) {
  const auto before = [numbers](auto a, auto b) { return numbers[a] < numbers[b]; };
  if (std::is_sorted(turns.begin(), turns.end(), before)) return;
  constexpr std::size_t kFew = 512;
  if (turns.size() < kFew) return std::stable_sort(turns.begin(), turns.end(), before);
  // Radix sort by the two leading digits of the distance from the least number, the second digit
  // first; few numbers share both digits.
  constexpr unsigned kBits = 11;
  constexpr std::uint32_t kDigit = (std::uint32_t{1} << kBits) - 1;
  const auto [least, most] = std::minmax_element(turns.begin(), turns.end(), before);
  const std::uint64_t first = numbers[*least];
  const auto width = static_cast<unsigned>(std::bit_width(numbers[*most] - first));
  const unsigned lowest = width > 2 * kBits ? width - 2 * kBits : 0;
  struct Key {
    std::uint32_t digits, turn;
    std::size_t low() const { return digits & kDigit; }
    std::size_t high() const { return digits >> kBits; }
  };
  std::vector<Key> keys(turns.size()), sorted(turns.size());
  std::array<std::uint32_t, kDigit + 2> lows{}, highs{};
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Key key{static_cast<std::uint32_t>((numbers[turns[i]] - first) >> lowest), turns[i]};
    ++lows[key.low() + 1], ++highs[key.high() + 1];
    keys[i] = key;
  }
  std::partial_sum(lows.begin(), lows.end(), lows.begin());
  std::partial_sum(highs.begin(), highs.end(), highs.begin());
  for (const Key key : keys) sorted[lows[key.low()]++] = key;
  for (const Key key : sorted) keys[highs[key.high()]++] = key;
  for (std::size_t i = 0; i < keys.size(); ++i) turns[i] = keys[i].turn;
  for (std::size_t begin = 0, end = 1; begin < keys.size(); begin = end++) {
    while (end < keys.size() && keys[end].digits == keys[begin].digits) ++end;
    if (end - begin > 1) sort_few(std::span(turns).subspan(begin, end - begin), before);
  }
}

// RUNTIMELEARNING PRIORITY: orders jobs by unrounded priorities.  Jobs that have waited too
// long come first, in order of arrival; only jobs that an administrator placed come before
// them.
void rank_exactly(const Cluster& cluster, const Settings& settings, Time now,
                  std::vector<Plan::Ranked>& order) {
  std::vector<Plan::Ranked> queue;
  std::vector<std::uint64_t> numbers;               // one for each job in `queue`
  std::vector<std::uint32_t> placed, late, others;  // indexes into `queue` and `numbers`
  queue.reserve(cluster.waiting().size());
  numbers.reserve(cluster.waiting().size());
  others.reserve(cluster.waiting().size());
  WaitingPriorities priorities(cluster, settings, now);
  for (const auto& line : cluster.waiting()) {
    const auto index = static_cast<std::uint32_t>(queue.size());
    priorities.rank(line, queue);
    if (queue.size() == index) continue;
    queue.back().late = waits_too_long(cluster, settings, now, line.queued, line.job);
    const double exact = priorities.exact();
    const bool is_placed = exact > static_cast<double>(kMaxPriority);
    numbers.push_back(queue.back().late && !is_placed ? 0 : falling(exact));
    (is_placed ? placed : queue.back().late ? late : others).push_back(index);
  }
  for (auto* turns : {&placed, &late, &others}) {
    sort_by_number(*turns, numbers);
    for (const auto turn : *turns) order.push_back(queue[turn]);
  }
}

}  // namespace

bool waits_too_long(const Cluster& cluster, const Settings& settings, Time now, Time queued,
                    JobId job) {
  return settings.learning.orders_queue() && now - queued > cluster.run_times.of(job).fair_wait;
}

void prioritise(const Cluster& cluster, const Settings& settings, Time now,
                std::vector<Plan::Ranked>& order) {
  order.clear();
  order.reserve(cluster.waiting().size());
  if (cluster.waiting().empty()) return;
  if (settings.learning.orders_queue()) return rank_exactly(cluster, settings, now, order);
  WaitingPriorities priorities(cluster, settings, now);
  priorities.rank_all(order);
  // The queue is already sorted by the tie-breakers: queue time, then arrival.
  sort_by_priority(order);
}

}  // namespace maui
