// A regular expression over names, as in canceljob x:EXPRESSION and setres: POSIX extended, matched
// anywhere in the name.
//
// Any user may supply an expression, so it must cost the scheduler very little: expressions are
// short, may not have repetition counts, which multiply, and are matched in time that depends only
// on their length and that of the name.
#pragma once
#include <cstddef>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "maui/result.h"

namespace maui {

/// Per command: each is matched against every known name.
inline constexpr std::size_t kMostExpressions = 20;

class NamePattern {
 public:
  static Result<NamePattern> of(std::string_view expression);
  bool in(const std::string& name) const { return std::regex_search(name, regex_); }

 private:
  explicit NamePattern(std::regex regex) : regex_(std::move(regex)) {}
  std::regex regex_;
};

}  // namespace maui
