// The eligible waiting jobs, and why other waiting jobs are blocked.
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/plan.h"
#include "sched/limits/throttling.h"

namespace maui {

/// Returns the eligible jobs, highest priority first; `limited` receives the jobs that only a
/// throttling limit blocks.
std::vector<Plan::Ranked> eligible_jobs(const Context& context, Strictness level = Strictness::hard,
                                        std::vector<Throttling::Blocked>* limited = nullptr);
/// Returns jobs that are neither active nor eligible at this level, by arrival, with the reason.
struct BlockedJob {
  JobId job;
  std::string reason;
};
std::vector<BlockedJob> blocked_with_reasons(const Context& context, Strictness level);
/// Returns jobs that are neither active nor in `eligible`, by arrival.
std::vector<JobId> blocked_jobs(const Context& context, const std::vector<Plan::Ranked>& eligible);

}  // namespace maui
