#include "client.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/server_places.h"
#include "base/text.h"
#include "connection.h"
#include "key_file.h"
#include "munge/credentials.h"
#include "proto/checksum.h"
#include "proto/message.h"
#include "proto/output.h"
#include "proto/request_codec.h"

namespace maui {
namespace {

using Clock = std::chrono::steady_clock;

Error unreachable(const ClientSettings& settings, const ConnectionError& why) {
  const auto guessed = settings.guessed.empty() ? "" : "; " + settings.guessed;
  switch (why.failure) {
    case Failure::no_such_host:
      return Error{fmt::format("cannot connect to '{}' port {} ({}{})", settings.places[0].host,
                               settings.places[0].port, why.detail, guessed)};
    case Failure::not_running:
      return Error{fmt::format("cannot send request to server {} (server may not be running{})",
                               settings.server(), guessed)};
    case Failure::no_port:
      return Error{fmt::format(
          "cannot send request to server {} (AUTHTYPE=SECUREPORT requires a port below 1024: {})",
          settings.server(), why.detail)};
    case Failure::lost:
      return Error{fmt::format("lost connection to server ({})", why.detail)};
    case Failure::too_slow:
      return Error{fmt::format("no answer from server {} within {} seconds (CLIENTTIMEOUT)",
                               settings.server(), settings.timeout.count() / 1000)};
  }
  return Error{"lost connection to server"};
}

/// How the client authenticates its user at the port.
struct Proof {
  std::string secret;      // signs the request; empty: none
  std::string credential;  // of munge, contains the secret; empty: none
  Connection::Port port = Connection::Port::any;
};

Result<uid_t> number_of(const std::string& user) {
  if (const auto* entry = ::getpwnam(user.c_str()); entry != nullptr) return entry->pw_uid;
  if (const auto number = parse_integer<uid_t>(user)) return *number;
  return Error{
      fmt::format("unknown user '{}' on this host: the scheduler runs as the first user of "
                  "ADMIN1",
                  user)};
}

/// Generates a new key for each request, in a credential that only the server's user can decode.
Result<Proof> proof_by_munge(const ClientSettings& settings) {
  const auto reader = number_of(settings.server_user);
  if (!reader) return reader.error();
  Proof proof;
  proof.secret = random_digits(kSecretDigits / 2);
  auto credential = munge::make_credential(settings.munge_socket, proof.secret, *reader);
  if (!credential) return credential.error();
  proof.credential = *std::move(credential);
  return proof;
}

/// Sends a request and returns the message that replies to it.  `challenge`: of the server; empty:
/// none.  `failure`: set to the reason if there is no reply.
Result<Message> send(Connection& connection, const ClientSettings& settings, const Proof& proof,
                     const std::string& request, std::string_view challenge, const Trace& trace,
                     std::optional<Failure>& failure) {
  const auto& secret = proof.secret;
  const auto user = user_name();
  const auto made = sign(secret,
                         {.timestamp = std::time(nullptr),
                          .user = user,
                          .challenge = challenge,
                          .credential = proof.credential},
                         request);
  trace.say(5, fmt::format("sending {} bytes", made.text.size()));
  trace.say(9, made.text);
  ConnectionError why;
  const auto answer = connection.exchange(made.text, why);
  if (!answer) {
    failure = why.failure;
    return unreachable(settings, why);
  }
  trace.say(5, fmt::format("received {} bytes", answer->size()));
  trace.say(9, *answer);
  auto message = parse_message(*answer);
  if (!message) return Error{"the server's reply cannot be read: " + message.error().what};
  if (!secret.empty() && (!authentic(*message, secret) || message->in_reply_to != made.checksum))
    return Error{"the reply is not from the server that was asked (wrong checksum)"};
  return message;
}

/// Sends a request and returns the reply.  A server that cannot tell whether the request is new, as
/// after its clock was set back, sends a challenge first, and is sent the request again with it.
/// `failure`: set to the reason if there is no reply.
Result<ServerAnswer> exchange(Connection& connection, const ClientSettings& settings,
                              const Proof& proof, const CommandRequest& request, const Trace& trace,
                              std::optional<Failure>& failure) {
  const auto encoded = encode_request(request, random_digits(16));
  auto message = send(connection, settings, proof, encoded, {}, trace, failure);
  if (message && !message->challenge.empty() && !proof.secret.empty()) {
    trace.say(3, "answering the server's challenge");
    const auto again = proof.credential.empty() ? proof : proof_by_munge(settings);
    if (!again) return again.error();
    const auto challenge = message->challenge;
    message = send(connection, settings, *again, encoded, challenge, trace, failure);
  }
  if (!message) return message.error();
  auto reply = decode_reply(message->data);
  if (!reply) return Error{"the server's reply cannot be read: " + reply.error().what};
  return ServerAnswer{*std::move(reply), remarks_of(message->data)};
}

/// Returns the first of the methods that the server accepts from this host and that this user can
/// use: the secret, munge, a port reserved to root.
Result<Proof> proof_of(const ClientSettings& settings, const Trace& trace) {
  Error why{"CLIENTCFG has no AUTHTYPE for this host"};
  if (settings.ways.checksum || settings.key_file_named) {
    auto secret = read_secret(settings.key_file);
    if (secret) {
      trace.say(3, fmt::format("signing with the secret of '{}'", settings.key_file));
      return Proof{*std::move(secret), {}, Connection::Port::any};
    }
    why = Error{"no secret: " + secret.error().what};
    if (settings.key_file_named) return why;
    trace.say(3, why.what);
  }
  if (settings.ways.munge) {
    auto proof = proof_by_munge(settings);
    trace.say(3, proof ? "munge created a credential for this user" : proof.error().what);
    if (proof || !settings.ways.secure_port) return proof;
  }
  if (!settings.ways.secure_port) return why;
  trace.say(3, "connecting from a port below 1024");
  return Proof{{}, {}, Connection::Port::secure};
}

Error unproved(const ClientSettings& settings, const Error& why) {
  return Error{fmt::format("cannot send request to server {} ({})", settings.server(), why.what)};
}

// How long to wait for a standby to take over, and the first part of that without a message.
constexpr std::chrono::seconds kPatience{15}, kSilence{2};
// The pause between two tries.
constexpr std::chrono::milliseconds kPause{250};
// Time limits for a server that may be stopped although the machine accepts its connections.
constexpr Connection::Limit kProbe{2000}, kAlone{4000}, kAgain{500};

/// Connects to the Unix-domain socket of this machine.
auto connect_here(const ClientSettings& settings, Connection::Limit limit, const Trace& trace) {
  auto local = Connection::to_socket(settings.socket_path(), limit);
  trace.say(3, fmt::format("connecting to {}: {}", settings.socket_path(),
                           local ? "done" : local.error().what));
  return local;
}

/// Finds the one of several places that answers: the others stand by or are dead.
class Search {
 public:
  Search(const ClientSettings& settings, const CommandRequest& request, const Trace& trace)
      : settings_(settings), around_(settings.places), request_(request), trace_(trace) {
    if (settings.served_here())
      std::erase_if(around_, [](const ServerPlace& place) { return is_this_machine(place.host); });
  }

  Result<ServerAnswer> run() {
    const auto begin = Clock::now();
    const auto end = begin + std::min<Clock::duration>(kPatience, settings_.timeout);
    for (bool notified = false;; std::this_thread::sleep_for(kPause)) {
      const bool at_last = Clock::now() + kPause >= end;
      auto reply = settings_.try_socket ? look_here(at_last) : std::nullopt;
      if (!reply) reply = look_around(at_last);
      if (reply) return *std::move(reply);
      if (Clock::now() + kPause >= end)
        return unreachable(settings_, {Failure::not_running, "no server is listening"});
      if (!notified && Clock::now() - begin >= kSilence) {
        notified = true;
        warn_user("INFO:     no server answers at {}; waiting for a server to take over\n",
                  settings_.server());
      }
    }
  }

 private:
  /// Asks at this machine's socket; nullopt: nobody answers there now.
  std::optional<Result<ServerAnswer>> look_here(bool at_last) {
    const bool changes = !only_looks(request_);
    const auto patience = silent_here_ ? kAgain : kAlone;
    const auto limit =
        changes || at_last ? settings_.timeout : std::min(patience, settings_.timeout);
    std::optional<Failure> failure;
    auto reply = exchange_here(request_, limit, failure);
    if (!failure) return reply;
    if (*failure == Failure::not_running) return std::nullopt;
    if (changes)
      return Error{reply.error().what + "; it is unknown whether the command was carried out"};
    // A server that answers other requests is not stopped: this request just takes long.
    if (*failure == Failure::too_slow && answers_here())
      return exchange_here(request_, settings_.timeout, failure);
    silent_here_ = true;
    return std::nullopt;
  }

  bool answers_here() const {
    std::optional<Failure> failure;
    const auto reply = exchange_here(probe(), kProbe, failure);
    return reply || !failure;
  }

  Result<ServerAnswer> exchange_here(const CommandRequest& request, Connection::Limit limit,
                                     std::optional<Failure>& failure) const {
    auto local = connect_here(settings_, limit, trace_);
    if (local) return exchange(*local, settings_, {}, request, trace_, failure);
    failure = Failure::not_running;
    return local.error();
  }

  /// Asks through the network; nullopt: nobody answers now.  `at_last`: waits for slow servers.
  std::optional<Result<ServerAnswer>> look_around(bool at_last) {
    auto found = Connection::to_any(around_, std::min(kProbe, settings_.timeout));
    for (const auto& [place, connection] : found)
      trace_.say(3, fmt::format("connecting to {} port {}: done", around_[place].host,
                                around_[place].port));
    const bool changes = !only_looks(request_);
    const bool alone = found.size() == 1;
    // A server that was silent may be stopped: tries the others first.
    std::stable_partition(found.begin(), found.end(), [&](const auto& connected) {
      return !silent_.contains(connected.first);
    });
    // One of several servers may be stopped and not know yet that it lost the lease; so may a
    // single server, before another has taken over.
    const bool silent = alone && silent_.contains(found.front().first);
    const auto patience = silent ? kAgain : alone ? kAlone : kProbe;
    const auto limit =
        changes || at_last ? settings_.timeout : std::min(patience, settings_.timeout);
    for (auto& [place, connection] : found) {
      if (changes && !alone && !at_last && !answers(place)) {
        silent_.insert(place);
        continue;
      }
      connection.set_limit(busy_.contains(place) ? settings_.timeout : limit);
      std::optional<Failure> failure;
      auto reply = exchange_at(place, connection, request_, failure);
      // A user who can only use the socket waits for the scheduler that takes over this machine.
      if (!failure && !reply && silent_here_ && !at_last) continue;
      if (!failure) return reply;
      if (!changes && *failure == Failure::too_slow && answers(place)) {
        busy_.insert(place);
        return std::nullopt;
      }
      silent_.insert(place);
      // The change may have been made.
      if (changes)
        return Error{reply.error().what + "; it is unknown whether the command was carried out"};
      if (at_last && place == found.back().first) return reply;
    }
    return std::nullopt;
  }

  /// True if the server at that place answers any request.
  bool answers(std::size_t place) const {
    auto probed = Connection::to_any({around_[place]}, kProbe);
    if (probed.empty()) return false;
    std::optional<Failure> failure;
    const auto reply = exchange_at(place, probed.front().second, probe(), failure);
    return reply || !failure;
  }

  /// Returns a request that everybody may send and that is answered at once.
  CommandRequest probe() const {
    CommandRequest made;
    made.command = "showbf";
    made.group = request_.group;
    return made;
  }

  /// Creates a new proof for each request: a munge credential is accepted once.
  Result<ServerAnswer> exchange_at(std::size_t place, Connection& connection,
                                   const CommandRequest& request,
                                   std::optional<Failure>& failure) const {
    const auto proof = proof_of(settings_, trace_);
    if (!proof) return unproved(settings_, proof.error());
    if (proof->port == Connection::Port::any)
      return exchange(connection, settings_, *proof, request, trace_, failure);
    ConnectionError why;
    const auto& [host, port] = around_[place];
    auto secure = Connection::to_host(host, port, proof->port, connection.limit(), why);
    if (secure) return exchange(*secure, settings_, *proof, request, trace_, failure);
    if (why.failure != Failure::no_port) failure = why.failure;
    return unreachable(settings_, why);
  }

  std::set<std::size_t> silent_;  // accepted a connection but sent no reply
  std::set<std::size_t> busy_;    // sent replies to other requests meanwhile
  bool silent_here_ = false;      // the socket of this machine was silent, too
  const ClientSettings& settings_;
  std::vector<ServerPlace> around_;  // asked through the network
  const CommandRequest& request_;
  const Trace& trace_;
};

}  // namespace

void Trace::say(int level, const std::string& text) const {
  if (level <= level_) warn_user("INFO:     {}\n", text);
}

std::string user_name() {
  const auto* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : std::to_string(::getuid());
}

std::string group_name() {
  const auto* entry = ::getgrgid(::getgid());
  return entry != nullptr ? entry->gr_name : std::to_string(::getgid());
}

Result<ServerAnswer> ask(const ClientSettings& settings, const CommandRequest& request,
                         const Trace& trace) {
  if (settings.places.size() > 1) return Search(settings, request, trace).run();
  if (settings.try_socket) {
    auto local = connect_here(settings, settings.timeout, trace);
    std::optional<Failure> failure;
    if (local) return exchange(*local, settings, {}, request, trace, failure);
    if (settings.served_here())
      return unreachable(settings, {Failure::not_running, local.error().what});
  }
  const auto proof = proof_of(settings, trace);
  ConnectionError why;
  const auto& [host, port] = settings.places.front();
  auto remote = Connection::to_host(host, port, proof ? proof->port : Connection::Port::any,
                                    settings.timeout, why);
  trace.say(3,
            fmt::format("connecting to {} port {}: {}", host, port, remote ? "done" : why.detail));
  if (!remote) return unreachable(settings, why);
  if (!proof) return unproved(settings, proof.error());
  std::optional<Failure> failure;
  return exchange(*remote, settings, *proof, request, trace, failure);
}

}  // namespace maui
