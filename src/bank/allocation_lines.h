// The lines in which allocation managers are spoken to (docs/decisions/allocation-manager.md).
//
// A request is one line, DEED KEY=VALUE..., and so is its answer: OK, NO with a
// reason, or ERROR with a reason.  The same lines, one after the other, are what
// BANKTYPE FILE writes.
#pragma once
#include <string>
#include <string_view>

#include "maui/allocation_manager.h"

namespace maui {

/// Without the line's end.  In a value, blanks, control characters, '%' and what is not ASCII are
/// written as %XX.
std::string allocation_line(const AllocationRequest& request);
/// Anything but an answer is a failure.
AllocationAnswer parse_allocation_answer(std::string_view line);

}  // namespace maui
