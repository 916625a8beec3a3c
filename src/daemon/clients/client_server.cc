#include "daemon/clients/client_server.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <utility>

#include "daemon/clients/client_connection.h"

namespace maui {
namespace {

// An ordinary party rests so many times as long as it took to make its changes safe: whoever
// changes something again and again has a quarter of the server's time for that.
constexpr int kRests = 3;

}  // namespace

ClientServer::ClientServer(boost::asio::io_context& io, ClientServerOptions options,
                           Handler handler, LogLine log)
    : io_(io),
      options_(std::move(options)),
      handler_(std::move(handler)),
      log_(std::move(log)),
      seen_(options_.max_skew, std::time(nullptr)),
      listener_(
          io,
          [this](Listener::Socket socket, Peer peer) {
            welcome(std::move(socket), std::move(peer));
          },
          [this](std::string_view text) { log_(0, "others", text); }),
      turns_(io, limits(),
             [this](const Peer& peer, std::string_view text) { log_(0, peer.party, text); }) {}

ClientServer::~ClientServer() {
  if (!finishing_) finish(std::chrono::milliseconds(0));
}

void ClientServer::configure(ClientServerOptions options) {
  options_ = std::move(options);
  seen_.set_window(options_.max_skew);
  turns_.configure(limits());
}

void ClientServer::welcome(Listener::Socket socket, Peer peer) {
  if (options_.party) peer.party = options_.party(peer);
  turns_.make_room(peer, options_.max_connections);
  const auto connection =
      std::make_shared<ClientConnection>(static_cast<ClientConnection::Host&>(*this), turns_,
                                         std::move(socket), std::move(peer), turns_.next_number());
  ++taken_;
  turns_.add(connection);
  log(7, connection->peer(), fmt::format("client {} connected", connection->peer().address));
  connection->start();
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

bool ClientServer::keep(const std::shared_ptr<ClientConnection>& connection) {
  if (keeping_) kept_.push_back(connection);
  return keeping_;
}

void ClientServer::send_replies(const Revision& of_changes,
                                std::chrono::steady_clock::duration took) {
  keeping_ = false;
  const auto until = std::chrono::steady_clock::now() + kRests * took;
  for (const auto& connection : std::exchange(kept_, {})) {
    if (connection->has_changed()) turns_.rests(*connection, until);
    connection->release(of_changes);
  }
}

void ClientServer::finish(std::chrono::milliseconds limit) {
  finishing_ = true;
  listener_.close();
  for (const auto& connection : turns_.all()) connection->close_when_idle();
  const auto end = std::chrono::steady_clock::now() + limit;
  while (turns_.connections() > 0 && std::chrono::steady_clock::now() < end) {
    if (io_.stopped()) io_.restart();
    io_.run_one_until(end);
  }
  for (const auto& connection : turns_.all()) connection->close();
}

}  // namespace maui
