// The lists of an answer as tables of chosen columns and rows.
//
// A column is a member of the list's rows, by its name in JSON; members of members have a dot in
// their names (expected_end.latest).  Each column is as wide as its widest cell.
#pragma once
#include <string>

#include "maui/reply.h"
#include "maui/result.h"
#include "proto/table_choice.h"

namespace maui {

/// The tables; with `choice.list_columns` the names of all columns.  A list that lacks a column by
/// which rows are sorted is left out.  Errors: the answer has no list, or none with a column of
/// that name.
Result<std::string> as_table(const Reply& reply, const TableChoice& choice, bool colour = false);

}  // namespace maui
