#include "sched/queue_forecast.h"

#include <algorithm>

#include "sched/limit_forecast.h"
#include "sched/preemption.h"
#include "sched/priority.h"

namespace maui {

QueueForecast forecast_queue(const Cluster& cluster, const Settings& settings, Time now,
                             std::size_t most) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, now, order);
  QueueForecast result;
  result.complete = order.size() <= most;
  order.resize(std::min(order.size(), most));
  Timeline timeline(cluster, settings, now, false);
  keep_for_suspended(timeline, cluster, settings, Job());
  LimitForecast limits(cluster, settings, now);
  for (const auto& ranked : order) {
    const auto& job = cluster.job(ranked.job);
    const auto& request = cluster.request(ranked.request);
    const auto slot = first_start(cluster, timeline, limits, job, request);
    result.starts.push_back({ranked.job, slot ? slot->start : kForever});
    if (!slot) continue;
    timeline.hold(job, request, slot->placement, slot->start);
    limits.add(job, request, *slot);
  }
  return result;
}

std::vector<StartShift> shifts(const QueueForecast& before, const QueueForecast& after) {
  std::vector<StartShift> moved;
  for (const auto& one : before.starts) {
    const auto now = std::find_if(after.starts.begin(), after.starts.end(),
                                  [&](const auto& other) { return other.job == one.job; });
    if (now != after.starts.end() && now->start != one.start)
      moved.push_back({one.job, one.start, now->start});
  }
  std::stable_sort(moved.begin(), moved.end(), [](const StartShift& a, const StartShift& b) {
    return a.after - a.before > b.after - b.before;
  });
  return moved;
}

}  // namespace maui
