#include "base/line_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/fence.h"
#include "base/same_file.h"
#include "base/write_all.h"

namespace maui {
namespace {

constexpr off_t kBlock = 4096;

off_t size_of(int file) {
  struct stat about {};
  return ::fstat(file, &about) == 0 ? about.st_size : 0;
}

bool is_regular(int file) {
  struct stat about {};
  return ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

/// Returns up to `count` bytes from `begin` on; nullopt if they cannot be read.
std::optional<std::string> bytes_of(int file, off_t begin, off_t count) {
  std::string bytes(static_cast<std::size_t>(count), '\0');
  const auto got = ::pread(file, bytes.data(), bytes.size(), begin);
  if (got < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

/// Returns the offset at which the last complete line ends; nullopt if that cannot be determined.
std::optional<off_t> end_of_lines(int file) {
  off_t block = 1;  // nearly always, the last byte ends a line
  for (off_t end = size_of(file); end > 0; block = kBlock) {
    const off_t begin = std::max<off_t>(0, end - block);
    const auto bytes = bytes_of(file, begin, end - begin);
    if (!bytes) return std::nullopt;
    const auto newline = bytes->rfind('\n');
    if (newline != std::string::npos) return begin + static_cast<off_t>(newline) + 1;
    end = begin;
  }
  return 0;
}

}  // namespace

Status LineFile::open(const std::string& path) {
  pass_fence();
  close();
  path_ = path;
  std::error_code ignored;  // an error of the directory shows in open()
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  file_ = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) return failure("open");
  if (!is_regular(file_)) {
    close();
    return Error{fmt::format("'{}' is not a regular file", path)};
  }
  return end_last_line();
}

/// Cuts off an incomplete last line; on a failure closes the file.
Status LineFile::end_last_line() {
  const auto whole = end_of_lines(file_);
  if (whole && (*whole == size_of(file_) || ::ftruncate(file_, *whole) == 0)) {
    whole_ = *whole;
    return Done{};
  }
  auto failed = failure(whole ? "cut off the incomplete line of" : "read");
  close();
  return failed;
}

bool LineFile::in_place() const { return is_at(file_, path_); }

bool LineFile::empty() const { return size_of(file_) == 0; }

std::string LineFile::tail(std::size_t most) const {
  const off_t size = size_of(file_), begin = std::max<off_t>(0, size - static_cast<off_t>(most));
  auto lines = bytes_of(file_, begin, size - begin).value_or(std::string());
  if (begin > 0) lines.erase(0, lines.find('\n') + 1);
  return lines;
}

Status LineFile::append(std::string_view lines) {
  pass_fence();
  if (size_of(file_) != whole_)  // something else has changed it
    if (auto ended = end_last_line(); !ended) return ended;
  unsynced_ = true;
  if (write_all(file_, lines)) {
    whole_ += static_cast<std::int64_t>(lines.size());
    return Done{};
  }
  auto failed = failure("write to");
  // If this fails, too, open() cuts the file the next time.
  [[maybe_unused]] const int cut = ::ftruncate(file_, whole_);
  close();
  return failed;
}

Status LineFile::sync() {
  if (!unsynced_ || file_ < 0) return Done{};
  if (::fdatasync(file_) != 0 && errno != EINVAL) return failure("save");  // EINVAL: no disk
  unsynced_ = false;
  return Done{};
}

void LineFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  unsynced_ = false;
}

Status LineFile::failure(std::string_view what) const {
  return Error{fmt::format("cannot {} '{}': {}", what, path_, std::strerror(errno))};
}

}  // namespace maui
