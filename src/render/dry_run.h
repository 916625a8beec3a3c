// The text of a dry run, which stands below that of the reply it is part of.
#pragma once
#include <string>

#include "maui/replies/dry_run.h"

namespace maui {

std::string as_text(const DryRun& run);

}  // namespace maui
