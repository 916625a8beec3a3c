// A part of a long reply: which of its rows, in which order.
//
// The rows of a reply are those of its lists of structs, the ones of a dry run included.  What is
// chosen holds for every list that has the members which it names; a list that lacks one is left
// out, and where all do it is an error.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/reply.h"
#include "maui/result.h"

namespace maui {

/// A member of rows that they are ordered by; one of a member has a dot: expected_end.latest.
struct SortKey {
  std::string member;
  bool descending = false;
};

/// Reads "name" and "-procs,name"; a '-' stands before members that are ordered downwards.
Result<std::vector<SortKey>> parse_sort_keys(std::string_view text);

/// By how many members rows are chosen, and ordered, at most: each costs time and memory with every
/// row.
inline constexpr std::size_t kMostRowMembers = 8;

struct RowChoice {
  std::string list;                                        // only of this one; empty: of each
  std::vector<std::pair<std::string, std::string>> equal;  // members with these values
  std::string containing;     // some text of the row has this in it, whatever the case
  std::vector<SortKey> sort;  // one after the other; none: as they are
  std::size_t offset = 0;
  std::size_t most = static_cast<std::size_t>(-1);
};

/// Members of a reply over HTTP, beside its own.
inline constexpr std::string_view kRowTotalsMember = "row_totals", kRowLimitMember = "row_limit";

/// How many rows of a list fit the choice, before offset and most.
struct RowTotal {
  std::string list;
  std::size_t rows = 0;
};

struct ChosenRows {
  Reply reply;
  std::vector<RowTotal> totals;
};

/// The reply with these rows alone.  Rows that are equal in the members they are ordered by stay in
/// their order; what a row lacks comes last.
Result<ChosenRows> choose_rows(const Reply& whole, const RowChoice& asked);

/// An encoded reply that has the totals, too, as "row_totals": {"idle": 100000}, and how many rows
/// of a list it has at most, as "row_limit": 1000.
std::string encode_with_totals(std::string encoded, const std::vector<RowTotal>& totals,
                               std::size_t most);

}  // namespace maui
