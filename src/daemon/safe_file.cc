#include "daemon/safe_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/write_all.h"

namespace maui {
namespace {

Status failure(std::string_view what, const std::string& path) {
  return Error{fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno))};
}

bool sync_directory(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  const int file =
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = ::fsync(file) == 0;
  ::close(file);
  return done;
}

Status write_draft(const std::string& draft, std::string_view text, bool safely, int mode) {
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (file < 0) return failure("open", draft);
  const bool written = write_all(file, text) && (!safely || ::fsync(file) == 0);
  const int error = errno;
  if (::close(file) == 0 && written) return Done{};
  if (!written) errno = error;
  auto failed = failure("write to", draft);
  ::unlink(draft.c_str());
  return failed;
}

}  // namespace

Status replace_file(const std::string& path, std::string_view text, Durability durability, int mode,
                    bool keep_old) {
  const bool safely = durability == Durability::power_loss;
  const std::string draft = path + ".new", old = path + ".old";
  if (auto written = write_draft(draft, text, safely, mode); !written) return written;
  // The old text gets its second name before it loses the first; without one, that of before stays.
  if (keep_old && ::access(path.c_str(), F_OK) == 0 &&
      (::unlink(old.c_str()) == 0 || errno == ENOENT) && ::link(path.c_str(), old.c_str()) != 0)
    return failure("keep the old text of", path);
  if (std::rename(draft.c_str(), path.c_str()) != 0) return failure("replace", path);
  if (safely && !sync_directory(path)) return failure("save the directory of", path);
  return Done{};
}

}  // namespace maui
