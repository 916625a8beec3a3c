// Rules that define an excessive use of resources (RESOURCELIMITPOLICY, ENFORCERESOURCELIMITS;
// docs/decisions/resource-limits.md).
#pragma once
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/plan.h"
#include "maui/request.h"
#include "maui/settings.h"

namespace maui {

/// Returns the rules in force: RESOURCELIMITPOLICY, and, for resources that it does not name,
/// RESOURCEUTILIZATIONPOLICY, which is ALWAYS if only ENFORCERESOURCELIMITS is set.
std::vector<ResourceLimits> resource_rules(const JobSettings& settings);

/// Returns the first rule that the job's use breaks, or nullptr.  A job that requested no memory,
/// swap or disk may use any amount of it.
const ResourceLimits* broken_rule(const std::vector<ResourceLimits>& rules, const JobUse& use,
                                  const Request& request);

/// Says by what the job's use breaks the rule: "it used 300 MB of memory, and had requested 200
/// MB".
std::string excess_words(const ResourceLimits& rule, const JobUse& use, const Request& request);

/// Returns the parameters in force that depend on the reported use of jobs; empty if none does.
std::string parameters_on_use(const Settings& settings);

/// True if the job would start if more resources were free.
bool waits_for_resources(Reason reason);

}  // namespace maui
