// Standard output and error of programs, where the reader may be gone, the device full, or a
// terminal could obey control characters in a name.
#pragma once
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/outside_text.h"
#include "base/text.h"

namespace maui {

/// Writes all of `text`.  Returns false if that failed and reports the error on standard error,
/// unless the reader has gone away and needs no message.
inline bool write_out(std::FILE* to, std::string_view text) noexcept {
  if (std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0)
    return true;
  const int why = errno;
  if (to != stdout || why == EPIPE) return false;
  const char* const reason = std::strerror(why);
  for (const char* part : {"ERROR:    cannot write the answer: ", reason, "\n"})
    std::fputs(part, stderr);
  return false;
}

/// Writes to standard output; returns false if that failed.
template <class... Args>
bool say(fmt::format_string<Args...> form, Args&&... args) {
  return write_out(stdout, printable_lines(fmt::format(form, std::forward<Args>(args)...)));
}

/// Writes to standard error.  Ignores failures, which could not be reported anywhere.
template <class... Args>
void warn_user(fmt::format_string<Args...> form, Args&&... args) {
  write_out(stderr, printable_lines(fmt::format(form, std::forward<Args>(args)...)));
}

/// Reports an error; returns the exit status for it.
inline int complain(std::string_view text, int status = 1) {
  warn_user("{}", prefixed_lines("ERROR:    ", text));
  return status;
}

}  // namespace maui
