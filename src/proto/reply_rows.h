// Selects and orders the rows of a long reply.
//
// The rows of a reply are those of its lists of structs, including the lists of a dry run.  A
// choice applies to each list that has the members it names; other lists are omitted, and if no
// list remains it is an error.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/reply.h"
#include "maui/result.h"

namespace maui {

/// A member by which rows are sorted; a nested member has a dot: expected_end.latest.
struct SortKey {
  std::string member;
  bool descending = false;
};

/// Parses "name" and "-procs,name"; '-' precedes members in descending order.
Result<std::vector<SortKey>> parse_sort_keys(std::string_view text);

/// The maximum number of members by which rows are selected and sorted: each costs time and memory
/// for every row.
inline constexpr std::size_t kMostRowMembers = 8;

struct RowChoice {
  std::string list;                                        // only this list; empty: all lists
  std::vector<std::pair<std::string, std::string>> equal;  // members with these values
  std::string containing;     // occurs in some text of the row, ignoring case
  std::vector<SortKey> sort;  // in order of precedence; none: unsorted
  std::size_t offset = 0;
  std::size_t most = static_cast<std::size_t>(-1);
};

/// Additional members of a reply over HTTP.
inline constexpr std::string_view kRowTotalsMember = "row_totals", kRowLimitMember = "row_limit";

/// The number of rows of a list that match the choice, before offset and most apply.
struct RowTotal {
  std::string list;
  std::size_t rows = 0;
};

struct ChosenRows {
  Reply reply;
  std::vector<RowTotal> totals;
};

/// Selects the rows of a reply in steps, since a reply may have very many.  Sorting is stable; rows
/// that lack the sort member come last.
class RowSelection {
 public:
  /// Requires that `whole` outlives the selection.
  RowSelection(const Reply& whole, const RowChoice& choice);
  RowSelection(RowSelection&&) noexcept;
  RowSelection& operator=(RowSelection&&) noexcept;
  ~RowSelection();

  /// Continues until the end (true), or until `enough` is true after a step (false).
  bool go_on(const std::function<bool()>& enough);
  /// Returns the reply with the chosen rows only.  Requires that go_on() has returned true.
  Result<ChosenRows> take();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// Selects the rows in one step.
Result<ChosenRows> choose_rows(const Reply& whole, const RowChoice& choice);

/// Adds the totals to an encoded reply as "row_totals": {"idle": 100000}, and the maximum rows per
/// list as "row_limit": 1000.
std::string encode_with_totals(std::string encoded, const std::vector<RowTotal>& totals,
                               std::size_t most);

}  // namespace maui
