// Which use of resources is too much (RESOURCELIMITPOLICY, ENFORCERESOURCELIMITS;
// docs/decisions/resource-limits.md).
#pragma once
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/plan.h"
#include "maui/request.h"
#include "maui/settings.h"

namespace maui {

/// The rules that are enforced: RESOURCELIMITPOLICY, and for the resources that it does not name
/// RESOURCEUTILIZATIONPOLICY, which is ALWAYS where ENFORCERESOURCELIMITS alone is given.
std::vector<ResourceLimits> resource_rules(const JobSettings& settings);

/// The first rule that the job's use breaks, or nullptr.  Of memory, swap and disk a job that asked
/// for none may use any amount.
const ResourceLimits* broken_rule(const std::vector<ResourceLimits>& rules, const Job& job,
                                  const Request& request);

/// The parameters that are set and act on what jobs are reported to use; empty: none does.
std::string parameters_on_use(const Settings& settings);

/// The job would start if there were more to start it on.
bool waits_for_resources(Reason reason);

}  // namespace maui
