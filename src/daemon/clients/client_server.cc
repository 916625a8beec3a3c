#include "daemon/clients/client_server.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <utility>

#include "daemon/clients/client_connection.h"
#include "proto/checksum.h"

namespace maui {
namespace {

// An ordinary party that changes something is not served for this many times as long as saving
// took, so that one that keeps changing something uses at most a quarter of the server's time.
constexpr int kRests = 3;

constexpr const char* kNoRequest = "it sent a reply instead of a request";

}  // namespace

ClientServer::ClientServer(boost::asio::io_context& io, ClientServerOptions options,
                           Handler handler, LogLine log)
    : io_(io),
      options_(std::move(options)),
      handler_(std::move(handler)),
      log_(std::move(log)),
      seen_(options_.max_skew, std::time(nullptr)),
      listener_(
          io, options_.hosts, [this](Newcomer newcomer) { welcome(std::move(newcomer)); },
          [this](std::string_view text) { log_(0, "others", text); }),
      turns_(io, limits(),
             [this](const Peer& peer, std::string_view text) { log_(0, peer.party, text); }) {}

ClientServer::~ClientServer() {
  if (!finishing_) finish(std::chrono::milliseconds(0));
}

Status ClientServer::listen_at(const std::string& socket_path) {
  const std::filesystem::path path = socket_path;
  return listener_.listen_at({socket_path, path.filename(), path.parent_path()});
}

// A message of the second in which another program still had the port may have gone to it.
Status ClientServer::listen_at(const std::string& host, int port) {
  const bool was_taken = listener_.port_is_taken();
  auto status = listener_.listen_at(host, port);
  if (status) seen_.begin_at(std::time(nullptr) + (was_taken ? 1 : 0));
  return status;
}

void ClientServer::configure(ClientServerOptions options) {
  options_ = std::move(options);
  seen_.set_window(options_.max_skew);
  turns_.configure(limits());
}

/// Connecting takes its party's time, so that others come before one that connects without end.
void ClientServer::welcome(Newcomer newcomer) {
  const auto begin = turns_.now();
  auto& peer = newcomer.peer();
  if (options_.party) peer.party = options_.party(peer);
  if (!turns_.admits(peer, begin)) return;
  auto socket = newcomer.take();
  turns_.make_room(peer, options_.max_connections);
  const auto connection =
      std::make_shared<ClientConnection>(static_cast<ClientConnection::Host&>(*this), turns_,
                                         std::move(socket), std::move(peer), turns_.next_number());
  ++taken_;
  turns_.add(connection, begin);
  log(7, connection->peer(), fmt::format("client {} connected", connection->peer().address));
  connection->start();
  turns_.worked(*connection, begin);
}

void ClientServer::authenticate(const Peer& peer, const Message& message,
                                std::function<void(Result<Believed>)> done) {
  if (message.credential.empty() || peer.local_socket) return done(believe(peer, message));
  if (!ways_of(peer).munge || options_.munge == nullptr)
    return done(Error{"CLIENTCFG AUTHTYPE does not let its host use munge credentials"});
  if (!message.in_reply_to.empty()) return done(Error{kNoRequest});
  if (!may_be_credential(message.credential))
    return done(Error{"what it sent is no credential of munge"});
  // The connection that owns `done` keeps the message alive.
  options_.munge->read(peer.party, message.credential,
                       [this, &message, done = std::move(done)](const Result<Voucher>& vouched) {
                         done(believe(message, vouched));
                       });
}

config::ClientWays ClientServer::ways_of(const Peer& peer) const {
  return options_.ways ? options_.ways(peer) : config::ClientWays{.checksum = true};
}

Result<Believed> ClientServer::believe(const Peer& peer, const Message& message) {
  if (!message.in_reply_to.empty()) return Error{kNoRequest};
  if (peer.local_socket) {
    if (peer.user.empty()) return Error{"the kernel does not report its user"};
    if (message.user != peer.user)
      return Error{fmt::format("it is user '{}', but sent AUTH={}", peer.user, message.user)};
    return Believed{peer.user, {}};
  }
  const auto ways = ways_of(peer);
  if (message.checksum == kNoChecksum && ways.secure_port) {
    if (peer.secure_port) return Believed{message.user, {}};
    return Error{"its message has no checksum, and its port is not below 1024"};
  }
  if (!ways.checksum) return Error{"CLIENTCFG AUTHTYPE does not let its host use a secret"};
  if (!authentic(message, options_.secret)) return Error{"wrong checksum"};
  return believe_once({message.user, options_.secret}, message, message.checksum,
                      message.timestamp);
}

/// Accepts each credential only once, whatever message comes with it.
Result<Believed> ClientServer::believe(const Message& message, const Result<Voucher>& vouched) {
  if (!vouched) return vouched.error();
  if (!authentic(message, vouched->key))
    return Error{"wrong checksum: its credential belongs to another request"};
  const auto& user = listener_.user_names().of(vouched->user).name;
  if (message.user != user)
    return Error{fmt::format("munge reports user '{}', but it sent AUTH={}", user, message.user)};
  return believe_once({user, vouched->key}, message, checksum(vouched->key, "credential"),
                      vouched->made);
}

/// Believes a sender if the message has not been seen; `checksum` and `made` stand for it.
Result<Believed> ClientServer::believe_once(Believed sender, const Message& message,
                                            std::string_view checksum, std::int64_t made) {
  if (!message.challenge.empty()) return sender;
  auto freshness = seen_.admit(checksum, made, std::time(nullptr));
  if (freshness.verdict == Freshness::Verdict::refused) return Error{std::move(freshness.why)};
  sender.doubt = std::move(freshness.why);
  return sender;
}

std::string ClientServer::sign_reply(const std::string& secret, const std::string& to,
                                     const std::string& data) const {
  return sign(secret, {.timestamp = std::time(nullptr), .user = options_.name, .in_reply_to = to},
              data)
      .text;
}

std::string ClientServer::sign_challenge(const std::string& secret, const std::string& to,
                                         const std::string& challenge) const {
  const Envelope envelope{.timestamp = std::time(nullptr),
                          .user = options_.name,
                          .in_reply_to = to,
                          .challenge = challenge};
  return sign(secret, envelope, {}).text;
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

void ClientServer::wait_no_longer() {
  for (const auto& connection : turns_.all()) connection->wait_no_longer();
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
