#include "daemon/files/safe_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/fence.h"
#include "base/write_all.h"

namespace maui {
namespace {

Status failure(std::string_view what, const std::string& path) {
  return Error{fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno))};
}

struct ClosedAtTheEnd {
  int file;
  ~ClosedAtTheEnd() { ::close(file); }
};

/// Opens the existing draft if make_room_for() prepared it; never another user's file, nor the
/// target of a link.
int open_draft(const std::string& draft, int mode) {
  constexpr int kFlags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC;
  pass_fence();
  if (const int file = ::open(draft.c_str(), kFlags | O_NONBLOCK); file >= 0) {
    struct stat is {};
    if (::fstat(file, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == ::geteuid() &&
        is.st_nlink == 1 && (is.st_mode & 0777U & ~static_cast<unsigned>(mode)) == 0)
      return file;
    ::close(file);
  }
  ::unlink(draft.c_str());
  return ::open(draft.c_str(), kFlags | O_CREAT | O_EXCL, mode);
}

/// Writes without truncating first, so that allocated space is used.
Status write_draft(const std::string& draft, std::string_view text, bool safely, int mode) {
  const int file = open_draft(draft, mode);
  if (file < 0) return failure("open", draft);
  const bool written = write_all(file, text) &&
                       ::ftruncate(file, static_cast<off_t>(text.size())) == 0 &&
                       (!safely || ::fsync(file) == 0);
  const int error = errno;
  if (::close(file) == 0 && written) return Done{};
  if (!written) errno = error;
  auto failed = failure("write to", draft);
  ::unlink(draft.c_str());
  return failed;
}

/// Allocates space; writes zeros if the file system cannot allocate.
bool take_room(int file, off_t bytes) {
  if (::fallocate(file, 0, 0, bytes) == 0) return true;
  return (errno == EOPNOTSUPP || errno == ENOSYS) &&
         write_all(file, std::string(static_cast<std::size_t>(bytes), '\0'));
}

/// Tries to give the file, if it exists, a second name, as replace_file() does: the kernel may
/// forbid it, though the directory is ours, if the file is another user's or immutable.
Status try_second_name(const std::string& path) {
  struct stat is {};
  if (::lstat(path.c_str(), &is) != 0) return Done{};
  if (!S_ISREG(is.st_mode))
    return Error{fmt::format("cannot replace '{}': it is not a regular file", path)};
  const std::string second = path + ".try";
  ::unlink(second.c_str());
  if (::link(path.c_str(), second.c_str()) != 0) return failure("replace", path);
  ::unlink(second.c_str());
  return Done{};
}

}  // namespace

bool sync_directory(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  const int file =
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = ::fsync(file) == 0;
  ::close(file);
  return done;
}

Result<std::string> read_plain_file(const std::string& path, std::int64_t most) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return Error{fmt::format("it cannot be read: {}", std::strerror(errno))};
  const ClosedAtTheEnd closed{file};
  struct stat about {};
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return Error{"not a regular file"};
  if (about.st_size > most)
    return Error{fmt::format("it has {} bytes: expected at most {}", about.st_size, most)};
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const auto got = ::read(file, text.data() + size, text.size() - size);
    if (got < 0) return Error{fmt::format("it cannot be read: {}", std::strerror(errno))};
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

Status make_room_for(const std::string& path, std::size_t bytes, int mode) {
  if (auto can = try_second_name(path); !can) return can;
  const auto parent = std::filesystem::path(path).parent_path().string();
  if (::faccessat(AT_FDCWD, parent.empty() ? "." : parent.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return failure("write in the directory of", path);
  const std::string draft = path + ".new";
  const int file = open_draft(draft, mode);
  if (file < 0) return failure("open", draft);
  Status made = Done{};
  if (!take_room(file, static_cast<off_t>(bytes))) made = failure("allocate space for", draft);
  // NFS may report a full disk only now.
  if (::close(file) != 0 && made) made = failure("allocate space for", draft);
  if (!made) ::unlink(draft.c_str());
  return made;
}

Status replace_by_copy(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return Done{};
  const auto text = read_plain_file(path);
  if (!text) return Error{fmt::format("'{}': {}", path, text.error().what)};
  return replace_file(path, *text, Durability::power_loss, 0666);
}

Status replace_file(const std::string& path, std::string_view text, Durability durability, int mode,
                    bool keep_old) {
  const bool safely = durability == Durability::power_loss;
  const std::string draft = path + ".new", old = path + ".old";
  if (auto written = write_draft(draft, text, safely, mode); !written) return written;
  pass_fence();
  // The old text gets its second name before it loses the first; without keep_old, PATH.old stays.
  if (keep_old && ::access(path.c_str(), F_OK) == 0 &&
      (::unlink(old.c_str()) == 0 || errno == ENOENT) && ::link(path.c_str(), old.c_str()) != 0)
    return failure("keep the old text of", path);
  pass_fence();
  if (std::rename(draft.c_str(), path.c_str()) != 0) return failure("replace", path);
  if (safely && !sync_directory(path)) return failure("sync the directory of", path);
  return Done{};
}

}  // namespace maui
