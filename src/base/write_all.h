// Writes all of a text to an open file, even if the system accepts it only in parts.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace maui {

/// Returns false on an error, with errno set; part of the text may have been written.
inline bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace maui
