// Texts of the manual page of a command beside its row: columns, examples, who sees what.
#pragma once
#include <span>
#include <string_view>

namespace maui {

struct ColumnText {
  std::string_view name;  // as it is printed
  std::string_view meaning;
};

struct ExampleText {
  std::string_view line;  // as one types it
  std::string_view meaning;
};

struct CommandText {
  std::string_view command;
  std::string_view who =
      {};  // what the row's access does not say: it differs by operand or parameter
  std::string_view more = {};  // a second paragraph of the description
  std::span<const ColumnText> columns = {};
  std::span<const ExampleText> examples = {};
  std::string_view see_also = {};
};

/// The text beside the row of a command (not of another name of it); nullptr if there is none.
const CommandText* find_command_text(std::string_view command);

}  // namespace maui
