// All of a text to a file that is open, however often the system takes only a part of it.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace maui {

/// False: errno says why; a part of it may be written.
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
