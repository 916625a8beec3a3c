#include "daemon/lease/lease_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "daemon/boot_id.h"
#include "daemon/files/safe_file.h"

namespace maui {
namespace {

constexpr off_t kLine = 512;

off_t line_of(std::int64_t generation) { return static_cast<off_t>(generation - 1) * kLine; }

bool is_missing(const std::string& path) {
  return ::access(path.c_str(), F_OK) != 0 && errno == ENOENT;
}

Error missing(const std::string& path) {
  return Error{
      fmt::format("missing lease '{}': expected the directory that all hosts of SERVERHOST "
                  "share, mounted here; maui --create-lease prepares a new directory, once",
                  path)};
}

Error failed(std::string_view what, const std::string& path) {
  return Error{fmt::format("cannot {} the lease '{}': {}", what, path, std::strerror(errno))};
}

/// Opens the file anew each time, because NFS checks for changes when a file is opened.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : file_(::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600)) {}
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

struct flock lock_from(std::int64_t generation, off_t length, short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = line_of(generation);
  lock.l_len = length;
  return lock;
}

/// True if another process holds a lock there, or if that cannot be determined.
bool locked_by_another(int file, std::int64_t generation, off_t length) {
  auto lock = lock_from(generation, length, F_WRLCK);
  return ::fcntl(file, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

/// Returns an error if the line cannot be read: it must not count as one that nobody has written.
Result<std::string> line_at(int file, std::int64_t generation, const std::string& path) {
  std::string line(kLine, '\0');
  const auto got = ::pread(file, line.data(), line.size(), line_of(generation));
  if (got < 0) return failed("read", path);
  line.resize(static_cast<std::size_t>(got));
  line.erase(std::min(line.find_first_of(std::string_view("\0\n", 2)), line.size()));
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Returns the last line written.  First drops this machine's cache of the file, since opening does
/// not do so on every file system (GlusterFS without auto-invalidation).
Result<std::optional<LeaseSeen>> newest(int file, const std::string& path) {
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  struct stat about {};
  if (::fstat(file, &about) != 0) return failed("examine", path);
  for (std::int64_t at = (about.st_size + kLine - 1) / kLine; at > 0; --at) {
    auto text = line_at(file, at, path);
    if (!text) return text.error();
    if (text->empty()) continue;
    const auto record = parse_lease(*text);
    return std::optional(
        LeaseSeen{at, *std::move(text), record ? std::optional(*record) : std::nullopt});
  }
  return std::optional<LeaseSeen>();
}

}  // namespace

std::string lease_path(const std::string& home) { return home + "/maui.lease"; }

Result<bool> create_lease(const std::string& home) {
  const auto path = lease_path(home);
  const OpenFile file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (file.get() < 0 && errno == EEXIST) return false;
  if (file.get() < 0) return failed("make", path);
  struct stat about {};
  const bool owned = ::stat(home.c_str(), &about) == 0 &&
                     (::geteuid() != 0 || ::fchown(file.get(), about.st_uid, about.st_gid) == 0);
  if (!owned || ::fsync(file.get()) != 0 || !sync_directory(path)) return failed("save", path);
  return true;
}

LeaseFile::~LeaseFile() { release(); }

Status LeaseFile::prepared() const {
  if (is_missing(path_)) return missing(path_);
  return Done{};
}

Result<std::optional<LeaseSeen>> LeaseFile::look() {
  const OpenFile file(path_, O_RDONLY | O_NONBLOCK);
  if (file.get() < 0 && errno == ENOENT) return missing(path_);
  if (file.get() < 0) return failed("open", path_);
  return newest(file.get(), path_);
}

Result<bool> LeaseFile::take(const std::optional<LeaseSeen>& seen, const LeaseRecord& mine) {
  OpenFile file(path_, O_RDWR);
  if (file.get() < 0) return failed("open", path_);
  // Anybody who can open the file can lock it.  A file left over may have a wider mode, or another
  // owner, and then root could not open it again without capabilities.
  [[maybe_unused]] const int owned = ::fchown(file.get(), ::geteuid(), static_cast<gid_t>(-1));
  [[maybe_unused]] const int closed = ::fchmod(file.get(), 0600);
  auto lock = lock_from(mine.generation, kLine, F_WRLCK);
  if (::fcntl(file.get(), F_OFD_SETLK, &lock) != 0) {
    if (errno == EAGAIN || errno == EACCES) return false;
    return failed("lock", path_);
  }
  // `seen` may have been read before the lock was taken.
  const auto now = look();
  if (!now) return now.error();
  if (*now != seen) return false;
  release();
  file_ = file.release();
  const Status written = write(mine);
  if (written) return true;
  release();
  return written.error();
}

void LeaseFile::release() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

Status LeaseFile::write(const LeaseRecord& mine) {
  auto line = lease_text(mine);
  line.resize(kLine - 1, ' ');
  line += '\n';
  const auto count = ::pwrite(file_, line.data(), line.size(), line_of(mine.generation));
  if (count != kLine) {
    if (count >= 0) errno = ENOSPC;
    return failed("write to", path_);
  }
  if (::fdatasync(file_) != 0) return failed("save", path_);
  return Done{};
}

Result<Renewal> LeaseFile::renew(const LeaseRecord& mine) {
  const Status written = write(mine);
  const bool others = locked_by_another(file_, mine.generation + 1, 0);
  if (is_missing(path_)) return Renewal::lost;
  const auto seen = look();
  if (!seen) return seen.error();
  // If the file was removed, another scheduler may begin with a new one.
  if (!*seen || (*seen)->generation != mine.generation) return Renewal::lost;
  if (!written) return written.error();
  return others ? Renewal::contested : Renewal::done;
}

Status LeaseFile::writable() const {
  if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) == 0) return Done{};
  return failed("write to", path_);
}

// A process's locks end with it, but an NFS server may also lose them; its ID may belong to a
// process in another container.  If lock and ID are both gone on that machine, so is the process.
bool LeaseFile::holder_is_gone(const LeaseRecord& record) {
  if (record.boot != boot_id()) return false;
  const auto process = static_cast<pid_t>(record.process);
  if (process != ::getpid() && (::kill(process, 0) == 0 || errno != ESRCH)) return false;
  const OpenFile file(path_, O_RDONLY | O_NONBLOCK);
  return file.get() >= 0 && !locked_by_another(file.get(), record.generation, kLine);
}

}  // namespace maui
