#include "daemon/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

extern char** environ;

namespace maui {
namespace {

class FileActions {
 public:
  explicit FileActions(const StandardFiles& files) {
    posix_spawn_file_actions_init(&actions_);
    put(files.input, STDIN_FILENO, O_RDONLY);
    put(files.output, STDOUT_FILENO, O_WRONLY);
    put(files.error, STDERR_FILENO, O_WRONLY);
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

}  // namespace

Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments,
                    const StandardFiles& files) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const auto& one : arguments) words.push_back(const_cast<char*>(one.c_str()));
  words.push_back(nullptr);
  const FileActions actions(files);
  const Attributes attributes;
  pid_t id = -1;
  const int failure =
      ::posix_spawn(&id, program.c_str(), actions.get(), attributes.get(), words.data(), environ);
  if (failure != 0) return Error{std::strerror(failure)};
  return id;
}

void kill_group(pid_t leader) {
  if (leader > 0) ::kill(-leader, SIGKILL);
}

}  // namespace maui
