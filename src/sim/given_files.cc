#include "sim/given_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/same_file.h"

namespace maui {

std::optional<std::string> GivenFiles::given_before(std::size_t which) {
  const std::string& path = paths_[which];
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return std::nullopt;
  const auto known = std::find_if(files_.begin(), files_.end(),
                                  [&](const auto& file) { return same_file(file.second, about); });
  if (known == files_.end()) {
    files_.emplace_back(which, about);
    return std::nullopt;
  }
  const std::string& earlier = paths_[known->first];
  return earlier == path
             ? fmt::format("'{}' is given more than once: its jobs count once", path)
             : fmt::format("'{}' is the same file as '{}': its jobs count once", path, earlier);
}

}  // namespace maui
