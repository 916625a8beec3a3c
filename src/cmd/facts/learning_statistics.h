// showstats -l: the accuracy of wallclock limits and of learned run times (docs/learning.md).
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"

namespace maui {

/// Shows everything to administrators, and to other users their own data only.
Answer learning_statistics(const Context& context);
/// Returns a sentence for each kind of job that ends in its interval less often than expected.
std::vector<std::string> interval_warnings(const Context& context);

}  // namespace maui
