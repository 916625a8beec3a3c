#include "connection.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

namespace maui {
namespace {

std::string reason(int error) { return std::strerror(error); }

void never_wait(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// Connects to a socket of this machine within the limit; returns 0 or an errno value.  If many
/// clients wait to be accepted, it waits for its turn, which a non-blocking socket cannot do.
int connect_in_turn(int descriptor, const sockaddr_un& address, Connection::Limit limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const timeval most{
      seconds.count(),
      std::chrono::duration_cast<std::chrono::microseconds>(limit - seconds).count()};
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  int status = 0;
  do status = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  while (status != 0 && errno == EINTR);
  if (status != 0) return errno == EAGAIN ? ETIMEDOUT : errno;
  never_wait(descriptor);
  return 0;
}

/// Returns the result of connecting a non-blocking socket.
int connecting_error(int descriptor) {
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length);
  return error;
}

/// Connects within the limit; returns 0 or an errno value.
int connect_within(int descriptor, const sockaddr* address, socklen_t size,
                   Connection::Limit limit) {
  never_wait(descriptor);
  if (::connect(descriptor, address, size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd ready{descriptor, POLLOUT, 0};
  int count = 0;
  do count = ::poll(&ready, 1, static_cast<int>(limit.count()));
  while (count < 0 && errno == EINTR);
  return count == 0 ? ETIMEDOUT : connecting_error(descriptor);
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

int find_addresses(const std::string& host, int port, Addresses& into) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  into.reset(status == 0 ? found : nullptr);
  return status;
}

/// Binds to a free port below 1024, from `port` downwards; returns 0 or an errno value.
int bind_secure(int descriptor, int family, int& port) {
  for (; port >= IPPORT_RESERVED / 2; --port) {
    sockaddr_in of_4{};
    sockaddr_in6 of_6{};
    of_4.sin_family = AF_INET;
    of_6.sin6_family = AF_INET6;
    of_4.sin_port = of_6.sin6_port = htons(static_cast<std::uint16_t>(port));
    const int status =
        family == AF_INET6
            ? ::bind(descriptor, reinterpret_cast<const sockaddr*>(&of_6), sizeof of_6)
            : ::bind(descriptor, reinterpret_cast<const sockaddr*>(&of_4), sizeof of_4);
    if (status == 0) return 0;
    if (errno != EADDRINUSE) return errno;
  }
  return EADDRINUSE;
}

}  // namespace

Connection::Connection(int descriptor, Limit limit) : descriptor_(descriptor), limit_(limit) {}

Connection::Connection(Connection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), limit_(other.limit_) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  limit_ = other.limit_;
  return *this;
}

Connection::~Connection() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Connection> Connection::to_socket(const std::string& path, Limit limit) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return Error{"the path is too long for a socket"};
  std::memcpy(address.sun_path, path.data(), path.size());
  Connection made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), limit);
  if (made.descriptor_ < 0) return Error{reason(errno)};
  const int error = connect_in_turn(made.descriptor_, address, limit);
  if (error != 0) return Error{reason(error)};
  return made;
}

Result<Connection> Connection::to_host(const std::string& host, int port, Port from, Limit limit,
                                       ConnectionError& why) {
  Addresses addresses;
  if (const int status = find_addresses(host, port, addresses); status != 0) {
    why = {Failure::no_such_host, ::gai_strerror(status)};
    return Error{why.detail};
  }
  int own_port = IPPORT_RESERVED - 1;
  for (const auto* at = addresses.get(); at != nullptr;) {
    Connection made(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, at->ai_protocol), limit);
    int error = made.descriptor_ < 0 ? errno : 0;
    if (error == 0 && from == Port::secure)
      if (error = bind_secure(made.descriptor_, at->ai_family, own_port); error != 0) {
        why = {Failure::no_port, reason(error)};
        return Error{why.detail};
      }
    if (error == 0) error = connect_within(made.descriptor_, at->ai_addr, at->ai_addrlen, limit);
    if (error == 0) return made;
    why = {Failure::not_running, reason(error)};
    // The port may still be in use by an earlier connection to the same place.
    const bool taken = error == EADDRINUSE || error == EADDRNOTAVAIL;
    if (from == Port::secure && taken && --own_port > 0) continue;
    at = at->ai_next;
  }
  return Error{why.detail};
}

std::vector<std::pair<std::size_t, Connection>> Connection::to_any(
    const std::vector<ServerPlace>& places, Limit limit) {
  using Clock = std::chrono::steady_clock;
  constexpr Limit kAfterTheFirst{300};
  std::vector<std::pair<std::size_t, Connection>> trying, connected;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Addresses addresses;
    find_addresses(places[i].host, places[i].port, addresses);
    for (const auto* at = addresses.get(); at != nullptr; at = at->ai_next) {
      Connection made(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, at->ai_protocol), limit);
      if (made.descriptor_ < 0) continue;
      never_wait(made.descriptor_);
      if (::connect(made.descriptor_, at->ai_addr, at->ai_addrlen) == 0 || errno == EINPROGRESS)
        trying.emplace_back(i, std::move(made));
    }
  }
  auto end = Clock::now() + limit;
  while (!trying.empty() && Clock::now() < end) {
    std::vector<pollfd> ready;
    for (const auto& [place, connection] : trying)
      ready.push_back({connection.descriptor_, POLLOUT, 0});
    const auto left = std::chrono::ceil<Limit>(end - Clock::now());
    if (::poll(ready.data(), ready.size(), static_cast<int>(left.count())) <= 0) continue;
    for (std::size_t i = ready.size(); i-- > 0;) {
      if (ready[i].revents == 0) continue;
      const bool done = connecting_error(trying[i].second.descriptor_) == 0;
      if (done && connected.empty()) end = std::min(end, Clock::now() + kAfterTheFirst);
      if (done) connected.push_back(std::move(trying[i]));
      trying.erase(trying.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  // Keeps one connection to each place.
  std::stable_sort(connected.begin(), connected.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  connected.erase(std::unique(connected.begin(), connected.end(),
                              [](const auto& a, const auto& b) { return a.first == b.first; }),
                  connected.end());
  return connected;
}

bool Connection::wait(short events, ConnectionError& why) {
  pollfd ready{descriptor_, events, 0};
  int count = 0;
  do count = ::poll(&ready, 1, static_cast<int>(limit_.count()));
  while (count < 0 && errno == EINTR);
  if (count > 0) return true;
  why = count == 0 ? ConnectionError{Failure::too_slow, "nothing received"}
                   : ConnectionError{Failure::lost, reason(errno)};
  return false;
}

bool Connection::send(std::string_view bytes, ConnectionError& why) {
  while (!bytes.empty()) {
    if (!wait(POLLOUT, why)) return false;
    const auto sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) {
      why = {Failure::lost, reason(errno)};
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Result<std::string> Connection::exchange(std::string_view message, ConnectionError& why) {
  const auto frame = encode_frame(std::string(message));
  if (!frame) return frame.error();
  if (!send(*frame, why)) return Error{why.detail};
  FrameDecoder decoder(kMaxMessage);
  const auto buffer = std::make_unique<std::array<char, 1 << 16>>();
  for (;;) {
    if (!wait(POLLIN, why)) return Error{why.detail};
    const auto got = ::recv(descriptor_, buffer->data(), buffer->size(), 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      why = {Failure::lost, got < 0 ? reason(errno)
                                    : "closed without an answer; if the scheduler could not "
                                      "authenticate the user, its log says why"};
      return Error{why.detail};
    }
    decoder.feed({buffer->data(), static_cast<std::size_t>(got)});
    auto next = decoder.next();
    if (!next) {
      why = {Failure::lost, next.error().what};
      return next.error();
    }
    if (*next) return std::move(**next);
  }
}

}  // namespace maui
