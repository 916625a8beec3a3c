#include "daemon/run_briefly.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "daemon/spawn.h"

namespace maui {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::size_t kMostOutput = std::size_t{1} << 20;

/// A child with a socket for its standard input and output; killed at the latest when this goes.
class Child {
 public:
  ~Child() {
    if (socket_ >= 0) ::close(socket_);
    if (pid_ <= 0) return;
    kill_group(pid_);
    ::waitpid(pid_, nullptr, 0);
  }
  Status start(const std::string& path, const std::vector<std::string>& arguments, Whose whose);
  /// Writes and reads what there is to; true once the child has closed its end.
  Result<bool> exchange(std::string_view& input, std::string& output, int milliseconds);
  /// The exit status, once it has ended.
  std::optional<int> ended();

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
};

Status Child::start(const std::string& path, const std::vector<std::string>& arguments,
                    Whose whose) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{fmt::format("cannot make a socket: {}", std::strerror(errno))};
  socket_ = ends[0];
  const auto id = spawn(path, arguments, {.input = ends[1], .output = ends[1]}, whose);
  ::close(ends[1]);
  if (!id) return Error{fmt::format("cannot run it: {}", id.error().what)};
  pid_ = *id;
  return Done{};
}

Result<bool> Child::exchange(std::string_view& input, std::string& output, int milliseconds) {
  pollfd one{socket_, static_cast<short>(input.empty() ? POLLIN : POLLIN | POLLOUT), 0};
  if (::poll(&one, 1, milliseconds) <= 0) return false;
  if ((one.revents & POLLOUT) != 0 && !input.empty()) {
    const auto written = ::send(socket_, input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    // One that does not care to read all of it may still answer.
    input.remove_prefix(written > 0                         ? static_cast<std::size_t>(written)
                        : errno == EAGAIN || errno == EINTR ? 0
                                                            : input.size());
    if (input.empty()) ::shutdown(socket_, SHUT_WR);
  }
  if ((one.revents & (POLLIN | POLLHUP)) == 0) return false;
  std::array<char, 65536> buffer{};
  const auto read = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (read < 0) return errno != EAGAIN && errno != EINTR;
  output.append(buffer.data(), static_cast<std::size_t>(read));
  if (output.size() > kMostOutput) return Error{"its answer is longer than a megabyte"};
  return read == 0;
}

std::optional<int> Child::ended() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  kill_group(pid_);  // what it left behind
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<std::string> run_briefly(const std::string& path, const std::string& input,
                                std::chrono::milliseconds most,
                                const std::vector<std::string>& arguments, Whose whose) {
  const auto deadline = SteadyClock::now() + most;
  const auto left = [&] {
    return std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
  };
  Child child;
  if (auto started = child.start(path, arguments, whose); !started) return started.error();
  std::string output;
  std::string_view rest = input;
  bool closed = false;
  while (left() > 0) {
    if (!closed) {
      const auto done = child.exchange(rest, output, static_cast<int>(left()));
      if (!done) return done.error();
      closed = *done;
      continue;
    }
    if (const auto status = child.ended()) {
      if (*status == 0) return output;
      return Error{fmt::format("it ended with status {}", *status)};
    }
    ::poll(nullptr, 0, 1);
  }
  return Error{fmt::format("it took longer than {} ms", most.count())};
}

}  // namespace maui
