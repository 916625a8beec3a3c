// Shows the lists of an answer as tables with the columns and rows that the user chose.
//
// A column is a member of the list's rows and has the member's JSON name; nested members have a dot
// (expected_end.latest).  Each column is as wide as its widest cell.
#pragma once
#include <string>

#include "maui/reply.h"
#include "maui/result.h"
#include "proto/table_choice.h"

namespace maui {

/// Returns the tables, or with `choice.list_columns` the names of all columns.  Omits lists that
/// lack a column by which rows are sorted.  Errors: the answer has no list, or no list with a
/// chosen column.
Result<std::string> as_table(const Reply& reply, const TableChoice& choice, bool colour = false);

}  // namespace maui
