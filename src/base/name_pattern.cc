#include "base/name_pattern.h"

#include <fmt/format.h>

namespace maui {
namespace {

constexpr std::size_t kLongest = 200;  // characters of an expression

}  // namespace

Result<NamePattern> NamePattern::of(std::string_view expression) {
  if (expression.size() > kLongest)
    return Error{fmt::format("a regular expression of {} characters: expected at most {}",
                             expression.size(), kLongest)};
  if (expression.find('{') != std::string_view::npos)
    return Error{
        fmt::format("'{}': a regular expression may not count repetitions with {{}}", expression)};
  try {
    return NamePattern(std::regex(std::string(expression),
                                  std::regex::extended | std::regex_constants::__polynomial));
  } catch (const std::regex_error&) {
    return Error{fmt::format("invalid regular expression '{}'", expression)};
  }
}

}  // namespace maui
