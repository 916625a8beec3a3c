// The target of a request, "/api/v1/showq?limit=10": the words of its path, the pairs of its query.
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

/// Percent signs are decoded once, after everything is taken apart.  An error where it does not
/// begin with a slash, has more words than a request may have, or stands for control characters.
Result<HttpTarget> read_target(std::string_view target);

}  // namespace maui
