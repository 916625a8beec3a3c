// The path of a file without links, to tell whether two paths name one file that need not exist.
#pragma once
#include <filesystem>
#include <system_error>

namespace maui {

/// Follows the links of a path as far as it exists.  Where that fails, as in a circle of links,
/// returns the absolute path without "." and "..", links included.
inline std::filesystem::path resolved_path(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const auto whole = fs::absolute(path, failed);
  if (failed) return path.lexically_normal();
  auto found = fs::weakly_canonical(whole, failed);
  return failed ? whole.lexically_normal() : found.lexically_normal();
}

}  // namespace maui
