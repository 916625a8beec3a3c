// Which waiting jobs are eligible, and why the others are not.
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/plan.h"
#include "sched/limits/throttling.h"

namespace maui {

/// The eligible jobs, highest priority first; those that only a limit keeps out go into
/// `limited`.
std::vector<Plan::Ranked> eligible_jobs(const Context& context, Strictness level = Strictness::hard,
                                        std::vector<Throttling::Blocked>* limited = nullptr);
/// Jobs that are neither active nor eligible at this level, in order of arrival, and why.
struct BlockedJob {
  JobId job;
  std::string reason;
};
std::vector<BlockedJob> blocked_with_reasons(const Context& context, Strictness level);
/// Jobs that are neither active nor among the eligible ones, in order of arrival.
std::vector<JobId> blocked_jobs(const Context& context, const std::vector<Plan::Ranked>& eligible);

}  // namespace maui
