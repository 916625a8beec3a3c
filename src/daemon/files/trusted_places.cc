#include "daemon/files/trusted_places.h"

#include <endian.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <linux/xattr.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "daemon/files/checkpoint_file.h"
#include "daemon/files/private_directories.h"
#include "daemon/programs/program_settings.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

/// True for root's group, and for a group with no member but the user who runs this process.
bool is_our_own(gid_t group) {
  if (group == 0) return true;
  const auto* user = ::getpwuid(::geteuid());
  const auto* entry = ::getgrgid(group);
  return user != nullptr && entry != nullptr && user->pw_gid == group &&
         std::string_view(user->pw_name) == entry->gr_name && entry->gr_mem[0] == nullptr;
}

using PosixAcl = std::vector<posix_acl_xattr_entry>;

/// Returns the access list of a path; empty: it has only a mode.
PosixAcl posix_acl(const fs::path& place) {
  const char* const name = XATTR_NAME_POSIX_ACL_ACCESS;
  const auto most = ::getxattr(place.c_str(), name, nullptr, 0);
  if (most <= 0) return {};
  std::string bytes(static_cast<std::size_t>(most), '\0');
  const auto size = ::getxattr(place.c_str(), name, bytes.data(), bytes.size());
  constexpr auto kHead = sizeof(posix_acl_xattr_header);
  if (size < static_cast<ssize_t>(kHead)) return {};
  PosixAcl entries((static_cast<std::size_t>(size) - kHead) / sizeof(posix_acl_xattr_entry));
  std::memcpy(entries.data(), bytes.data() + kHead, entries.size() * sizeof(posix_acl_xattr_entry));
  return entries;
}

/// Returns who may write as a group member or by the access list, given that the mode allows some.
std::string allowed_at(const fs::path& place, const struct stat& about) {
  const auto group = [&](gid_t id) {
    return is_our_own(id) ? std::string() : fmt::format("group {}", id);
  };
  const PosixAcl list = posix_acl(place);
  if (list.empty()) return group(about.st_gid);
  for (const auto& entry : list) {
    if ((le16toh(entry.e_perm) & ACL_WRITE) == 0) continue;
    const auto tag = le16toh(entry.e_tag);
    const auto id = le32toh(entry.e_id);
    std::string who;
    if (tag == ACL_USER && id != 0 && id != ::geteuid())
      who = fmt::format("user {}", id);
    else if (tag == ACL_GROUP_OBJ || tag == ACL_GROUP)
      who = group(tag == ACL_GROUP ? id : about.st_gid);
    if (!who.empty()) return who;
  }
  return {};
}

/// Returns in words who else may change what is there; empty: nobody.
std::string others_at(const fs::path& place, const struct stat& about, bool above, uid_t trusted) {
  if (about.st_uid != 0 && about.st_uid != ::geteuid() && about.st_uid != trusted)
    return fmt::format("belongs to user {}", about.st_uid);
  const bool own_files_only = above && (about.st_mode & S_ISVTX) != 0;
  // Whoever writes to a socket does not change it.
  if (S_ISLNK(about.st_mode) || S_ISSOCK(about.st_mode) || own_files_only) return {};
  if ((about.st_mode & S_IWOTH) != 0)
    return fmt::format("may be written to by everybody (mode {:04o})", about.st_mode & 07777);
  // With an access list, these bits are its mask.
  const auto who = (about.st_mode & S_IWGRP) != 0 ? allowed_at(place, about) : std::string();
  return who.empty()
             ? who
             : fmt::format("may be written to by {} (mode {:04o})", who, about.st_mode & 07777);
}

Error not_trusted(const fs::path& place, std::string_view why) {
  return Error{
      fmt::format("'{}' {}: others could control the scheduler by changing it (maui --shared-home "
                  "starts anyway)",
                  place.string(), why)};
}

/// Puts the names in a path before those that are still ahead.
void go_first(const fs::path& path, std::deque<fs::path>& ahead) {
  std::vector<fs::path> names;
  for (const auto& name : path.relative_path())
    if (!name.empty() && name != ".") names.push_back(name);
  ahead.insert(ahead.begin(), names.begin(), names.end());
}

/// Returns the first line of a file without its end; empty: it cannot be read.
std::string first_line(const std::string& path) {
  constexpr std::size_t kMost = 256;  // the system reads no more of a script either
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string line(kMost, '\0');
  file.read(line.data(), static_cast<std::streamsize>(kMost));
  line.resize(static_cast<std::size_t>(file.gcount()));
  line.resize(std::min(line.size(), line.find('\n')));
  return line;
}

bool is_env(const std::string& interpreter) {
  std::error_code unknown;
  return fs::canonical(interpreter, unknown).filename() == "env" ||
         fs::path(interpreter).filename() == "env";
}

/// Returns the program that env(1) starts with these arguments; empty: none.  An error if they
/// change where env looks for it.
Result<std::string> program_of_env(std::vector<std::string_view> arguments) {
  constexpr std::string_view kSplit = "--split-string=";
  for (auto word : arguments) {
    const bool splits = word.starts_with(kSplit);
    if (splits) word.remove_prefix(kSplit.size());
    if (!splits && word.starts_with('-')) {
      if (word.find_first_not_of("-iSv") == word.npos || word == "--ignore-environment") continue;
      return Error{fmt::format("has '{}' after env, which the scheduler does not follow", word)};
    }
    if (word.starts_with("PATH=")) return Error{"has env look for its interpreter in another PATH"};
    if (word.find('=') != word.npos) continue;
    return word.find('/') != word.npos ? std::string(word) : program_on_path(word);
  }
  return std::string();
}

/// Returns the interpreter that the first line of a script names, and the program that env starts
/// as such; empty: it is no script, or cannot be read.
Result<std::vector<std::string>> interpreters_of(const std::string& program) {
  const auto line = first_line(program);
  if (!line.starts_with("#!")) return std::vector<std::string>();
  auto all = words(std::string_view(line).substr(2));
  if (all.empty()) return std::vector<std::string>();
  std::vector<std::string> found{std::string(all.front())};
  if (!is_env(found.front())) return found;
  all.erase(all.begin());
  auto started = program_of_env(std::move(all));
  if (!started) return started.error();
  if (!started->empty()) found.push_back(*std::move(started));
  return found;
}

/// Checks a program, its interpreters, and the directories from which interpreters take modules.
Status check_program(const std::string& program) {
  if (auto status = check_place(program); !status) return status;
  std::error_code unknown;
  const auto itself = fs::canonical(program, unknown);
  if (unknown) return Done{};  // what is not there is not run
  for (const auto& directory : {fs::path(program).parent_path(), itself.parent_path()})
    if (auto status = check_place(directory.string()); !status) return status;
  const auto interpreters = interpreters_of(program);
  if (!interpreters) return not_trusted(program, interpreters.error().what);
  for (const auto& interpreter : *interpreters)
    if (auto status = check_place(interpreter); !status) return status;
  return Done{};
}

}  // namespace

// The path is followed as the system follows it, so `place` never leads through a link.
Status check_place(const std::string& path, uid_t trusted) {
  constexpr int kMostLinks = 40;  // the system follows no more either
  std::error_code error;
  const auto whole = fs::absolute(path.empty() ? "." : path, error);
  if (error) return Error{fmt::format("'{}' cannot be found: {}", path, error.message())};
  fs::path place = whole.root_path();
  std::deque<fs::path> ahead;
  go_first(whole, ahead);
  struct stat directory {};
  for (int links = 0;;) {
    struct stat about {};
    if (::lstat(place.c_str(), &about) != 0) {
      if (errno != ENOENT) return Done{};
      // Whoever may make it decides what is there later.
      const auto who = others_at(place.parent_path(), directory, /*above=*/false, trusted);
      return who.empty() ? Status(Done{}) : not_trusted(place.parent_path(), who);
    }
    if (const auto who = others_at(place, about, !ahead.empty(), trusted); !who.empty())
      return not_trusted(place, who);
    if (S_ISLNK(about.st_mode)) {
      if (++links > kMostLinks)
        return Error{fmt::format("'{}' leads through more than {} links", path, kMostLinks)};
      const auto target = fs::read_symlink(place, error);
      if (error) return Error{fmt::format("link '{}': {}", place.string(), error.message())};
      place = target.is_absolute() ? target.root_path() : place.parent_path();
      go_first(target, ahead);
      continue;
    }
    if (ahead.empty()) return Done{};
    directory = about;
    place = ahead.front() == ".." ? place.parent_path() : place / ahead.front();
    ahead.pop_front();
  }
}

Status check_munge_sockets(const config::ClientAuthentication& clients) {
  if (!clients.uses_munge()) return Done{};
  const auto* munge = ::getpwnam("munge");
  const uid_t user = munge != nullptr ? munge->pw_uid : 0;
  for (const auto& socket : clients.munge_sockets())
    if (auto status = check_place(socket, user); !status)
      return Error{"MUNGESOCKET: " + status.error().what};
  return Done{};
}

Status check_places(const Home& home, const Settings& settings,
                    const config::ClientAuthentication& clients) {
  if (auto status = check_munge_sockets(clients); !status) return status;
  const fs::path config = home.config_file;
  std::vector<std::string> places{config, config.parent_path() / "maui-private.cfg",
                                  config.parent_path() / "machine.cfg",
                                  config.parent_path() / settings.fairshare.config_file};
  for (const auto& directory : directories_written(home.directory, settings))
    places.push_back(directory);
  const CheckpointFile checkpoint(
      (fs::path(home.directory) / settings.server.checkpoint_file).string());
  for (const auto end : kCheckpointEnds)
    for (auto& path : checkpoint.all_paths(end)) places.push_back(std::move(path));
  // All places searched count: a program may be put there while the scheduler runs.
  bool submits = false;
  std::vector<std::string> programs;
  for (const auto& program : program_settings(settings, home.directory)) {
    auto& list = program.read ? places : programs;
    list.insert(list.end(), program.places.begin(), program.places.end());
    submits |= program.submitted;
  }
  if (auto program = submits ? submit_program() : std::string(); !program.empty())
    programs.push_back(std::move(program));
  for (const auto& place : places)
    if (auto status = check_place(place); !status) return status;
  for (const auto& program : programs)
    if (auto status = check_program(program); !status) return status;
  return Done{};
}

}  // namespace maui
