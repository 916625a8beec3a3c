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
#include "maui/run_identity.h"

namespace maui {

/// Returns the line without its line end.  In values, blanks, control characters, '%' and non-ASCII
/// bytes are written as %XX.
std::string allocation_line(const AllocationRequest& request);
/// The run of a request.  A scheduler that starts after another was killed may repeat a DEBIT or
/// RELEASE with times from another source.
struct AllocatedRun {
  AllocationDeed deed = AllocationDeed::reserve;
  RunIdentity identity;
  bool same_as(const AllocatedRun& other) const {
    return deed == other.deed && identity.same_as(other.identity);
  }
};
/// Parses a request; returns nullopt if the line is none.
std::optional<AllocatedRun> run_in(std::string_view line);
/// Parses an answer; anything else becomes a failure.
AllocationAnswer parse_allocation_answer(std::string_view line);

}  // namespace maui
