// Judges what became of the objects that a command was applied to.
#pragma once
#include <vector>

#include "maui/replies/job.h"
#include "maui/result.h"

namespace maui {

/// Succeeds if something was done; otherwise the error consists of the reasons, each once and
/// in a line of its own.
Status something_done(const std::vector<Outcome>& outcomes);

}  // namespace maui
