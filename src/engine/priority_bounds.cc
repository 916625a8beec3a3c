// Priorities that reach the bounds of guide 5.1.1: jobs there stand in order of arrival, whatever
// the site's weights were meant to say.
#include <fmt/format.h>

#include <algorithm>

#include "engine/state.h"
#include "sched/priority/priority.h"

namespace maui {
namespace {

constexpr std::string_view kUpper =
    "WARNING: job '{}' has reached the highest priority, {}: {} {} drives it there; jobs at the "
    "bound stand in order of arrival";
constexpr std::string_view kLower =
    "WARNING: every priority is below zero and counts as zero: {} {} drives that of job '{}' "
    "there; jobs at the bound stand in order of arrival, unless ENABLENEGJOBPRIORITY is TRUE";

}  // namespace

/// Each of the two bounds once, until the settings change.
void Engine::State::tell_of_bounds() {
  // Those that an administrator has placed above the bound come first.
  const auto first =
      std::find_if(plan.order.begin(), plan.order.end(),
                   [](const Plan::Ranked& ranked) { return ranked.priority <= kMaxPriority; });
  if (first == plan.order.end()) return;
  const bool upper = first->priority == kMaxPriority;
  bool& told = upper ? upper_bound_told : lower_bound_told;
  if (told || (!upper && first->priority != 0)) return;
  const Job& job = cluster.job(first->job);
  const auto rank = priority_of(cluster, settings, now(), job.id);
  if (upper ? rank.sum < static_cast<double>(kMaxPriority) : rank.sum >= 0) return;
  const auto* driver = driver_of(rank, upper);
  if (driver == nullptr) return;
  told = true;
  const double weight = (settings.priority.*driver->weighting).weight;
  log(0, "fSCHED", [&] {
    return upper ? fmt::format(kUpper, job.name, kMaxPriority, driver->parameter, weight)
                 : fmt::format(kLower, driver->parameter, weight, job.name);
  });
}

}  // namespace maui
