#include "programs/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "base/fence.h"

extern char** environ;

namespace maui {
namespace {

// The environment variables that programs of the site inherit.
constexpr std::string_view kKept[] = {"PATH", "HOME", "USER",        "LOGNAME",
                                      "LANG", "TZ",   "MAUIHOMEDIR", "SLURM_CONF"};

class FileActions {
 public:
  explicit FileActions(const StandardFiles& files) {
    posix_spawn_file_actions_init(&actions_);
    put(files.input, STDIN_FILENO, O_RDONLY);
    put(files.output, STDOUT_FILENO, O_WRONLY);
    put(files.error, STDERR_FILENO, O_WRONLY);
    // Not all libraries set close-on-exec on their files.
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void put(int file, int as, int mode) {
    if (file < 0)
      posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", mode, 0);
    else
      posix_spawn_file_actions_adddup2(&actions_, file, as);
  }
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> environment_of(Whose whose) {
  std::vector<std::string> kept;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const auto name = text.substr(0, text.find('='));
    if (whose == Whose::ours || name.starts_with("LC_") ||
        std::find(std::begin(kKept), std::end(kKept), name) != std::end(kKept))
      kept.emplace_back(text);
  }
  if (whose == Whose::site && std::getenv("PATH") == nullptr)
    kept.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
  return kept;
}

std::vector<char*> c_words(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const auto& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments,
                    const StandardFiles& files, Whose whose,
                    const std::vector<std::string>& variables) {
  auto words = c_words(arguments);
  words.insert(words.begin(), const_cast<char*>(program.c_str()));
  auto environment = environment_of(whose);
  environment.insert(environment.end(), variables.begin(), variables.end());
  const FileActions actions(files);
  const Attributes attributes;
  pid_t id = -1;
  pass_fence();
  const int failure = ::posix_spawn(&id, program.c_str(), actions.get(), attributes.get(),
                                    words.data(), c_words(environment).data());
  if (failure != 0) return Error{std::strerror(failure)};
  return id;
}

Result<int> watch_end(pid_t child) {
  const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (handle < 0) return Error{std::strerror(errno)};
  return handle;
}

void kill_group(pid_t leader) {
  if (leader > 0) ::kill(-leader, SIGKILL);
}

}  // namespace maui
