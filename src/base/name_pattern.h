// A regular expression over names, as in canceljob x:EXPRESSION and setres: POSIX extended, matched
// anywhere in the name.
//
// Any user may supply an expression, so it must cost the scheduler very little: expressions are
// short, may not have repetition counts, which multiply, and RE2 matches them in a time that is
// linear in the name, whatever they say.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "maui/result.h"

namespace re2 {
class RE2;
}

namespace maui {

/// Per command: each is matched against every known name.
inline constexpr std::size_t kMostExpressions = 20;

class NamePattern {
 public:
  static Result<NamePattern> of(std::string_view expression);
  bool in(const std::string& name) const;

 private:
  explicit NamePattern(std::shared_ptr<const re2::RE2> regex) : regex_(std::move(regex)) {}
  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace maui
