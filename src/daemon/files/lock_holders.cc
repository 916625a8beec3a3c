#include "daemon/files/lock_holders.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/outside_text.h"
#include "base/resolved_path.h"
#include "base/same_file.h"
#include "base/text.h"
#include "proto/checksum.h"

namespace maui {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

// Standard streams do not count: any user can start a set-user-id program with streams of his own.
// Programs that take on all of root's user IDs close other descriptors.
constexpr int kFirst = STDERR_FILENO + 1;
// Strangers may have as many descriptors as they like; they are only looked at for a message, and
// where not all processes can be seen.
constexpr std::chrono::seconds kForStrangers{1};
constexpr std::size_t kLongestCommand = 80;

/// Returns the real user of a process, or nothing if the process is gone or hidden.
std::optional<uid_t> real_user(const std::string& process) {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string line; std::getline(status, line);)
    if (const auto parts = words(line); parts.size() > 1 && parts[0] == "Uid:")
      return parse_integer<uid_t>(parts[1]);
  return std::nullopt;
}

std::string content_of(const std::string& process, const char* file) {
  std::ifstream in("/proc/" + process + "/" + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the command with its words.
std::string command_of(const std::string& process) {
  auto command = content_of(process, "cmdline");
  while (command.ends_with('\0')) command.pop_back();
  std::replace(command.begin(), command.end(), '\0', ' ');
  if (command.empty()) command = trimmed(content_of(process, "comm"));
  return shortened(printable(command), kLongestCommand);
}

/// Returns the names by which a process may be known: by the kernel, and in its own words.
std::set<std::string> names_of(const std::string& process) {
  const auto words = content_of(process, "cmdline");
  const fs::path program = words.substr(0, words.find('\0'));
  return {std::string(trimmed(content_of(process, "comm"))), program.filename().string()};
}

/// True if the process may run this program.
bool may_be_scheduler(const std::string& process) {
  auto ours = names_of("self");
  ours.insert("maui");
  const auto names = names_of(process);
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& name) { return !name.empty() && ours.contains(name); });
}

/// Returns what a descriptor leads to, or nothing, with errno set.
std::optional<std::string> link_of(const std::string& path) {
  std::string text(4096, '\0');
  const auto size = ::readlink(path.c_str(), text.data(), text.size());
  if (size < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(size));
  return text;
}

/// Returns the name of the file in memory that a descriptor leads to; empty: it leads elsewhere.
std::string_view memory_file(std::string_view link) {
  constexpr std::string_view kBegin = "/memfd:", kEnd = " (deleted)";  // as all of them are listed
  if (!link.starts_with(kBegin) || !link.ends_with(kEnd)) return {};
  return link.substr(kBegin.size(), link.size() - kBegin.size() - kEnd.size());
}

SoughtMark any_of(const std::vector<std::string>& marks) {
  return [&marks](std::string_view mark) {
    return std::find(marks.begin(), marks.end(), mark) != marks.end();
  };
}

enum class Holds { nothing, something, unknown };

/// Looks at the descriptors of processes.
class Search {
 public:
  /// `file` is nullptr if only marks count.
  Search(const struct stat* file, SoughtMark sought, int own_mark)
      : file_(file),
        sought_(std::move(sought)),
        own_mark_(fmt::format("/proc/{}/fd/{}", ::getpid(), own_mark)) {}

  /// Returns whether the process has the lock, or a mark, among its descriptors from `first` on.
  Holds look_at(const std::string& process, int first) const {
    std::error_code error;
    bool hidden = false;
    fs::directory_iterator descriptor("/proc/" + process + "/fd", error);
    hidden = error == std::errc::permission_denied;
    for (; !error && descriptor != fs::directory_iterator(); descriptor.increment(error)) {
      const auto name = descriptor->path().filename().string();
      if (const auto number = parse_integer<int>(name); !number || *number < first) continue;
      const auto link = link_of(descriptor->path());
      hidden |= !link && errno != ENOENT && errno != ESRCH;
      if (hidden) break;
      if (!link || !link->starts_with('/')) continue;  // a socket or a pipe
      if (sought_(memory_file(*link)) ? descriptor->path() != own_mark_ : has_lock(process, name))
        return Holds::something;
    }
    return hidden ? Holds::unknown : Holds::nothing;
  }

 private:
  /// Some file systems list another device with their locks, so the file itself is compared.
  bool has_lock(const std::string& process, const std::string& descriptor) const {
    if (file_ == nullptr) return false;
    const auto number = fmt::format(":{}", file_->st_ino);
    std::ifstream about("/proc/" + process + "/fdinfo/" + descriptor);
    for (std::string line; std::getline(about, line);) {
      const auto parts = words(line);  // "lock: 1: FLOCK ADVISORY WRITE 77 fe:01:4711 0 EOF"
      if (parts.size() < 7 || parts[0] != "lock:" || parts[2] != "FLOCK") continue;
      if (parts[6].ends_with(number)) return is_the_file(process, descriptor);
    }
    return false;
  }

  bool is_the_file(const std::string& process, const std::string& descriptor) const {
    struct stat found {};
    const auto path = "/proc/" + process + "/fd/" + descriptor;
    return ::stat(path.c_str(), &found) == 0 && same_file(found, *file_);
  }

  const struct stat* const file_;
  const SoughtMark sought_;
  const fs::path own_mark_;
};

struct Process {
  std::string name;  // its number
  uid_t user;
};

/// Returns the processes that /proc lists, with their real users; `complete`: it could be read.
std::vector<Process> processes(bool& complete) {
  std::vector<Process> found;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    auto name = entry->path().filename().string();
    if (!parse_integer<pid_t>(name)) continue;
    if (const auto user = real_user(name)) found.push_back({std::move(name), *user});
  }
  complete = !error;
  return found;
}

LockHolder holder_at(const Process& process) {
  return maui::described(parse_integer<pid_t>(process.name).value_or(0), process.user);
}

/// True if all processes of the machine are listed: this one is in no container, and /proc hides
/// none (hidepid).
bool lists_all() {
  constexpr const char* kFirstNamespace = "pid:[4026531836]";
  return link_of("/proc/self/ns/pid") == kFirstNamespace && real_user("1").has_value();
}

std::optional<LockHolder> stranger_among(const std::vector<Process>& all, const Search& search) {
  const auto end = steady_clock::now() + kForStrangers;
  for (const Process& process : all) {
    if (steady_clock::now() > end) break;
    if (!is_trusted(process.user) && search.look_at(process.name, 0) == Holds::something)
      return holder_at(process);
  }
  return std::nullopt;
}

}  // namespace

bool is_trusted(uid_t user) { return user == 0 || user == ::geteuid(); }

LockHolder described(pid_t process, uid_t user) {
  return {process, user, command_of(std::to_string(process))};
}

LockHolders find_lock_holders(const struct stat& file, const std::vector<std::string>& marks,
                              int own_mark) {
  LockHolders found;
  const Search search(&file, any_of(marks), own_mark);
  bool complete = false;
  const auto all = processes(complete);
  for (const Process& process : all) {
    if (!is_trusted(process.user)) continue;
    const auto holds = search.look_at(process.name, kFirst);
    if (holds == Holds::something) found.scheduler = holder_at(process);
    if (found.scheduler) return found;
    if (holds == Holds::unknown && may_be_scheduler(process.name))
      found.suspect = holder_at(process);
  }
  found.all_seen = complete && !found.suspect && lists_all();
  found.stranger = stranger_among(all, search);
  return found;
}

std::optional<LockHolder> find_marked(const std::vector<std::string>& marks, int own_mark) {
  return find_marked(any_of(marks), own_mark);
}

std::optional<LockHolder> find_marked(const SoughtMark& sought, int own_mark) {
  const Search search(nullptr, sought, own_mark);
  bool complete = false;
  for (const Process& process : processes(complete))
    if (is_trusted(process.user) && search.look_at(process.name, kFirst) == Holds::something)
      return holder_at(process);
  return std::nullopt;
}

std::optional<LockTaker> find_lock_taker(const struct stat& file) {
  const auto place =
      fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
  std::ifstream locks("/proc/locks");
  std::optional<LockTaker> taker;
  for (std::string line; std::getline(locks, line);) {
    const auto parts = words(line);  // "1: FLOCK ADVISORY WRITE 77 fe:01:4711 0 EOF"
    if (parts.size() < 6 || parts[1] != "FLOCK" || parts[5] != place) continue;
    const auto id = parse_integer<pid_t>(parts[4]);
    if (!id || *id <= 0) return std::nullopt;
    const auto user = real_user(std::to_string(*id));
    // A process that exists and is not listed is another user's, who may be root.
    if (!user && (::kill(*id, 0) == 0 || errno != EPERM)) return std::nullopt;
    taker = {*id, user};
    if (!user || is_trusted(*user)) break;
  }
  return taker;
}

std::string scheduler_mark(const struct stat& home, bool has_lease) {
  return fmt::format("maui-home{} {}:{}", has_lease ? "-lease" : "", home.st_dev, home.st_ino);
}

// By its path, since its directory may be deleted and made again; a mark has at most 249 bytes.
std::string checkpoint_mark(const std::string& path) {
  return fmt::format("maui-checkpoint {} of ", checksum("path", resolved_path(path).native()));
}

bool is_scheduler_of(pid_t process, const std::string& home) {
  struct stat about {};
  if (::stat(home.c_str(), &about) != 0) return false;
  const std::vector<std::string> marks{scheduler_mark(about, false), scheduler_mark(about, true)};
  const auto number = std::to_string(process);
  const auto user = real_user(number);
  return user && is_trusted(*user) &&
         Search(nullptr, any_of(marks), -1).look_at(number, kFirst) == Holds::something;
}

bool is_ending(pid_t process) {
  constexpr unsigned kExiting = 0x4;  // PF_EXITING of the kernel
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string line;
  if (!std::getline(in, line)) return true;
  // "4711 (name) S ...": the name may contain anything; state and flags are fields 3 and 9.
  const auto fields = words(std::string_view(line).substr(line.rfind(')') + 1));
  if (fields.size() < 7) return false;
  const auto flags = parse_integer<unsigned>(fields[6]);
  return fields[0] == "Z" || fields[0] == "X" || (flags && (*flags & kExiting) != 0);
}

bool is_mark(int descriptor, const std::string& mark) {
  const auto link = link_of(fmt::format("/proc/self/fd/{}", descriptor));
  return link && memory_file(*link) == mark;
}

}  // namespace maui
