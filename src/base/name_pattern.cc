#include "base/name_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <cstdint>

namespace maui {
namespace {

constexpr std::size_t kLongest = 200;  // characters of an expression

re2::RE2::Options options() {
  constexpr std::int64_t kMostMemory = 1 << 20;  // bytes, of one expression
  re2::RE2::Options made(re2::RE2::Quiet);
  made.set_encoding(re2::RE2::Options::EncodingLatin1);  // names may have any bytes
  made.set_posix_syntax(true);
  made.set_one_line(true);
  made.set_dot_nl(true);
  made.set_never_capture(true);
  made.set_max_mem(kMostMemory);
  return made;
}

}  // namespace

Result<NamePattern> NamePattern::of(std::string_view expression) {
  if (expression.size() > kLongest)
    return Error{fmt::format("a regular expression of {} characters: expected at most {}",
                             expression.size(), kLongest)};
  if (expression.find('{') != std::string_view::npos)
    return Error{
        fmt::format("'{}': a regular expression may not count repetitions with {{}}", expression)};
  auto regex = std::make_shared<const re2::RE2>(
      re2::StringPiece(expression.data(), expression.size()), options());
  if (!regex->ok()) return Error{fmt::format("invalid regular expression '{}'", expression)};
  return NamePattern(std::move(regex));
}

bool NamePattern::in(const std::string& name) const {
  return re2::RE2::PartialMatch(name, *regex_);
}

}  // namespace maui
