#include "client.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "base/text.h"
#include "connection.h"
#include "key_file.h"
#include "munge/credentials.h"
#include "proto/checksum.h"
#include "proto/message.h"
#include "proto/output.h"
#include "proto/reply_codec.h"
#include "proto/request_codec.h"

namespace maui {
namespace {

Error unreachable(const ClientSettings& settings, const ConnectionError& why) {
  const auto host = settings.host_name();
  switch (why.failure) {
    case Failure::no_such_host:
      return Error{
          fmt::format("cannot connect to '{}' port {} ({})", host, settings.port, why.detail)};
    case Failure::not_running:
      return Error{fmt::format("cannot send request to server {}:{} (server may not be running)",
                               host, settings.port)};
    case Failure::no_port:
      return Error{fmt::format(
          "cannot send request to server {}:{} (AUTHTYPE=SECUREPORT takes a port below 1024: {})",
          host, settings.port, why.detail)};
    case Failure::lost:
      return Error{fmt::format("lost connection to server ({})", why.detail)};
    case Failure::too_slow:
      return Error{fmt::format("no answer from server {}:{} within {} seconds (CLIENTTIMEOUT)",
                               host, settings.port, settings.timeout.count() / 1000)};
  }
  return Error{"lost connection to server"};
}

/// How this user is known at the port.
struct Proof {
  std::string secret;      // that the request is signed with; empty: none
  std::string credential;  // of munge, with that secret; empty: none
  Connection::Port port = Connection::Port::any;
};

Result<Reply> exchange(Connection& connection, const ClientSettings& settings, const Proof& proof,
                       const CommandRequest& request, const Trace& trace) {
  const auto& secret = proof.secret;
  const auto made = sign(secret, std::time(nullptr), user_name(), {},
                         encode_request(request, random_digits(16)), proof.credential);
  trace.say(5, fmt::format("sending {} bytes", made.text.size()));
  trace.say(9, made.text);
  ConnectionError why;
  const auto answer = connection.exchange(made.text, why);
  if (!answer) return unreachable(settings, why);
  trace.say(5, fmt::format("received {} bytes", answer->size()));
  trace.say(9, *answer);
  const auto message = parse_message(*answer);
  if (!message) return Error{"the server's reply cannot be read: " + message.error().what};
  if (!secret.empty() && (!authentic(*message, secret) || message->in_reply_to != made.checksum))
    return Error{"the reply does not come from the server that was asked (wrong checksum)"};
  if (const auto reason = not_kept(message->data); !reason.empty())
    warn_user("WARNING:  the change is not kept over a restart: {}\n", reason);
  auto reply = decode_reply(message->data);
  if (!reply) return Error{"the server's reply cannot be read: " + reply.error().what};
  return reply;
}

Result<uid_t> number_of(const std::string& user) {
  if (const auto* entry = ::getpwnam(user.c_str()); entry != nullptr) return entry->pw_uid;
  if (const auto number = parse_integer<uid_t>(user)) return *number;
  return Error{
      fmt::format("this host does not know '{}', the first of ADMIN1, whom the scheduler "
                  "runs as",
                  user)};
}

/// The key of each request is drawn anew, and is for the server's user alone.
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

/// The first of the ways that the server believes of this host and that this user has: the secret,
/// munge, a port that is root's.
Result<Proof> proof_of(const ClientSettings& settings, const Trace& trace) {
  Error why{"CLIENTCFG has no AUTHTYPE for this host"};
  if (settings.ways.checksum || settings.key_file_named) {
    auto secret = read_secret(settings.key_file);
    if (secret) return Proof{*std::move(secret), {}, Connection::Port::any};
    why = Error{"no secret: " + secret.error().what};
    if (settings.key_file_named) return why;
  }
  if (settings.ways.munge) {
    auto proof = proof_by_munge(settings);
    if (proof || !settings.ways.secure_port) return proof;
    trace.say(3, proof.error().what);
  }
  if (settings.ways.secure_port) return Proof{{}, {}, Connection::Port::secure};
  return why;
}

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

Result<Reply> ask(const ClientSettings& settings, const CommandRequest& request,
                  const Trace& trace) {
  if (settings.try_socket) {
    auto local = Connection::to_socket(settings.socket_path(), settings.timeout);
    trace.say(3, fmt::format("connecting to {}: {}", settings.socket_path(),
                             local ? "done" : local.error().what));
    if (local) return exchange(*local, settings, {}, request, trace);
  }
  const auto proof = proof_of(settings, trace);
  ConnectionError why;
  auto remote =
      Connection::to_host(settings.host_name(), settings.port,
                          proof ? proof->port : Connection::Port::any, settings.timeout, why);
  trace.say(3, fmt::format("connecting to {} port {}: {}", settings.host_name(), settings.port,
                           remote ? "done" : why.detail));
  if (!remote) return unreachable(settings, why);
  if (!proof)
    return Error{fmt::format("cannot send request to server {}:{} ({})", settings.host_name(),
                             settings.port, proof.error().what)};
  return exchange(*remote, settings, *proof, request, trace);
}

}  // namespace maui
