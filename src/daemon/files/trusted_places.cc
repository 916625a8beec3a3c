#include "daemon/files/trusted_places.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <vector>

#include "daemon/files/private_directories.h"
#include "daemon/programs/program_settings.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

/// Root's group, or the one that has nobody in it but the user who runs this.
bool is_our_own(gid_t group) {
  if (group == 0) return true;
  const auto* user = ::getpwuid(::geteuid());
  const auto* entry = ::getgrgid(group);
  return user != nullptr && entry != nullptr && user->pw_gid == group &&
         std::string_view(user->pw_name) == entry->gr_name && entry->gr_mem[0] == nullptr;
}

/// Says in words who else may change the place; empty: nobody.
std::string others_at(const fs::path& place, bool above) {
  struct stat about {};
  if (::stat(place.c_str(), &about) != 0) return {};
  if (about.st_uid != 0 && about.st_uid != ::geteuid())
    return fmt::format("belongs to user {}", about.st_uid);
  const bool own_files_only = above && (about.st_mode & S_ISVTX) != 0;
  if (own_files_only) return {};
  if ((about.st_mode & S_IWOTH) != 0)
    return fmt::format("may be written to by everybody (mode {:04o})", about.st_mode & 07777);
  if ((about.st_mode & S_IWGRP) != 0 && !is_our_own(about.st_gid))
    return fmt::format("may be written to by group {} (mode {:04o})", about.st_gid,
                       about.st_mode & 07777);
  return {};
}

Status check_way(const fs::path& path) {
  bool above = false;
  for (fs::path place = path;; place = place.parent_path(), above = true) {
    if (const auto who = others_at(place, above); !who.empty())
      return Error{fmt::format(
          "'{}' {}: whoever can change it decides what the scheduler does (maui --shared-home "
          "starts it all the same)",
          place.string(), who)};
    if (place == place.parent_path()) return Done{};
  }
}

}  // namespace

Status check_place(const std::string& path) {
  std::error_code error;
  const auto whole = fs::absolute(path, error).lexically_normal();
  if (auto status = check_way(whole); error || !status) return status;
  const auto real = fs::weakly_canonical(whole, error);  // where links lead
  return error || real == whole ? Status(Done{}) : check_way(real);
}

Status check_places(const Home& home, const Settings& settings) {
  const fs::path config = home.config_file;
  std::vector<std::string> places{config, config.parent_path() / "maui-private.cfg",
                                  config.parent_path() / "machine.cfg",
                                  config.parent_path() / "fs.cfg"};
  for (const auto& directory : directories_written(home.directory, settings))
    places.push_back(directory);
  // Wherever one is looked for, it may be put while the scheduler runs.
  bool submits = false;
  for (const auto& program : program_settings(settings, home.directory)) {
    places.insert(places.end(), program.places.begin(), program.places.end());
    submits |= program.submitted;
  }
  if (auto program = submits ? submit_program() : std::string(); !program.empty())
    places.push_back(std::move(program));
  for (const auto& place : places)
    if (auto status = check_place(place); !status) return status;
  return Done{};
}

}  // namespace maui
