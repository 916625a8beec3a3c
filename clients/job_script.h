// The head of a job script, which contains the directives (showstart --script).
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Returns the lines before the first command; lines without a directive are empty.  "-" is
/// standard input.  Refuses a head that is longer than any script's.
Result<std::string> script_head(const std::string& path);

}  // namespace maui
