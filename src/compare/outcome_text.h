// Outcomes as text: lines of words, the first of which says what the line is about.  The last one
// is "end", so that a file that was cut off is known as such.
#pragma once
#include <string>
#include <string_view>

#include "compare/outcome.h"
#include "maui/result.h"

namespace maui::compare {

std::string outcome_text(const Outcome& outcome);

/// Reads what outcome_text() wrote; an error says which line is wrong and what was expected there.
Result<Outcome> read_outcome_text(std::string_view text);

}  // namespace maui::compare
