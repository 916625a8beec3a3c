// Texts for a command's manual page that its row lacks: columns, examples, who sees what.
#pragma once
#include <span>
#include <string_view>

namespace maui {

struct ColumnText {
  std::string_view name;  // as printed
  std::string_view meaning;
};

struct ExampleText {
  std::string_view line;  // as typed
  std::string_view meaning;
};

struct CommandText {
  std::string_view command;
  std::string_view who =
      {};  // access that differs by operand or parameter, beyond the access in the row
  std::string_view more = {};  // a second paragraph of the description
  std::span<const ColumnText> columns = {};
  std::span<const ExampleText> examples = {};
  std::string_view see_also = {};
};

/// Returns the texts of a command, by its own name, not an alias; nullptr if there are none.
const CommandText* find_command_text(std::string_view command);

}  // namespace maui
