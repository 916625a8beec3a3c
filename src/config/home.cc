// Finds the configuration file (guide 3.1).
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "config/configuration.h"
#include "config/files.h"
#include "config/parser.h"

namespace maui {
namespace {

constexpr const char* kSystemWide = "/etc/maui.cfg";

// Returns the value of MAUIHOMEDIR in a file, which may be a complete maui.cfg; empty if the file
// does not exist or does not set it.
std::string home_named_in(const std::string& path) {
  std::string home;
  const auto text = config::read_file(path);
  if (!text) return home;
  for (const auto& line : config::parse_lines(*text))
    if (same_word(line.name, "MAUIHOMEDIR") && line.words.size() == 1) home = line.words.front();
  return config::is_none(home) ? std::string() : home;
}

}  // namespace

Home find_home(const std::string& explicit_path) {
  if (!explicit_path.empty()) {
    auto directory = home_named_in(explicit_path);
    if (directory.empty()) directory = std::filesystem::path(explicit_path).parent_path().string();
    return {directory.empty() ? "." : directory, explicit_path};
  }
  const char* environment = std::getenv("MAUIHOMEDIR");
  std::string directory = environment ? environment : "";
  if (directory.empty()) directory = home_named_in(kSystemWide);
  if (directory.empty()) {
    directory = home_named_in(MAUI_DEFAULT_CONFIG);
    return {directory.empty() ? MAUI_DEFAULT_HOME : directory, MAUI_DEFAULT_CONFIG};
  }
  return {directory, (std::filesystem::path(directory) / "maui.cfg").string()};
}

std::string places_of_configuration() {
  return fmt::format(
      "It is the file given with -C; otherwise maui.cfg in the directory that MAUIHOMEDIR names, "
      "in the environment or in {}; otherwise {}.",
      kSystemWide, MAUI_DEFAULT_CONFIG);
}

std::string default_home() { return MAUI_DEFAULT_HOME; }

}  // namespace maui
