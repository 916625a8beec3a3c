#include "daemon/files/secret_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "config/files.h"
#include "proto/checksum.h"

namespace maui {
namespace {

Result<bool> has_secret(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 && errno == ENOENT) return false;
  const auto text = config::read_file(path);
  if (!text) return Error{fmt::format("'{}' {}", path, text.error().what)};
  const auto lines = split(*text, '\n');
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    const auto parts = words(line);
    return !parts.empty() && same_word(parts[0], "SECRET");
  });
}

}  // namespace

Status generate_secret(const std::string& path) {
  const auto known = has_secret(path);
  if (!known) return known.error();
  if (*known) return Error{fmt::format("'{}' has a SECRET already; remove that line first", path)};
  const int file = ::open(
      path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file < 0) return Error{fmt::format("cannot open '{}': {}", path, std::strerror(errno))};
  struct stat about {};
  if (::fstat(file, &about) != 0 || (about.st_mode & 007) != 0) {
    ::close(file);
    return Error{fmt::format("others can reach '{}': expected mode 0600 or 0640", path)};
  }
  const auto line = fmt::format(
      "\n# shared by the scheduler and its clients on other machines\n"
      "SECRET {}\n",
      random_digits(kSecretDigits / 2));
  const bool written = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int error = errno;
  if (::close(file) != 0 || !written)
    return Error{fmt::format("cannot write '{}': {}", path, std::strerror(error))};
  return Done{};
}

}  // namespace maui
