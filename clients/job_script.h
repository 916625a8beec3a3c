// The head of a job script, which the server reads directives from (showstart --script).
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// The lines down to the first command; those without a directive are empty.  "-" is standard
/// input.  Refuses a head that is longer than any script has.
Result<std::string> script_head(const std::string& path);

}  // namespace maui
