#include "base/program_url.h"

#include <fmt/format.h>

#include "base/text.h"

namespace maui {

Result<ProgramUrl> parse_program_url(std::string_view text) {
  constexpr std::string_view kProgram = "exec://", kFile = "file://", kTools = "$TOOLSDIR/";
  const auto scheme = lower(text.substr(0, kProgram.size()));
  ProgramUrl url;
  url.is_file = scheme == kFile;
  if (!url.is_file && scheme != kProgram) return Error{fmt::format("invalid URL '{}'", text)};
  auto rest = text.substr(kProgram.size());
  if (!url.is_file)
    if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
      for (const auto word : split(rest.substr(mark + 1), '&')) url.arguments.emplace_back(word);
      rest = rest.substr(0, mark);
    }
  for (const auto before : {std::string_view("/"), std::string_view()})
    if (rest.starts_with(before) && rest.substr(before.size()).starts_with(kTools))
      rest.remove_prefix(before.size() + kTools.size());
  if (rest.empty() || rest.ends_with('/'))
    return Error{fmt::format("'{}' names no {}", text, url.is_file ? "file" : "program")};
  url.path = rest;
  return url;
}

}  // namespace maui
