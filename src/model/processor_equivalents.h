// Resources of several kinds as processors (guide 3.2.1.7).
#pragma once
#include "maui/request.h"
#include "maui/resources.h"

namespace maui {

/// Processors that are as great a part of all processors as the request is of what it takes the
/// greatest part of, where so much is configured in all.
double processor_equivalents(const Resources& configured, const Request& request);

}  // namespace maui
