// maui --relearn: run times are learned from files of records instead of what was learned before.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "maui/result.h"

namespace maui {

/// Replaces what the engine has learned by the runs in the given files, oldest first.  Keeps what
/// was learned, and returns an error, if these files contain nothing to learn from.
Status relearn(Engine& engine, const std::vector<std::string>& files,
               const std::function<void(std::string_view line)>& log);

}  // namespace maui
