#include "daemon/files/distinct_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/resolved_path.h"
#include "daemon/files/checkpoint_file.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

/// A file, and what it is in words.
using Named = std::pair<std::string, fs::path>;

/// Files are written beside their places, and then take them.
void add_replaced(std::vector<Named>& files, const std::string& what, const fs::path& path) {
  files.emplace_back(what, path);
  files.emplace_back(what + " with .new", path.string() + ".new");
}

std::vector<Named> files_of(const Home& home, const Settings& settings) {
  const fs::path base = home.directory, config = home.config_file;
  std::vector<Named> files{{"the configuration", config}};
  for (const char* name : {"maui-private.cfg", "machine.cfg"})
    files.emplace_back(name, config.parent_path() / name);
  files.emplace_back("FSCONFIGFILE", config.parent_path() / settings.fairshare.config_file);
  for (const char* name : {"maui.pid", "maui.sock", "maui.lease"})
    files.emplace_back(name, base / name);
  add_replaced(files, "maui.seen", base / "maui.seen");
  const fs::path log = base / settings.log.directory / settings.log.file;
  files.emplace_back("LOGFILE", log);
  constexpr int kMostRolls = 1000;
  for (int age = 1; age <= std::min<int>(settings.log.roll_depth, kMostRolls); ++age)
    files.emplace_back("an older log of LOGFILE", fmt::format("{}.{}", log.string(), age));
  const fs::path checkpoint = base / settings.server.checkpoint_file;
  add_replaced(files, "CHECKPOINTFILE", checkpoint);
  files.emplace_back(fmt::format("CHECKPOINTFILE with {}", kOld), checkpoint.string().append(kOld));
  add_replaced(files, fmt::format("CHECKPOINTFILE with {}", kStarts),
               checkpoint.string().append(kStarts));
  if (!settings.http.socket.empty()) files.emplace_back("HTTPSOCKET", base / settings.http.socket);
  return files;
}

/// The files of STATDIR have their names from days and parameters: no socket may be among them.
Status check_socket_is_no_record(const Home& home, const Settings& settings) {
  if (settings.http.socket.empty()) return Done{};
  const fs::path base = home.directory, socket = base / settings.http.socket;
  if (resolved_path(socket).parent_path() != resolved_path(base / settings.server.stat_dir))
    return Done{};
  return Error{
      fmt::format("HTTPSOCKET: '{}' is in STATDIR: expected another directory", socket.string())};
}

}  // namespace

Status check_files_differ(const Home& home, const Settings& settings) {
  std::map<fs::path, std::string> known;
  for (auto& [what, path] : files_of(home, settings)) {
    const auto [at, is_new] = known.emplace(resolved_path(path), what);
    if (!is_new)
      return Error{fmt::format("{}: '{}' is also {}: expected another file", what, path.string(),
                               at->second)};
  }
  return check_socket_is_no_record(home, settings);
}

}  // namespace maui
