#include "daemon/programs/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace maui {
namespace {

Error failed(const char* doing) {
  return Error{fmt::format("cannot go to the background: {}: {}", doing, std::strerror(errno))};
}

[[noreturn]] void wait_for(int ready, pid_t scheduler) {
  char word = 0;
  ssize_t size = 0;
  do size = ::read(ready, &word, 1);
  while (size < 0 && errno == EINTR);
  if (size == 1) ::_exit(0);
  int status = 0;
  ::waitpid(scheduler, &status, 0);
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

}  // namespace

bool has_terminal() {
  const int terminal = ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

Background::~Background() {
  if (ready_pipe_ >= 0) ::close(ready_pipe_);
}

Status Background::go() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("pipe");
  const pid_t child = ::fork();
  if (child < 0) return failed("fork");
  if (child > 0) {
    ::close(ends[1]);
    wait_for(ends[0], child);
  }
  ::close(ends[0]);
  ready_pipe_ = ends[1];
  if (::setsid() < 0) return failed("setsid");
  return Done{};
}

void Background::ready() {
  if (ready_pipe_ < 0) return;
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  if (nothing > STDERR_FILENO) ::close(nothing);
  [[maybe_unused]] const auto written = ::write(ready_pipe_, "r", 1);
  ::close(ready_pipe_);
  ready_pipe_ = -1;
}

}  // namespace maui
