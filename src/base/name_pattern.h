// A regular expression over names, as canceljob x:EXPRESSION and setres take it: POSIX extended,
// found anywhere in the name.
//
// It comes from any user, and must cost the scheduler next to nothing: expressions are short, have
// no repetition counts, which multiply, and are matched in time that grows with their length and
// the name's alone.
#pragma once
#include <cstddef>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "maui/result.h"

namespace maui {

/// In one command: each is tried on every name that there is.
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
