// The line protocol of allocation managers (docs/decisions/allocation-manager.md).
//
// A request is one line, DEED KEY=VALUE..., and so is its answer: OK, NO with a
// reason, or ERROR with a reason.  BANKTYPE FILE writes the same request lines,
// one after the other.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "maui/allocation_manager.h"

namespace maui {

/// Returns the line without its line end.  In values, blanks, control characters, '%' and non-ASCII
/// bytes are written as %XX.
std::string allocation_line(const AllocationRequest& request);
/// The job and the time of a DEBIT.  A scheduler that starts after another was killed may repeat a
/// debit with times from another source: two debits of a job are the same if their times from START
/// to TIME overlap, since a job runs only once at a time.
struct Debit {
  std::string_view job;
  Time start{0}, end{0};
  bool same_as(const Debit& other) const;
};
/// Parses the debit of a line; returns nullopt if the line is not a DEBIT.
std::optional<Debit> debit_in(std::string_view line);
/// Parses an answer; anything else becomes a failure.
AllocationAnswer parse_allocation_answer(std::string_view line);

}  // namespace maui
