#include "daemon/clients/unused_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include "daemon/files/lock_holders.h"

namespace maui {
namespace {

/// Returns the process that listens at the other end; 0: unknown.
pid_t server_at(int connected) {
  ucred server{};
  socklen_t size = sizeof server;
  return ::getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &server, &size) == 0 ? server.pid : 0;
}

}  // namespace

Status check_unused(const std::string& path, const std::string& home) {
  const auto taken = [&](std::string_view why) {
    return Error{
        fmt::format("cannot listen at the socket '{}': {}, which is left alone", path, why)};
  };
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return Done{};
  if (!S_ISSOCK(about.st_mode)) return taken("there is a file that is not a socket");
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (path.size() >= sizeof(at.sun_path)) return Done{};  // it cannot be bound either
  path.copy(at.sun_path, path.size());
  // A scheduler that ends, having lost its lease, cannot be told from others any more, but its
  // socket is dead in a moment.
  constexpr std::chrono::milliseconds kMoment{20};
  for (int moments = 25; moments > 0; --moments) {
    const int asking = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (asking < 0) return Error{fmt::format("socket '{}': {}", path, std::strerror(errno))};
    const bool answered = ::connect(asking, reinterpret_cast<sockaddr*>(&at), sizeof(at)) == 0;
    const int error = errno;
    const pid_t server = answered ? server_at(asking) : 0;
    ::close(asking);
    if (!answered && (error == ECONNREFUSED || error == ENOENT || error == EAGAIN)) return Done{};
    if (server == 0) break;
    if (is_scheduler_of(server, home)) return Done{};
    if (!is_ending(server)) break;
    std::this_thread::sleep_for(kMoment);
  }
  return taken("another program uses that socket");
}

}  // namespace maui
