#include "daemon/files/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace maui {
namespace {

/// The process that holds a lock.
struct Holder {
  bool may_be_ours = true;  // it may be of root or our own user: perhaps a scheduler
  std::string hidden;       // its number, if /proc hides whose it is (hidepid)
};

/// True if there is such a process of another user, who may be root.
bool is_hidden(std::string_view process) {
  const auto id = parse_integer<pid_t>(process);
  return id && *id > 0 && ::kill(*id, 0) != 0 && errno == EPERM;
}

/// Returns who holds a lock on this file.  The kernel does not list holders in other process
/// namespaces (containers), and some file systems list another device: then nobody knows who holds
/// it.
Holder holder_of(int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return {};
  const auto place =
      fmt::format("{:02x}:{:02x}:{}", major(about.st_dev), minor(about.st_dev), about.st_ino);
  std::ifstream locks("/proc/locks");
  bool listed = false;
  for (std::string line; std::getline(locks, line);) {
    const auto parts = words(line);  // "1: FLOCK ADVISORY WRITE 77 fe:01:4711 0 EOF"
    if (parts.size() < 6 || parts[1] != "FLOCK" || parts[5] != place) continue;
    listed = true;
    struct stat holder {};
    if (::stat(fmt::format("/proc/{}", parts[4]).c_str(), &holder) != 0)
      return {true, is_hidden(parts[4]) ? std::string(parts[4]) : std::string()};
    if (holder.st_uid == 0 || holder.st_uid == ::geteuid()) return {};
  }
  return {!listed, {}};
}

Error already_running(const std::string& path) {
  std::ifstream file(path);
  std::string owner;
  std::getline(file, owner);
  return Error{fmt::format("a scheduler is already running here (pid {}, lock file '{}')",
                           trimmed(owner).empty() ? "unknown" : trimmed(owner), path)};
}

Error locked_by_another(const std::string& home, const std::string& process) {
  return Error{fmt::format(
      "process {} of another user has locked the directory '{}', and /proc hides whose it is "
      "(hidepid): if it is no scheduler of root's, end it",
      process, home)};
}

}  // namespace

Result<LockFile> LockFile::take(const std::string& path, With with) {
  const int lock_kind = (with == With::nobody ? LOCK_EX : LOCK_SH) | LOCK_NB;
  const auto home = std::filesystem::path(path).parent_path().string();
  LockFile lock(::open(home.empty() ? "." : home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), -1,
                path);
  if (lock.directory_ < 0)
    return Error{fmt::format("cannot open the directory '{}': {}", home, std::strerror(errno))};
  // If directories cannot be locked, as on some network file systems, the lock file must suffice.
  if (::flock(lock.directory_, lock_kind) != 0 && errno == EWOULDBLOCK) {
    const Holder holder = holder_of(lock.directory_);
    if (!holder.hidden.empty()) return locked_by_another(home, holder.hidden);
    if (holder.may_be_ours) return already_running(path);
  }
  lock.descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock.descriptor_ < 0)
    return Error{fmt::format("cannot open the lock file '{}': {}", path, std::strerror(errno))};
  // Anybody who can open the file can hold its lock.  A file left over may have a wider mode.
  [[maybe_unused]] const int closed = ::fchmod(lock.descriptor_, 0600);
  if (::flock(lock.descriptor_, lock_kind) != 0) {
    ::close(std::exchange(lock.descriptor_, -1));  // not ours: leave its content alone
    return already_running(path);
  }
  if (!lock.in_place()) {  // removed by its holder before the unlock
    ::close(std::exchange(lock.directory_, -1));
    return take(path, with);
  }
  const auto pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.descriptor_, 0) != 0 ||
      ::write(lock.descriptor_, pid.data(), pid.size()) != static_cast<ssize_t>(pid.size()))
    return Error{fmt::format("cannot write the lock file '{}': {}", path, std::strerror(errno))};
  return lock;
}

LockFile::LockFile(LockFile&& other) noexcept
    : directory_(std::exchange(other.directory_, -1)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)) {}

// True if the path still leads to the open file.
bool LockFile::in_place() const {
  struct stat opened {
  }, found{};
  return ::fstat(descriptor_, &opened) == 0 && ::stat(path_.c_str(), &found) == 0 &&
         opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) {
    if (in_place()) ::unlink(path_.c_str());
    ::close(descriptor_);
  }
  if (directory_ >= 0) ::close(directory_);
}

}  // namespace maui
