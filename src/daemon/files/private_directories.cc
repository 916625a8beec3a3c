#include "daemon/files/private_directories.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace maui {
namespace {

Status check(const std::filesystem::path& directory) {
  struct stat about {};
  const std::string path = directory.empty() ? "." : directory.string();
  if (::stat(path.c_str(), &about) != 0) return Done{};
  const auto wrong = [&](const std::string& what) {
    return Error{fmt::format("directory '{}' {}: the scheduler does not write there", path, what)};
  };
  if ((about.st_mode & S_IWOTH) != 0)
    return wrong(
        fmt::format("may be written to by everybody (mode {:04o})", about.st_mode & 07777));
  if (about.st_uid != ::geteuid() && about.st_uid != 0)
    return wrong(
        fmt::format("belongs to user {}, not to user {} who runs it", about.st_uid, ::geteuid()));
  return Done{};
}

}  // namespace

std::vector<std::filesystem::path> directories_written(const std::string& home,
                                                       const Settings& settings) {
  const std::filesystem::path base = home;
  std::vector<std::filesystem::path> found{
      base, (base / settings.log.directory / settings.log.file).parent_path(),
      base / settings.server.stat_dir, (base / settings.server.checkpoint_file).parent_path()};
  if (const auto& socket = settings.http.socket; !socket.empty())
    found.push_back((base / socket).parent_path());
  return found;
}

Status check_directories(const std::string& home, const Settings& settings) {
  for (const auto& directory : directories_written(home, settings))
    if (auto status = check(directory); !status) return status;
  return Done{};
}

Result<bool> forbid_listing(const std::string& home) {
  struct stat about {};
  if (::stat(home.c_str(), &about) != 0 || (about.st_mode & S_IROTH) == 0) return false;
  if (::chmod(home.c_str(), about.st_mode & 07777U & ~static_cast<mode_t>(S_IROTH)) != 0)
    return Error{fmt::format(
        "everybody can open the directory '{}', and so lock it, and the mode cannot be changed "
        "(chmod o-r): {}",
        home, std::strerror(errno))};
  return true;
}

}  // namespace maui
