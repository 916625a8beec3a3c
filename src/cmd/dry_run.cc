#include "cmd/dry_run.h"

#include "cmd/facts.h"
#include "sched/queue_forecast.h"

namespace maui {

DryRun dry_run(const Context& context, const std::function<void(Cluster&)>& change) {
  // Enough to see where it hurts, and answered before the next iteration is due.
  constexpr std::size_t kMost = 1000;
  const Cluster& cluster = context.cluster();
  Cluster changed = cluster;
  change(changed);
  const auto before = forecast_queue(cluster, context.settings(), context.now(), kMost);
  const auto after = forecast_queue(changed, context.settings(), context.now(), kMost);
  DryRun result{
      raw(context.now()), static_cast<std::int64_t>(before.starts.size()), before.complete, {}};
  for (const auto& one : shifts(before, after))
    result.shifts.push_back({cluster.job(one.job).name, raw(one.before), raw(one.after)});
  return result;
}

}  // namespace maui
