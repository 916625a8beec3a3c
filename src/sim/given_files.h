// Files that are named on a command line, each of which counts once.
#pragma once
#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace maui {

/// Finds files that are given more than once, whatever their names.
class GivenFiles {
 public:
  /// `paths` must outlive the object.
  explicit GivenFiles(std::span<const std::string> paths) : paths_(paths) {}
  /// Returns a warning if the file was given before, and nothing if it was not, or cannot be looked
  /// up.  Must be asked about all files, in order.
  std::optional<std::string> given_before(std::size_t which);

 private:
  std::span<const std::string> paths_;
  std::vector<std::pair<std::size_t, struct stat>> files_;  // by the first name of each
};

}  // namespace maui
