// Standard output and error of programs: whoever reads them may be gone, or their device full, or a
// terminal that control characters in somebody's name would tell what to do.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "base/told_text.h"

namespace maui {

/// Writes all of `text` and returns true, or false where that failed.
inline bool write_out(std::FILE* to, std::string_view text) noexcept {
  return std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
}

/// Writes to standard output; false where that failed.
template <class... Args>
bool say(fmt::format_string<Args...> form, Args&&... args) {
  return write_out(stdout, printable_lines(fmt::format(form, std::forward<Args>(args)...)));
}

/// Writes to standard error.  Where that fails there is nobody left to say so to.
template <class... Args>
void warn_user(fmt::format_string<Args...> form, Args&&... args) {
  write_out(stderr, printable_lines(fmt::format(form, std::forward<Args>(args)...)));
}

}  // namespace maui
