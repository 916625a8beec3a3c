// The lines in which allocation managers are spoken to (docs/decisions/allocation-manager.md).
//
// A request is one line, DEED KEY=VALUE..., and so is its answer: OK, NO with a
// reason, or ERROR with a reason.  The same lines, one after the other, are what
// BANKTYPE FILE writes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "maui/allocation_manager.h"

namespace maui {

/// Without the line's end.  In a value, blanks, control characters, '%' and what is not ASCII are
/// written as %XX.
std::string allocation_line(const AllocationRequest& request);
/// The job and the time of a DEBIT.  After a scheduler was killed a debit may be repeated with
/// times from another source: two of one job are the same if their times from START to TIME
/// overlap, since a job runs once at a time.
struct Debit {
  std::string_view job;
  Time start{0}, end{0};
  bool same_as(const Debit& other) const;
};
/// Reads the debit of a line; nothing if the line is no DEBIT.
std::optional<Debit> debit_in(std::string_view line);
/// Anything but an answer is a failure.
AllocationAnswer parse_allocation_answer(std::string_view line);

}  // namespace maui
