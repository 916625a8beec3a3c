#include "sched/priority/priority.h"

#include <algorithm>
#include <limits>

#include "model/processor_equivalents.h"
#include "sched/priority/eligibility.h"
#include "sched/priority/priority_weights.h"
#include "sched/priority/queue_sorts.h"
#include "sched/priority/waiting_priorities.h"

namespace maui {

namespace {

/// Returns the first of the rows for which value(row) is greatest.
template <class Rows, class Value>
const auto& greatest(const Rows& rows, Value value) {
  return *std::max_element(rows.begin(), rows.end(),
                           [&](const auto& a, const auto& b) { return value(a) < value(b); });
}

}  // namespace

PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job) {
  return PriorityJudge(cluster, settings, now).breakdown(cluster.job(job));
}

const SubcomponentInfo* driver_of(const PriorityBreakdown& breakdown, bool up) {
  const double sign = up ? 1 : -1;
  const auto contribution = [&](const ComponentInfo& info) {
    return breakdown.contribution[index_of(info.component)];
  };
  const auto& strongest =
      greatest(components(), [&](const ComponentInfo& info) { return sign * contribution(info); });
  const auto part = [&](const SubcomponentInfo& info) {
    return info.component == strongest.component ? breakdown.weighted[index_of(info.subcomponent)]
                                                 : 0;
  };
  double sum = 0;
  for (const SubcomponentInfo& info : subcomponents()) sum += part(info);
  // A negative weight of the component reverses the effect of its subcomponents.
  const double effect = (contribution(strongest) < 0) == (sum < 0) ? sign : -sign;
  const auto& driver =
      greatest(subcomponents(), [&](const SubcomponentInfo& info) { return effect * part(info); });
  return effect * part(driver) > 0 ? &driver : nullptr;
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

/// Maps higher priorities to lower numbers.
std::uint64_t falling(double exact) {
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::uint64_t>(kHighest) - static_cast<std::uint64_t>(rank_of(exact));
}

// RUNTIMELEARNING PRIORITY: orders jobs by unrounded priorities.  Jobs that have waited too
// long come first, by queue time and arrival; only jobs that an administrator placed come before
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
  // The queue is already sorted by the tie-breakers: queue time, then arrival.
  if (!priorities.rank_all(order)) sort_by_priority(order);
}

}  // namespace maui
