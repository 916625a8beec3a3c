// Processor equivalents (PE): resources of several kinds expressed as processors (guide 3.2.1.7).
#pragma once
#include "maui/request.h"
#include "maui/resource_totals.h"

namespace maui {

/// Returns the share of all processors that equals the request's largest share of any resource,
/// given the resources configured in total.
double processor_equivalents(const ResourceTotals& configured, const Request& request);

}  // namespace maui
