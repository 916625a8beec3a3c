#include "client.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "connection.h"
#include "key_file.h"
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
    case Failure::lost:
      return Error{fmt::format("lost connection to server ({})", why.detail)};
    case Failure::too_slow:
      return Error{fmt::format("no answer from server {}:{} within {} seconds (CLIENTTIMEOUT)",
                               host, settings.port, settings.timeout.count() / 1000)};
  }
  return Error{"lost connection to server"};
}

Result<Reply> exchange(Connection& connection, const ClientSettings& settings,
                       const std::string& secret, const CommandRequest& request,
                       const Trace& trace) {
  const auto made =
      sign(secret, std::time(nullptr), user_name(), {}, encode_request(request, random_digits(16)));
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
  ConnectionError why;
  auto remote = Connection::to_host(settings.host_name(), settings.port, settings.timeout, why);
  trace.say(3, fmt::format("connecting to {} port {}: {}", settings.host_name(), settings.port,
                           remote ? "done" : why.detail));
  if (!remote) return unreachable(settings, why);
  const auto secret = read_secret(settings.key_file);
  if (!secret)
    return Error{fmt::format("cannot send request to server {}:{} (no secret: {})",
                             settings.host_name(), settings.port, secret.error().what)};
  return exchange(*remote, settings, *secret, request, trace);
}

}  // namespace maui
