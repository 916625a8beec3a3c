// The effect that a change of reservations would have on the queue, tried on a copy of the cluster.
#pragma once
#include <functional>

#include "cmd/context.h"

namespace maui {

DryRun dry_run(const Context& context, const std::function<void(Cluster&)>& change);

}  // namespace maui
