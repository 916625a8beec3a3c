#include "daemon/clients/listener.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <cerrno>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "base/fence.h"
#include "base/server_places.h"
#include "base/text.h"
#include "daemon/clients/unused_socket.h"
#include "net/accept_again.h"

namespace maui {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Local = boost::asio::local::stream_protocol;

namespace {

// Clients that wait to be accepted.  At a port, a client that finds no room tries again a second
// later; at a socket, it waits, or fails if it does not.
constexpr int kPortBacklog = 4096, kSocketBacklog = 1024;
// How long clients are accepted at once.  What was accepted before is served in between, so that a
// request does not wait for all that a flood of others brings.
constexpr std::chrono::milliseconds kAcceptFor{2};

/// Returns the identity of the file at a path; zeros if there is no file, nullopt if that cannot be
/// told.
std::optional<std::pair<dev_t, ino_t>> file_at(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) == 0) return {{about.st_dev, about.st_ino}};
  if (errno == ENOENT || errno == ENOTDIR) return {{0, 0}};
  return std::nullopt;
}

/// True if accept(2) failed because a client has given up.
bool has_given_up(int fault) { return fault == ECONNABORTED || fault == EPROTO || fault == EINTR; }

/// Returns our end of a connection; none if it is gone.
tcp::endpoint own_end_of(int descriptor) {
  tcp::endpoint end;
  auto size = static_cast<socklen_t>(end.capacity());
  if (::getsockname(descriptor, end.data(), &size) != 0) return {};
  end.resize(size);
  return end;
}

/// Opens, binds and listens; `error` is that of the step that failed.
void open_at(tcp::acceptor& acceptor, const tcp::endpoint& at, error_code& error) {
  acceptor.open(at.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && at.address().is_v6() && at.address().is_unspecified())
    acceptor.set_option(boost::asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(at, error);
  // A connection that is refused is reset, since that needs no answer; one that is taken is not.
  if (!error) acceptor.set_option(tcp::acceptor::linger(true, 0), error);
  if (!error) acceptor.listen(kPortBacklog, error);
  if (!error) acceptor.non_blocking(true, error);
  error_code ignored;
  if (error) acceptor.close(ignored);
}

}  // namespace

Status Listener::listen_at(SocketPlace place) {
  pass_fence();
  place_ = std::move(place);
  if (auto status = check_unused(place_.path, place_.home); !status) return status;
  error_code error;
  if (::unlink(place_.path.c_str()) != 0 && errno != ENOENT)
    error = error_code(errno, boost::system::system_category());
  try {
    const Local::endpoint at(place_.path);  // throws if the path is too long
    if (!error) local_.open(at.protocol(), error);
    if (!error) local_.bind(at, error);
  } catch (const boost::system::system_error& problem) {
    error = problem.code();
  }
  if (!error && ::chmod(place_.path.c_str(), 0666) != 0)
    error = error_code(errno, boost::system::system_category());
  if (!error) local_.listen(kSocketBacklog, error);
  if (!error) local_.non_blocking(true, error);
  if (error) {
    error_code ignored;
    local_.close(ignored);
    return Error{fmt::format("cannot listen at the socket '{}': {}", place_.path, error.message())};
  }
  socket_file_ = file_at(place_.path).value_or(std::pair<dev_t, ino_t>());
  accept(local_);
  return Done{};
}

void Listener::look_after_socket() {
  if (place_.path.empty() || closed_) return;
  const auto there = file_at(place_.path);
  if (local_.is_open() && there.value_or(socket_file_) == socket_file_) return;
  error_code ignored;
  local_.close(ignored);
  socket_file_ = {};
  const auto made = listen_at(place_);
  const auto news = socket_failure_.note(made);  // the failure is looked at every few seconds
  if (made)
    alert_(
        fmt::format("ALERT: the socket '{}' was missing, and has been created again", place_.path));
  else if (news)
    alert_(*news);
}

Status Listener::listen_at(const std::string& host, int port) {
  const auto number = static_cast<unsigned short>(port);
  error_code error;
  if (is_loopback(host)) {
    open_at(network_, {boost::asio::ip::address_v4::loopback(), number}, error);
  } else {
    open_at(network_, {tcp::v6(), number}, error);
    if (error && error != boost::asio::error::address_in_use)  // a machine without IPv6
      open_at(network_, {tcp::v4(), number}, error);
  }
  return listening(std::to_string(port), error);
}

Status Listener::listen_at(const tcp::endpoint& at) {
  error_code error;
  open_at(network_, at, error);
  return listening(fmt::format("{} of {}", at.port(), at.address().to_string()), error);
}

Status Listener::listening(const std::string& port, error_code error) {
  port_is_taken_ = error == boost::asio::error::address_in_use;
  if (error) return Error{fmt::format("cannot listen at port {}: {}", port, error.message())};
  accept(network_);
  return Done{};
}

int Listener::port() const {
  error_code error;
  const auto at = network_.local_endpoint(error);
  return error ? 0 : at.port();
}

template <class Acceptor>
void Listener::accept(Acceptor& acceptor) {
  acceptor.async_wait(Acceptor::wait_read, [this, &acceptor](error_code error) {
    if (error == boost::asio::error::operation_aborted || closed_) return;
    if (!error) error = accept_all(acceptor);
    if (!error) return accept(acceptor);
    alert_(fmt::format("ALERT: cannot accept a client: {}", error.message()));
    accept_again(io_, [this, &acceptor] {
      if (!closed_) accept(acceptor);
    });
  });
}

/// Accepts those that wait: others may be queued before an honest client.
template <class Acceptor>
error_code Listener::accept_all(Acceptor& acceptor) {
  for (const auto until = std::chrono::steady_clock::now() + kAcceptFor; acceptor.is_open();) {
    typename Acceptor::endpoint_type remote;
    auto size = static_cast<socklen_t>(remote.capacity());
    const int descriptor =
        ::accept4(acceptor.native_handle(), remote.data(), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor >= 0) {
      Newcomer newcomer(io_, descriptor);
      try {
        // A bound Unix-domain socket may have a name one byte longer than its type tells.
        remote.resize(std::min<std::size_t>(size, remote.capacity()));
        newcomer.peer() = peer_of(remote, descriptor);
        welcome_(std::move(newcomer));
      } catch (const std::bad_alloc&) {
        return boost::asio::error::no_memory;
      }
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (!has_given_up(errno)) {
      return {errno, boost::system::system_category()};
    }
    if (std::chrono::steady_clock::now() >= until) break;
  }
  return {};
}

Peer Listener::peer_of(const Local::endpoint&, int descriptor) {
  return socket_peer(descriptor, place_.name, user_names_);
}

Peer Listener::peer_of(const tcp::endpoint& remote, int descriptor) {
  const auto local = own_end_of(descriptor);
  Peer peer = network_peer(remote, local, hosts_);
  if (!peer.host.empty()) return peer;
  if (const auto user = owners_.of(remote, local)) {
    const auto& [name, party] = user_names_.of(*user);
    peer.owner = name;
    peer.party = party + " over TCP";
  }
  return peer;
}

void Listener::close() {
  closed_ = true;
  error_code ignored;
  local_.close(ignored);
  network_.close(ignored);
  if (!place_.path.empty() && file_at(place_.path) == socket_file_) ::unlink(place_.path.c_str());
}

}  // namespace maui
