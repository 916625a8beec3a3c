// A request's target, "/api/v1/showq?limit=10": the words of its path, the pairs of its query.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/result.h"

namespace maui {

struct HttpTarget {
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> query;
};

/// Parses a target, then decodes percent signs once.  Returns an error if it does not begin with a
/// slash, has more words than allowed, or contains encoded control characters.
Result<HttpTarget> read_target(std::string_view target);

}  // namespace maui
