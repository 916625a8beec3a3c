#include "daemon/files/distinct_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace maui {
namespace {

namespace fs = std::filesystem;

/// A file, and what it is in words.
using Named = std::pair<std::string, fs::path>;

std::vector<Named> files_of(const Home& home, const Settings& settings) {
  const fs::path base = home.directory, config = home.config_file;
  std::vector<Named> files{{"the configuration", config}};
  for (const char* name : {"maui-private.cfg", "machine.cfg"})
    files.emplace_back(name, config.parent_path() / name);
  files.emplace_back("FSCONFIGFILE", config.parent_path() / settings.fairshare.config_file);
  for (const char* name : {"maui.pid", "maui.sock", "maui.seen", "maui.lease"})
    files.emplace_back(name, base / name);
  const fs::path log = base / settings.log.directory / settings.log.file;
  files.emplace_back("LOGFILE", log);
  constexpr int kMostRolls = 1000;
  for (int age = 1; age <= std::min<int>(settings.log.roll_depth, kMostRolls); ++age)
    files.emplace_back("an older log of LOGFILE", fmt::format("{}.{}", log.string(), age));
  const fs::path checkpoint = base / settings.server.checkpoint_file;
  files.emplace_back("CHECKPOINTFILE", checkpoint);
  for (const char* suffix : {".old", ".new"})
    files.emplace_back("CHECKPOINTFILE with " + std::string(suffix), checkpoint.string() + suffix);
  if (!settings.http.socket.empty()) files.emplace_back("HTTPSOCKET", base / settings.http.socket);
  return files;
}

}  // namespace

Status check_files_differ(const Home& home, const Settings& settings) {
  std::map<fs::path, std::string> known;
  for (auto& [what, path] : files_of(home, settings)) {
    std::error_code error;
    auto resolved = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error) resolved = fs::absolute(path, error).lexically_normal();
    const auto [at, is_new] = known.emplace(resolved, what);
    if (!is_new)
      return Error{fmt::format("{}: '{}' is also {}: expected another file", what, path.string(),
                               at->second)};
  }
  return Done{};
}

}  // namespace maui
