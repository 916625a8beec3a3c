// The text of a dry run, which follows the text of the reply that contains it.
#pragma once
#include <string>

#include "maui/replies/dry_run.h"

namespace maui {

std::string as_text(const DryRun& run);

}  // namespace maui
