#include "daemon/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"

namespace maui {

Result<LockFile> LockFile::take(const std::string& path) {
  LockFile lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644), path);
  if (lock.descriptor_ < 0)
    return Error{fmt::format("cannot open the lock file '{}': {}", path, std::strerror(errno))};
  if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> text{};
    const auto size = ::read(lock.descriptor_, text.data(), text.size() - 1);
    ::close(std::exchange(lock.descriptor_, -1));  // not ours: leave what it holds alone
    const auto owner = trimmed({text.data(), static_cast<std::size_t>(size > 0 ? size : 0)});
    return Error{fmt::format("a scheduler is already running here (pid {}, lock file '{}')",
                             owner.empty() ? "unknown" : owner, path)};
  }
  if (!lock.in_place()) return take(path);  // its holder removed it just before letting go
  const auto pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.descriptor_, 0) != 0 ||
      ::write(lock.descriptor_, pid.data(), pid.size()) != static_cast<ssize_t>(pid.size()))
    return Error{fmt::format("cannot write the lock file '{}': {}", path, std::strerror(errno))};
  return lock;
}

LockFile::LockFile(LockFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

// Whether the file at the path is the one that is open here.
bool LockFile::in_place() const {
  struct stat opened {
  }, found{};
  return ::fstat(descriptor_, &opened) == 0 && ::stat(path_.c_str(), &found) == 0 &&
         opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

LockFile::~LockFile() {
  if (descriptor_ < 0) return;
  if (in_place()) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace maui
