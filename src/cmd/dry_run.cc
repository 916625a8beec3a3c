#include "cmd/dry_run.h"

#include <algorithm>

#include "cmd/facts.h"
#include "sched/query/queue_forecast.h"

namespace maui {
namespace {

/// Enough to see where it hurts.  Nobody else is answered meanwhile, and every job costs the more
/// the more nodes there are: so many take no longer than an iteration may.
std::size_t most_foreseen(const Cluster& cluster) {
  constexpr std::size_t kLooks = 400000, kFewest = 50, kMost = 400;
  return std::clamp(kLooks / std::max<std::size_t>(1, cluster.nodes().size()), kFewest, kMost);
}

}  // namespace

DryRun dry_run(const Context& context, const std::function<void(Cluster&)>& change) {
  const Cluster& cluster = context.cluster();
  const std::size_t most = most_foreseen(cluster);
  Cluster changed = cluster;
  change(changed);
  const auto before = forecast_queue(cluster, context.settings(), context.now(), most);
  const auto after = forecast_queue(changed, context.settings(), context.now(), most);
  DryRun result{
      raw(context.now()), static_cast<std::int64_t>(before.starts.size()), before.complete, {}};
  for (const auto& one : shifts(before, after))
    result.shifts.push_back({cluster.job(one.job).name, raw(one.before), raw(one.after)});
  return result;
}

}  // namespace maui
