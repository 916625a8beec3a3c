#include "cmd/dry_run.h"

#include <algorithm>
#include <variant>

#include "cmd/context.h"
#include "cmd/facts/reply_values.h"

namespace maui {
namespace {

/// Enough to see where it hurts.  Every job costs the more the more nodes there are.
std::size_t most_foreseen(const Cluster& cluster) {
  constexpr std::size_t kLooks = 400000, kFewest = 50, kMost = 400;
  return std::clamp(kLooks / std::max<std::size_t>(1, cluster.nodes().size()), kFewest, kMost);
}

Cluster changed(const Cluster& cluster, const std::function<void(Cluster&)>& change) {
  Cluster made = cluster;
  change(made);
  return made;
}

}  // namespace

DryRunner::DryRunner(const Cluster& cluster, const Settings& settings, Time now,
                     const std::function<void(Cluster&)>& change)
    : settings_(settings),
      now_(now),
      before_(cluster),
      after_(changed(cluster, change)),
      without_(before_, settings_, now, most_foreseen(cluster)),
      with_(after_, settings_, now, most_foreseen(cluster)) {}

bool DryRunner::step() { return without_.step() || with_.step(); }

DryRun DryRunner::result() const {
  const QueueForecast& before = without_.forecast();
  DryRun found{raw(now_), static_cast<std::int64_t>(before.starts.size()), before.complete, {}};
  for (const auto& one : shifts(before, with_.forecast()))
    found.shifts.push_back({before_.job(one.job).name, raw(one.before), raw(one.after)});
  return found;
}

void DryRunner::complete(Reply& reply) const {
  std::visit(
      [this](auto& one) {
        if constexpr (requires { one.dry_run; }) one.dry_run = result();
      },
      reply);
}

void try_out(const Context& context, const std::function<void(Cluster&)>& change) {
  context.follow_up =
      std::make_unique<DryRunner>(context.cluster(), context.settings(), context.now(), change);
}

}  // namespace maui
