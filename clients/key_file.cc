#include "key_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/text.h"
#include "proto/checksum.h"

namespace maui {
namespace {

bool is_secret(std::string_view text) {
  return text.size() >= kSecretDigits &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

}  // namespace

Result<std::string> read_secret(const std::string& path) {
  struct stat about {};
  std::ifstream file(path);
  if (!file || ::stat(path.c_str(), &about) != 0)
    return Error{fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
  if ((about.st_mode & 007) != 0)
    return Error{
        fmt::format("'{}' is accessible to all users; its mode must be 0600 or 0640", path)};
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto parts = words(std::string_view(line).substr(0, line.find('#')));
    if (parts.empty()) continue;
    const bool named = same_word(parts[0], "SECRET");
    if (parts.size() == (named ? 2u : 1u) && is_secret(parts.back()))
      return std::string(parts.back());
    if (named)
      return Error{fmt::format("{}:{}: SECRET: expected at least {} hexadecimal digits", path,
                               number, kSecretDigits)};
  }
  return Error{fmt::format("'{}' has no line SECRET <hexadecimal digits>", path)};
}

}  // namespace maui
