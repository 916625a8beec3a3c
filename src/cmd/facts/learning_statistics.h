// showstats -l: how good limits are, and what is expected beside them (docs/learning.md).
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"

namespace maui {

/// All of it for administrators, and for others what is theirs.
Answer learning_statistics(const Context& context);
/// A sentence for each kind of jobs that end in their intervals less often than they should.
std::vector<std::string> interval_warnings(const Context& context);

}  // namespace maui
