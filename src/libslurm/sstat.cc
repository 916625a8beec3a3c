#include "libslurm/sstat.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace maui::slurm {
namespace {

// The most jobs per call, since the length of a command line is limited.
constexpr std::size_t kMostJobs = 1000;
constexpr std::chrono::seconds kPatience{60};

/// Starts sstat with its output connected to the pipe; its errors are discarded.
Result<pid_t> start(const std::vector<std::string>& arguments, int output) {
  std::vector<char*> words{const_cast<char*>("sstat")};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int failed = ::posix_spawnp(&process, "sstat", &files, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return Error{fmt::format("cannot run sstat: {}", std::strerror(failed))};
  return process;
}

/// Reads to the end of the output; fails if that takes too long.
Result<std::string> read_all(int input) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd readable{input, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&readable, 1, static_cast<int>(left.count())) == 0)
      return Error{fmt::format("sstat took longer than {} seconds", kPatience.count())};
    const auto count = ::read(input, buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count < 0 && errno != EINTR) return Error{std::strerror(errno)};
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Result<std::string> run(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Error{std::strerror(errno)};
  const auto process = start(arguments, ends[1]);
  ::close(ends[1]);
  auto text = process ? read_all(ends[0]) : Result<std::string>(process.error());
  ::close(ends[0]);
  if (!process) return text;
  if (!text) ::kill(*process, SIGKILL);
  int status = 0;  // sstat fails for jobs that have ended meanwhile, but reports the others
  while (::waitpid(*process, &status, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

Result<Usage> Sstat::measure(const std::vector<std::uint32_t>& jobs) {
  Usage all;
  for (std::size_t first = 0; first < jobs.size(); first += kMostJobs) {
    const auto last = std::min(first + kMostJobs, jobs.size());
    const auto text = run(usage_arguments({jobs.begin() + static_cast<std::ptrdiff_t>(first),
                                           jobs.begin() + static_cast<std::ptrdiff_t>(last)}));
    if (!text) return text.error();
    all.merge(read_usage(*text));
  }
  return all;
}

}  // namespace maui::slurm
