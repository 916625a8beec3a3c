// Writes outcomes as text: lines of words, the first of which names the line's kind.  The last line
// is "end", so that a truncated file is recognized.
#pragma once
#include <string>
#include <string_view>

#include "compare/outcome.h"
#include "maui/result.h"

namespace maui::compare {

std::string outcome_text(const Outcome& outcome);

/// Parses the text of outcome_text(); an error names the wrong line and what was expected there.
Result<Outcome> read_outcome_text(std::string_view text);

}  // namespace maui::compare
