#include "http/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "http/limits.h"

namespace maui {
namespace {

/// `blank`: '+' stands for a blank, as in a query.
Result<std::string> decoded(std::string_view text, bool blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && blank) {
      c = ' ';
    } else if (c == '%') {
      unsigned code = 0;
      const char* const first = text.data() + i + 1;
      if (i + 2 >= text.size() || std::from_chars(first, first + 2, code, 16).ptr != first + 2)
        return Error{"a percent sign is not followed by two hexadecimal digits"};
      c = static_cast<char>(code);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      return Error{"the target contains a control character"};
    out += c;
  }
  return out;
}

}  // namespace

Result<HttpTarget> read_target(std::string_view target) {
  if (!target.starts_with('/')) return Error{"the target must begin with a slash"};
  const auto mark = std::min(target.find('?'), target.size());
  HttpTarget read;
  for (const auto word : split(target.substr(1, mark - 1), '/')) {
    if (word.empty()) continue;
    auto text = decoded(word, /*blank=*/false);
    if (!text) return text.error();
    read.path.push_back(*std::move(text));
  }
  if (mark < target.size())
    for (const auto pair : split(target.substr(mark + 1), '&')) {
      if (pair.empty()) continue;
      const auto equals = std::min(pair.find('='), pair.size());
      auto name = decoded(pair.substr(0, equals), true);
      auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true);
      if (!name) return name.error();
      if (!value) return value.error();
      read.query.emplace_back(*std::move(name), *std::move(value));
    }
  if (read.path.size() > kMostWords || read.query.size() > kMostWords)
    return Error{fmt::format("a path and a query have at most {} words each", kMostWords)};
  return read;
}

}  // namespace maui
