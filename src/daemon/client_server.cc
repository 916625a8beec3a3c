#include "daemon/client_server.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <ctime>

#include "base/text.h"
#include "daemon/client_connection.h"

namespace maui {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Local = boost::asio::local::stream_protocol;

namespace {

// Clients that wait to be accepted: few, so that nobody stands behind very many, and all of them
// are accepted before more work is done.
constexpr int kBacklog = 128, kAcceptedAtOnce = 128;
// Rounds of the loop between two slices of work, in which a client that has come is accepted, and
// its request read.
constexpr int kRounds = 3;

// An ordinary party rests so many times as long as it took to make its changes safe: whoever
// changes something again and again has a quarter of the server's time for that.
constexpr int kRests = 3;

// After a failure to accept, most likely for want of descriptors, until the next try.
constexpr std::chrono::milliseconds kRetry{200};

bool names_loopback(std::string_view host) {
  return same_word(host, "localhost") || host.starts_with("127.") || host == "::1";
}

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

/// Which file stands at a path; of none the same as before any.
std::pair<dev_t, ino_t> file_at(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return {};
  return {about.st_dev, about.st_ino};
}

/// Opens, binds and listens; the step that failed is in `error`.
void open_at(tcp::acceptor& acceptor, const tcp::endpoint& at, error_code& error) {
  acceptor.open(at.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && at.address().is_v6() && at.address().is_unspecified())
    acceptor.set_option(boost::asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(at, error);
  if (!error) acceptor.listen(kBacklog, error);
  if (!error) acceptor.non_blocking(true, error);
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
      seen_(options_.max_skew, std::time(nullptr)),
      local_(io),
      network_(io),
      rest_(io) {}

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
  if (!error) local_.listen(kBacklog, error);
  if (!error) local_.non_blocking(true, error);
  socket_path_ = socket_path;
  if (error) {
    error_code ignored;
    local_.close(ignored);
    return Error{fmt::format("cannot listen at the socket '{}': {}", socket_path, error.message())};
  }
  socket_file_ = file_at(socket_path);
  accept(local_);
  return Done{};
}

void ClientServer::look_after_socket() {
  if (socket_path_.empty() || finishing_) return;
  if (local_.is_open() && file_at(socket_path_) == socket_file_) return;
  error_code ignored;
  local_.close(ignored);
  const auto made = listen_at(std::string(socket_path_));
  log_(0, "others",
       made ? fmt::format("ALERT: the socket '{}' was gone, and has been made again", socket_path_)
            : "ALERT: " + made.error().what);
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
  seen_.set_window(options_.max_skew);
}

template <class Acceptor>
void ClientServer::accept(Acceptor& acceptor) {
  using Socket = typename Acceptor::protocol_type::socket;
  acceptor.async_accept([this, &acceptor](error_code error, Socket socket) {
    if (error == boost::asio::error::operation_aborted || finishing_) return;
    // As many as wait: others may be in front of an honest one.
    for (int accepted = 0; !error; acceptor.accept(socket, error)) {
      welcome(std::move(socket));
      if (++accepted == kAcceptedAtOnce) break;
      socket = Socket(io_);
    }
    if (!error || error == boost::asio::error::would_block) return accept(acceptor);
    log_(0, "others", fmt::format("ALERT: cannot accept a client: {}", error.message()));
    accept_later(acceptor);
  });
}

template <class Socket>
void ClientServer::welcome(Socket socket) {
  auto peer = peer_of(socket, known_hosts_, user_names_);
  if (options_.party) peer.party = options_.party(peer);
  make_room(peer);
  adopt(std::make_shared<ClientConnection>(static_cast<ClientConnection::Host&>(*this),
                                           std::move(socket), std::move(peer), next_number_++));
}

template <class Acceptor>
void ClientServer::accept_later(Acceptor& acceptor) {
  auto waiting = std::make_shared<boost::asio::steady_timer>(io_, kRetry);
  waiting->async_wait([this, &acceptor, waiting](error_code error) {
    if (!error && !finishing_) accept(acceptor);
  });
}

void ClientServer::adopt(std::shared_ptr<ClientConnection> connection) {
  ++taken_;
  parties_.add(connection, is_privileged(connection->peer()));
  log(7, connection->peer(), fmt::format("client {} connected", connection->peer().address));
  connection->start();
}

bool ClientServer::is_privileged(const Peer& peer) const {
  return options_.privileged && options_.privileged(peer);
}

void ClientServer::make_room(const Peer& newcomer) {
  if (const auto found =
          parties_.in_the_way(newcomer, is_privileged(newcomer), options_.max_connections))
    close_for(found, fmt::format("{} connections", options_.max_connections));
}

Result<std::string> ClientServer::authenticate(const Peer& peer, const Message& message) {
  if (!message.in_reply_to.empty()) return Error{"it sent a reply as if it were a request"};
  if (peer.local_socket) {
    if (peer.user.empty()) return Error{"the kernel does not say who it is"};
    if (message.user != peer.user)
      return Error{fmt::format("it is user '{}' and says AUTH={}", peer.user, message.user)};
    return peer.user;
  }
  if (!authentic(message, options_.secret)) return Error{"wrong checksum"};
  if (auto fresh = seen_.admit(message.checksum, message.timestamp, std::time(nullptr)); !fresh)
    return fresh.error();
  return message.user;
}

ClientConnection::Host::Slice ClientServer::work_on(const Work& work) {
  changing_ = first_ = false;
  auto data = work();
  return {std::move(data), std::exchange(changing_, false), first_};
}

std::string ClientServer::sign_reply(const Peer& peer, const std::string& to,
                                     const std::string& data) const {
  return sign(peer.local_socket ? std::string() : options_.secret, std::time(nullptr),
              options_.name, to, data)
      .text;
}

void ClientServer::recount(const ClientConnection& connection, std::size_t before,
                           std::size_t now) {
  parties_.recount(connection, before, now);
  if (now <= before) return;
  while (const auto found = parties_.too_large(options_.max_memory))
    close_for(found, fmt::format("{} bytes of messages", parties_.held()));
}

void ClientServer::close_for(const std::shared_ptr<ClientConnection>& connection,
                             const std::string& what) {
  const Peer& peer = connection->peer();
  complain(peer, fmt::format("ALERT: client {} closed: {} has most of {}", peer.address, peer.party,
                             what));
  connection->close();
}

void ClientServer::is_ready(const std::shared_ptr<ClientConnection>& connection, bool first) {
  parties_.is_ready(connection, first);
  serve_soon();
}

/// Behind whatever the loop has to do meanwhile: accept, read, send, poll.
void ClientServer::serve_soon() {
  if (serving_ || held_back_ || !parties_.any_ready()) return;
  if (const auto first = parties_.first_turn(); first > std::chrono::steady_clock::now()) {
    rest_.expires_at(first);
    rest_.async_wait([this](error_code error) {
      if (!error) serve_soon();
    });
    return;
  }
  serving_ = true;
  serve_in(kRounds);
}

void ClientServer::serve_in(int rounds) {
  boost::asio::post(io_, [this, rounds, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    rounds > 0 ? serve_in(rounds - 1) : serve_next();
  });
}

void ClientServer::serve_next() {
  serving_ = false;
  if (held_back_) return;
  const auto begin = std::chrono::steady_clock::now();
  if (const auto connection = parties_.next(begin)) {
    connection->work();
    parties_.spent(*connection, std::chrono::steady_clock::now() - begin);
  }
  serve_soon();
}

void ClientServer::complain(const Peer& peer, std::string_view text) {
  ++refused_;
  log(0, peer, text);
}

void ClientServer::hold_back(bool on) {
  held_back_ = on;
  serve_soon();
}

void ClientServer::send_replies(const Revision& of_changes,
                                std::chrono::steady_clock::duration took) {
  keeping_ = false;
  const auto until = std::chrono::steady_clock::now() + kRests * took;
  for (const auto& connection : parties_.all()) {
    if (connection->has_changed()) parties_.rests(*connection, until);
    connection->release(of_changes);
  }
}

void ClientServer::finish(std::chrono::milliseconds limit) {
  finishing_ = true;
  error_code ignored;
  local_.close(ignored);
  network_.close(ignored);
  if (!socket_path_.empty() && file_at(socket_path_) == socket_file_)
    ::unlink(socket_path_.c_str());
  for (const auto& connection : parties_.all()) connection->close_when_idle();
  const auto end = std::chrono::steady_clock::now() + limit;
  while (parties_.connections() > 0 && std::chrono::steady_clock::now() < end) {
    if (io_.stopped()) io_.restart();
    io_.run_one_until(end);
  }
  for (const auto& connection : parties_.all()) connection->close();
}

}  // namespace maui
