#include "daemon/client_server.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <ctime>

#include "base/text.h"
#include "daemon/client_connection.h"

namespace maui {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Local = boost::asio::local::stream_protocol;

namespace {

// After a failure to accept, most likely for want of descriptors, until the next try.
constexpr std::chrono::milliseconds kRetry{200};

bool names_loopback(std::string_view host) {
  return same_word(host, "localhost") || host.starts_with("127.") || host == "::1";
}

// Lines about clients that do what they may not.
constexpr int kMostComplaints = 100;

Peer peer_of(Local::socket& socket, const KnownHosts&, UserNames& names) {
  return socket_peer(socket.native_handle(), names);
}

Peer peer_of(tcp::socket& socket, const KnownHosts& hosts, UserNames&) {
  error_code error;
  const auto remote = socket.remote_endpoint(error);
  const auto local = socket.local_endpoint(error);
  socket.set_option(tcp::no_delay(true), error);
  return network_peer(remote, local, hosts);
}

/// Opens, binds and listens; the step that failed is in `error`.
void open_at(tcp::acceptor& acceptor, const tcp::endpoint& at, error_code& error) {
  acceptor.open(at.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && at.address().is_v6() && at.address().is_unspecified())
    acceptor.set_option(boost::asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(at, error);
  if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
  error_code ignored;
  if (error) acceptor.close(ignored);
}

}  // namespace

ClientServer::ClientServer(boost::asio::io_context& io, ClientServerOptions options,
                           Handler handler, LogLine log)
    : io_(io),
      options_(std::move(options)),
      handler_(std::move(handler)),
      log_(std::move(log)),
      replay_(options_.max_skew, std::time(nullptr)),
      local_(io),
      network_(io) {}

ClientServer::~ClientServer() {
  if (!finishing_) finish(std::chrono::milliseconds(0));
}

Status ClientServer::listen_at(const std::string& socket_path) {
  // The caller holds the lock of this directory, so what stands there is left from a dead server.
  ::unlink(socket_path.c_str());
  error_code error;
  try {
    const Local::endpoint at(socket_path);  // throws if the path is too long
    local_.open(at.protocol(), error);
    if (!error) local_.bind(at, error);
  } catch (const boost::system::system_error& problem) {
    error = problem.code();
  }
  if (!error && ::chmod(socket_path.c_str(), 0666) != 0)
    error = error_code(errno, boost::system::system_category());
  if (!error) local_.listen(Local::acceptor::max_listen_connections, error);
  if (error)
    return Error{fmt::format("cannot listen at the socket '{}': {}", socket_path, error.message())};
  socket_path_ = socket_path;
  accept(local_);
  return Done{};
}

Status ClientServer::listen_at(const std::string& host, int port) {
  const auto number = static_cast<unsigned short>(port);
  error_code error;
  if (names_loopback(host)) {
    open_at(network_, {boost::asio::ip::address_v4::loopback(), number}, error);
  } else {
    open_at(network_, {tcp::v6(), number}, error);
    if (error && error != boost::asio::error::address_in_use)  // a machine without IPv6
      open_at(network_, {tcp::v4(), number}, error);
  }
  if (error) return Error{fmt::format("cannot listen at port {}: {}", port, error.message())};
  accept(network_);
  return Done{};
}

int ClientServer::port() const {
  error_code error;
  const auto at = network_.local_endpoint(error);
  return error ? 0 : at.port();
}

void ClientServer::configure(ClientServerOptions options) {
  options_ = std::move(options);
  replay_.set_window(options_.max_skew);
}

template <class Acceptor>
void ClientServer::accept(Acceptor& acceptor) {
  using Socket = typename Acceptor::protocol_type::socket;
  acceptor.async_accept([this, &acceptor](error_code error, Socket socket) {
    if (error == boost::asio::error::operation_aborted || finishing_) return;
    if (error) {
      log(0, fmt::format("ALERT: cannot accept a client: {}", error.message()));
      return accept_later(acceptor);
    }
    auto peer = peer_of(socket, known_hosts_, user_names_);
    if (make_room(peer.local_socket))
      adopt(std::make_shared<ClientConnection>(*this, std::move(socket), std::move(peer),
                                               next_number_++));
    else
      complain(fmt::format("ALERT: client {} refused: there are {} connections already",
                           peer.address, options_.max_connections));
    accept(acceptor);
  });
}

template <class Acceptor>
void ClientServer::accept_later(Acceptor& acceptor) {
  auto waiting = std::make_shared<boost::asio::steady_timer>(io_, kRetry);
  waiting->async_wait([this, &acceptor, waiting](error_code error) {
    if (!error && !finishing_) accept(acceptor);
  });
}

void ClientServer::adopt(std::shared_ptr<ClientConnection> connection) {
  ++(connection->peer().local_socket ? local_count_ : network_count_);
  connections_.emplace(connection->number(), connection);
  log(7, fmt::format("client {} connected", connection->peer().address));
  connection->start();
}

void ClientServer::closed(const ClientConnection& connection) {
  --(connection.peer().local_socket ? local_count_ : network_count_);
  connections_.erase(connection.number());  // its handlers keep it for now
}

bool ClientServer::make_room(bool local_socket) {
  if ((local_socket ? local_count_ : network_count_) < options_.max_connections) return true;
  const auto found = greediest([&](const ClientConnection& one) {
    return std::size_t{one.peer().local_socket == local_socket && !one.busy()};
  });
  if (found == nullptr) return false;
  complain(fmt::format("ALERT: client {} closed: {} has most of {} connections",
                       found->peer().address, found->peer().party, options_.max_connections));
  found->close();
  return true;
}

void ClientServer::recount(std::size_t before, std::size_t now) {
  held_ += now - before;
  while (now > before && held_ > options_.max_memory) {
    const auto found = greediest([](const ClientConnection& one) { return one.held(); });
    if (found == nullptr) return;
    complain(fmt::format("ALERT: client {} closed: {} has most of {} bytes of messages",
                         found->peer().address, found->peer().party, held_));
    found->close();
  }
}

std::shared_ptr<ClientConnection> ClientServer::greediest(const Share& share) const {
  std::map<std::string_view, std::size_t> shares;
  for (const auto& [number, one] : connections_) shares[one->peer().party] += share(*one);
  const auto most =
      std::max_element(shares.begin(), shares.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::shared_ptr<ClientConnection> found;
  std::size_t has = 0;
  for (const auto& [number, one] : connections_) {
    if (one->peer().party != most->first || share(*one) <= has) continue;
    has = share(*one);
    found = one;
  }
  return found;
}

void ClientServer::complain(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (now >= complaints_end_) {
    if (complaints_ > kMostComplaints)
      log(0, fmt::format("ALERT: {} more clients were refused", complaints_ - kMostComplaints));
    complaints_ = 0;
    complaints_end_ = now + options_.complaints_for;
  }
  if (++complaints_ <= kMostComplaints) log(0, text);
}

void ClientServer::hold_back(bool on) {
  if (held_back_ == on) return;
  held_back_ = on;
  if (on) return;
  const auto all = connections_;
  for (const auto& [number, connection] : all) connection->resume();
}

void ClientServer::send_replies() {
  keeping_ = false;
  const auto all = connections_;
  for (const auto& [number, connection] : all) connection->release();
}

void ClientServer::finish(std::chrono::milliseconds limit) {
  finishing_ = true;
  error_code ignored;
  local_.close(ignored);
  network_.close(ignored);
  if (!socket_path_.empty()) ::unlink(socket_path_.c_str());
  auto everything = connections_;
  for (const auto& [number, connection] : everything) connection->close_when_idle();
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!connections_.empty() && std::chrono::steady_clock::now() < end) {
    if (io_.stopped()) io_.restart();
    io_.run_one_until(end);
  }
  everything = connections_;
  for (const auto& [number, connection] : everything) connection->close();
}

}  // namespace maui
