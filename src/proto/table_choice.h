// The rows and columns of an answer that a user wants to see: --columns, --sort, --limit.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "proto/reply_rows.h"

namespace maui {

struct TableChoice {
  bool list_columns = false;         // --columns help
  std::vector<std::string> columns;  // none: the most useful ones
  std::vector<SortKey> sort;         // none: the answer's order
  std::optional<std::size_t> limit;  // maximum rows per list

  bool any() const { return list_columns || !columns.empty() || !sort.empty() || limit; }
  RowChoice rows() const {
    RowChoice choice;
    choice.sort = sort;
    if (limit) choice.most = *limit;
    return choice;
  }
};

}  // namespace maui
