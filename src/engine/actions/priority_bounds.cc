#include "engine/actions/priority_bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "sched/priority/priority.h"
#include "sched/priority/wait_sum.h"

namespace maui {
namespace {

constexpr std::string_view kUpper =
    "WARNING: job '{}' has reached the highest priority, {}, because of {} {}; jobs at this "
    "bound are ordered by queue time";
constexpr std::string_view kLower =
    "WARNING: all priorities are below zero and count as zero, that of job '{2}' because of "
    "{0} {1}; jobs at this bound are ordered by queue time, unless ENABLENEGJOBPRIORITY is TRUE";

}  // namespace

std::optional<std::string> PriorityBounds::warning(const Cluster& cluster, const Settings& settings,
                                                   const Plan& plan, Time now) {
  // Jobs that an administrator has placed above the bound come first.
  const auto first =
      std::find_if(plan.order.begin(), plan.order.end(),
                   [](const Plan::Ranked& ranked) { return ranked.priority <= kMaxPriority; });
  if (first == plan.order.end()) return std::nullopt;
  const bool upper = first->priority == kMaxPriority;
  bool& warned = upper ? upper_warned_ : lower_warned_;
  if (warned || (!upper && first->priority != 0)) return std::nullopt;
  const Job& job = cluster.job(first->job);
  const auto rank = priority_of(cluster, settings, now, job.id);
  if (upper ? rank.sum < static_cast<double>(kMaxPriority) : whole(rank.sum) >= 0)
    return std::nullopt;
  const auto* driver = driver_of(rank, upper);
  if (driver == nullptr) return std::nullopt;
  warned = true;
  const double weight = (settings.priority.*driver->weighting).weight;
  return upper ? fmt::format(kUpper, job.name, kMaxPriority, driver->parameter, weight)
               : fmt::format(kLower, driver->parameter, weight, job.name);
}

}  // namespace maui
