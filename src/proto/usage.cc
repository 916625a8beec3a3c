// Usage texts, generated from the command's row and the table of general options.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "proto/arguments.h"
#include "proto/general_options.h"

namespace maui {
namespace {

// Help texts begin in this column, or on the next line if the flag is too long.
constexpr std::size_t kColumn = 30;
constexpr std::size_t kWidth = 80;

std::string line(std::string left, std::string_view help) {
  left.insert(0, "  ");
  std::string text;
  if (left.size() + 2 > kColumn)
    text = std::exchange(left, std::string(kColumn, ' ')) + "\n";
  else
    left.resize(kColumn, ' ');
  for (const auto word : split(help, ' ')) {
    if (left.size() > kColumn && left.size() + 1 + word.size() > kWidth)
      text += std::exchange(left, std::string(kColumn, ' ')) + "\n";
    if (left.size() > kColumn) left += ' ';
    left += word;
  }
  return text + left + "\n";
}

}  // namespace

std::string flag_form(const Flag& flag) {
  std::string text = flag.letter != 0 ? fmt::format("-{}", flag.letter) : "";
  if (!flag.name.empty()) text += fmt::format("{}--{}", text.empty() ? "" : ", ", flag.name);
  if (flag.argument.empty()) return text;
  return text + (flag.optional_argument ? fmt::format(" [{}]", flag.argument)
                                        : fmt::format(" {}", flag.argument));
}

std::string flag_form(const CommandSpec& spec, const GeneralOption& option) {
  const bool own = find_flag(spec, std::string_view(&option.letter, 1)) != nullptr;
  std::string text = option.letter != 0 && !own ? fmt::format("-{}, ", option.letter) : "";
  text += fmt::format("--{}", option.name);
  if (!option.argument.empty()) text += fmt::format("={}", option.argument);
  return text;
}

std::string usage(const CommandSpec& spec) {
  std::string text = fmt::format("Usage: {} [FLAGS]{}{}\n{}\n", spec.name,
                                 spec.operands.empty() ? "" : " ", spec.operands, spec.help);
  if (!spec.flags.empty()) text += "\nFlags:\n";
  for (const Flag& flag : spec.flags) text += line(flag_form(flag), flag.help);
  text += "\nFlags of every command:\n";
  for (const auto& option : general_options()) text += line(flag_form(spec, option), option.help);
  return text;
}

}  // namespace maui
