#include "sched/priority/priority.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sched/eligibility.h"
#include "sched/priority/priority_judge.h"

namespace maui {
namespace {

using S = Subcomponent;

// Does priority do nothing but count minutes queued?  Then the queue is in order as it stands.
bool first_come_first_served(const Settings& settings) {
  const PriorityWeights weights(settings, settings.priority);
  for (const auto* info : weights.counted)
    if (info->subcomponent != S::queue_time) return false;
  const auto& p = settings.priority;
  return settings.partition_weights.empty() && !qos_adds_weight(settings, S::queue_time) &&
         p.service.weight >= 0 && p.queue_time.weight >= 0;
}

}  // namespace

PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job) {
  return PriorityJudge(cluster, settings, now).breakdown(cluster.job(job));
}

const SubcomponentInfo* driver_of(const PriorityBreakdown& breakdown, bool up) {
  const double sign = up ? 1 : -1;
  const auto strongest =
      std::max_element(components().begin(), components().end(), [&](const auto& a, const auto& b) {
        const auto of = [&](const auto& one) {
          return sign * breakdown.contribution[static_cast<std::size_t>(one.component)];
        };
        return of(a) < of(b);
      });
  // A negative weight of the component turns its parts around.
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

Time next_target(const Cluster& cluster, const Settings& settings, Time now) {
  Time next = kForever;
  for (const auto& info : subcomponents()) {
    if (info.component != Component::target || !counts(settings, info)) continue;
    const PriorityJudge judge(cluster, settings, now);
    for (const auto& line : cluster.waiting())
      if (!line.held) next = std::min(next, judge.target_due(cluster.job(line.job)));
    break;
  }
  return next;
}

std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs) {
  std::vector<std::int64_t> priorities;
  for (const auto& one : breakdowns_of(cluster, settings, now, jobs))
    priorities.push_back(one.priority);
  return priorities;
}

double expansion_factor(const Cluster& cluster, const Settings& settings, Time now, JobId job) {
  const auto& waiting = cluster.job(job);
  const auto until = waiting.active() ? waiting.started : now;
  const auto limit =
      std::max(cluster.request(waiting.request).limit, settings.priority.xfactor_min_limit);
  const Seconds waited = std::max(until - waiting.queued, Seconds(0));
  return 1.0 + static_cast<double>(waited.raw()) /
                   static_cast<double>(std::max<std::int64_t>(1, limit.raw()));
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

void prioritise(const Cluster& cluster, const Settings& settings, Time now,
                std::vector<Plan::Ranked>& order) {
  order.clear();
  order.reserve(cluster.waiting().size());
  const bool by_arrival = first_come_first_served(settings);
  const auto& p = settings.priority;
  const bool capped_at_all = p.service.cap > 0 || p.queue_time.cap > 0;
  const Eligibility eligibility(cluster, settings, now);
  std::optional<PriorityJudge> judge;
  bool sorted = true;
  for (const auto& line : cluster.waiting()) {
    if (line.held) continue;
    if (by_arrival && !capped_at_all && !line.special && eligibility.plain()) {
      const double minutes = static_cast<double>((now - line.queued).raw()) / 60.0;
      const double value = p.service.weight * (p.queue_time.weight * minutes);
      const auto bounded = std::clamp(value, 0.0, static_cast<double>(kMaxPriority));
      order.push_back({line.job, line.request, static_cast<std::int64_t>(bounded)});
      continue;
    }
    const auto& job = cluster.job(line.job);
    if (eligibility.of(job) != Reason::none) continue;
    if (!judge) judge.emplace(cluster, settings, now);
    const auto rank = judge->breakdown(job);
    if (rank.rejected) continue;
    order.push_back({line.job, line.request, rank.priority});
    sorted = false;
  }
  // The queue stands in the order of the tie-breakers: queue time, then arrival.
  if (!sorted)
    std::stable_sort(order.begin(), order.end(), [](const Plan::Ranked& a, const Plan::Ranked& b) {
      return a.priority > b.priority;
    });
}

}  // namespace maui
