// Which rows and columns of an answer a user wants to see: --columns, --sort, --limit.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "proto/reply_rows.h"

namespace maui {

struct TableChoice {
  bool list_columns = false;         // --columns help
  std::vector<std::string> columns;  // none: those that make sense for most
  std::vector<SortKey> sort;         // none: in the order of the answer
  std::optional<std::size_t> limit;  // rows of each list

  bool any() const { return list_columns || !columns.empty() || !sort.empty() || limit; }
  RowChoice rows() const {
    RowChoice choice;
    choice.sort = sort;
    if (limit) choice.most = *limit;
    return choice;
  }
};

}  // namespace maui
