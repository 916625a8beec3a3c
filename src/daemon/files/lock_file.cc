#include "daemon/files/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/same_file.h"
#include "base/text.h"
#include "base/write_all.h"
#include "daemon/files/lock_holders.h"

namespace maui {
namespace {

std::string directory_of(const std::string& path) {
  const auto home = std::filesystem::path(path).parent_path().string();
  return home.empty() ? "." : home;
}

bool is_open_file(int descriptor, const struct stat& file) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && same_file(about, file);
}

std::string name_of(uid_t user) {
  const auto* entry = ::getpwuid(user);
  return entry != nullptr ? entry->pw_name : std::to_string(user);
}

/// Returns the descriptors that the program before this one, in the same process, did not close.
std::vector<int> inherited_descriptors() {
  std::vector<int> found;
  for (int file = STDERR_FILENO + 1; file < 1 << 10; ++file)
    if (const int flags = ::fcntl(file, F_GETFD); flags >= 0 && (flags & FD_CLOEXEC) == 0)
      found.push_back(file);
  return found;
}

Error running(const std::string& process, const std::string& path) {
  return Error{
      fmt::format("a scheduler is already running here (pid {}, lock file '{}')", process, path)};
}

Error running(const LockHolder& holder, const std::string& path) {
  return running(fmt::format("{}, command '{}'", holder.process, holder.command), path);
}

}  // namespace

Result<LockFile> LockFile::take(const std::string& path, With with) {
  LockFile lock(path, with == With::nobody ? LOCK_EX : LOCK_SH);
  if (auto status = lock.open_directory(); !status) return status.error();
  if (auto status = lock.lock_directory(); !status) return status.error();
  if (auto status = lock.take_file(); !status) return status.error();
  if (auto status = lock.make_mark(); !status) return status.error();
  if (auto status = lock.write_process_id(); !status) return status.error();
  return lock;
}

Status LockFile::open_directory() {
  const auto home = directory_of(path_);
  directory_ = ::open(home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory_ < 0 || ::fstat(directory_, &home_) != 0)
    return Error{fmt::format("cannot open the directory '{}': {}", home, std::strerror(errno))};
  adopt(home_);
  return Done{};
}

std::string LockFile::mark_name() const { return scheduler_mark(home_, kind_ == LOCK_SH); }

/// Returns the marks of schedulers that must not run beside this one.
std::vector<std::string> LockFile::other_marks() const {
  std::vector<std::string> marks{scheduler_mark(home_, false)};
  if (kind_ == LOCK_EX) marks.push_back(scheduler_mark(home_, true));
  return marks;
}

/// Takes over what this process kept when it began anew.
void LockFile::adopt(const struct stat& home) {
  const auto inherited = inherited_descriptors();
  const auto mark = mark_name();
  for (const int file : inherited)
    if (mark_ < 0 && is_mark(file, mark)) mark_ = file;
  if (mark_ < 0) return;
  struct stat lock_file {};
  const bool has_file = ::lstat(path_.c_str(), &lock_file) == 0;
  for (const int file : inherited) {
    const bool is_home = is_open_file(file, home);
    if (is_home) ::close(std::exchange(directory_, file));
    if (has_file && is_open_file(file, lock_file)) descriptor_ = file;
    if (is_home || file == descriptor_ || file == mark_) ::fcntl(file, F_SETFD, FD_CLOEXEC);
  }
}

// If directories cannot be locked, as on some network file systems, the lock file must suffice.
Status LockFile::lock_directory() {
  if (::flock(directory_, kind_ | LOCK_NB) == 0 || errno != EWOULDBLOCK) return Done{};
  const bool began_anew = mark_ >= 0;
  if (!began_anew) return check_holders();
  stranger_ = "a process of another user";
  return Done{};
}

/// Returns an error if a scheduler has locked the directory, or may have; else notes who has.
Status LockFile::check_holders() {
  const auto found = find_lock_holders(home_, other_marks(), mark_);
  if (found.scheduler) return running(*found.scheduler, path_);
  const auto note = [this](const LockHolder& stranger) {
    stranger_ = fmt::format("process {} ('{}') of user '{}'", stranger.process, stranger.command,
                            name_of(stranger.user));
    return Done{};
  };
  if (found.stranger && !found.suspect) return note(*found.stranger);
  if (found.all_seen) {
    stranger_ = "a process of another user";
    return Done{};
  }
  const auto taker = find_lock_taker(home_);
  if (taker && taker->user && !is_trusted(*taker->user))
    return note(described(taker->process, *taker->user));
  if (taker && taker->user) return running(described(taker->process, *taker->user), path_);
  const auto home = directory_of(path_);
  if (taker)
    return Error{fmt::format(
        "process {} of another user has locked the directory '{}', and /proc hides whose it is "
        "(hidepid): if it is no scheduler of root's, end it",
        taker->process, home)};
  if (found.suspect)
    return Error{fmt::format(
        "a scheduler is already running here, or may be: somebody has locked the directory '{}', "
        "and the files of process {} ('{}') cannot be seen: if that is another program, end "
        "whatever has the directory open",
        home, found.suspect->process, found.suspect->command)};
  return Error{
      fmt::format("a scheduler is already running here, or may be: somebody has locked the "
                  "directory '{}', and it cannot be determined who (in a container, or hidden by "
                  "/proc): if it is no scheduler, end whatever has the directory open",
                  home)};
}

Error LockFile::already_running() const {
  struct stat file {};
  if (::stat(path_.c_str(), &file) == 0)
    if (const auto found = find_lock_holders(file, {}); found.scheduler)
      return running(*found.scheduler, path_);
  std::ifstream in(path_);
  std::string owner;
  std::getline(in, owner);
  return running(trimmed(owner).empty() ? "unknown" : std::string(trimmed(owner)), path_);
}

/// Opens the file, if it is not open, and locks it.  `replaced`: its holder removed it before the
/// unlock.
LockFile::Taken LockFile::try_file() {
  if (descriptor_ < 0)
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return Taken::not_opened;
  // Anybody who can open the file can hold its lock.  A file left over may have a wider mode.
  [[maybe_unused]] const int closed = ::fchmod(descriptor_, 0600);
  const bool locked = ::flock(descriptor_, kind_ | LOCK_NB) == 0;
  if (locked && in_place()) return Taken::yes;
  ::close(std::exchange(descriptor_, -1));  // not ours: leave its content alone
  return locked ? Taken::replaced : Taken::held;
}

Status LockFile::take_file() {
  for (;;) switch (try_file()) {
      case Taken::yes:
        return Done{};
      case Taken::held:
        return already_running();
      case Taken::not_opened:
        return Error{
            fmt::format("cannot open the lock file '{}': {}", path_, std::strerror(errno))};
      case Taken::replaced:
        break;
    }
}

/// Makes the mark, and looks for others: a scheduler may run without the directory's lock, because
/// a stranger had it until now.  Of two that start at the same time, one sees the other's mark.
Status LockFile::make_mark() {
  if (mark_ >= 0) return Done{};
  mark_ = ::memfd_create(mark_name().c_str(), MFD_CLOEXEC);
  if (mark_ < 0)
    return Error{fmt::format("cannot mark the scheduler's process: {}", std::strerror(errno))};
  if (!stranger_.empty()) return check_holders();
  if (const auto other = find_marked(other_marks(), mark_)) return running(*other, path_);
  return Done{};
}

Status LockFile::write_process_id() const {
  if (::ftruncate(descriptor_, 0) == 0 && ::lseek(descriptor_, 0, SEEK_SET) == 0 &&
      write_all(descriptor_, fmt::format("{}\n", ::getpid())))
    return Done{};
  return Error{fmt::format("cannot write the lock file '{}': {}", path_, std::strerror(errno))};
}

/// If two do so at the same time, one of them sees the other's mark.
Status LockFile::cover_checkpoint(const std::string& path) {
  const auto anybodys = checkpoint_mark(path);
  const auto own = fmt::format("{}{}:{}", anybodys, home_.st_dev, home_.st_ino);
  const int mark = ::memfd_create(own.c_str(), MFD_CLOEXEC);
  if (mark < 0)
    return Error{fmt::format("cannot mark the checkpoint '{}': {}", path, std::strerror(errno))};
  const auto other = find_marked(
      [&](std::string_view found) { return found.starts_with(anybodys) && found != own; });
  const int given_up = other ? mark : std::exchange(checkpoint_mark_, mark);
  if (given_up >= 0) ::close(given_up);
  if (!other) return Done{};
  return Error{
      fmt::format("'{}' is the checkpoint of the scheduler of another home directory (pid {}, "
                  "command '{}')",
                  path, other->process, other->command)};
}

bool LockFile::home_replaced() const {
  struct stat found {};
  return ::stat(directory_of(path_).c_str(), &found) == 0 && !same_file(found, home_);
}

std::vector<std::string> LockFile::look_after() {
  std::vector<std::string> news;
  if (!stranger_.empty() && ::flock(directory_, kind_ | LOCK_NB) == 0) {
    stranger_.clear();
    news.push_back(fmt::format("the directory '{}' is locked", directory_of(path_)));
  }
  if (in_place()) return news;
  LockFile next(path_, kind_);
  // Another start, which is about to be refused, may have it for a moment.
  if (next.try_file() != Taken::yes) return news;
  const auto written = next.write_process_id();
  ::dup3(next.descriptor_, descriptor_, O_CLOEXEC);  // keeps its number
  ::close(std::exchange(next.descriptor_, -1));
  news.push_back(written ? fmt::format("ALERT: the lock file '{}' was missing, and has been made "
                                       "again",
                                       path_)
                         : "ALERT: " + written.error().what);
  return news;
}

LockFile::LockFile(LockFile&& other) noexcept
    : kind_(other.kind_),
      directory_(std::exchange(other.directory_, -1)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      mark_(std::exchange(other.mark_, -1)),
      checkpoint_mark_(std::exchange(other.checkpoint_mark_, -1)),
      home_(other.home_),
      path_(std::move(other.path_)),
      stranger_(std::move(other.stranger_)) {}

// True if the path still leads to the open file.
bool LockFile::in_place() const {
  struct stat found {};
  return ::stat(path_.c_str(), &found) == 0 && is_open_file(descriptor_, found);
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) {
    if (in_place()) ::unlink(path_.c_str());
    ::close(descriptor_);
  }
  if (checkpoint_mark_ >= 0) ::close(checkpoint_mark_);
  if (mark_ >= 0) ::close(mark_);
  if (directory_ >= 0) ::close(directory_);
}

}  // namespace maui
