#include "daemon/clients/reception.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "base/duration.h"
#include "base/server_places.h"
#include "base/text.h"
#include "daemon/privileges.h"
#include "daemon/process_limits.h"

namespace maui {
namespace {

constexpr Seconds kLongestSkew{std::int64_t{1} << 50};  // what can be added to a time

/// True if the connection is from an administrator of this machine or an administrators' host; an
/// ALL in the lists gives no connection this privilege.
bool is_administrators(const ServerSettings& settings, const Peer& peer) {
  const auto names = [](const std::vector<std::string>& list, const std::string& name) {
    return !name.empty() && std::find(list.begin(), list.end(), name) != list.end();
  };
  if (!peer.local_socket && names(settings.admin_hosts, peer.host)) return true;
  const auto& user = peer.local_socket ? peer.user : peer.owner;
  return std::any_of(settings.admins.begin(), settings.admins.end(),
                     [&](const auto& list) { return names(list, user); });
}

}  // namespace

Reception::Reception(boost::asio::io_context& io, const Configuration& configuration, Lines& lines,
                     std::string home, ClientServer::Handler handler)
    : configuration_(configuration),
      lines_(lines),
      home_(std::move(home)),
      authentication_(configuration.client_authentication()),
      hosts_(io, [this](std::string_view line) { lines_.write(0, "fSOCK", line); }),
      port_(io, [this](std::string_view line) { lines_.write(0, "fSOCK", line); }),
      munge_(io, munge_options(),
             [this](int level, std::string_view text) { lines_.write(level, "fSOCK", text); }),
      server_(io, options(), std::move(handler),
              [this](int level, const std::string& party, std::string_view text) {
                lines_.write_of(LineCause::client, party, level, "fSOCK", text);
              }) {}

ClientServerOptions Reception::options() {
  const auto& settings = configuration_.settings().server;
  ClientServerOptions options;
  const auto own = own_place(settings.host, settings.port).host;
  if (!settings.name.empty() || !own.empty())
    options.name = settings.name.empty() ? own : settings.name;
  options.secret = configuration_.secret();
  options.ways = [this](const Peer& peer) { return ways_of(peer); };
  options.munge = &munge_;
  options.max_skew = settings.client_max_skew;
  const auto seconds = std::clamp<std::int64_t>(settings.client_timeout.raw(), 1, 24 * 3600);
  options.timeout = std::chrono::seconds(seconds);
  // Each listener gets an equal number of descriptors; some remain for all other purposes.
  constexpr std::size_t kOthers = 100, kLeast = 10;
  const auto descriptors = descriptor_limit();
  const std::size_t listeners = configuration_.settings().http.on() ? 3 : 2;
  options.hosts = &hosts_.administrators();
  options.privileged = [this](const Peer& peer) {
    return is_administrators(configuration_.settings().server, peer);
  };
  options.max_connections =
      std::min(options.max_connections,
               std::max(kLeast, descriptors > kOthers ? (descriptors - kOthers) / listeners : 0));
  // Memory that is short is short for scheduling, too.
  constexpr std::uint64_t kShare = 8;
  options.max_memory = std::min<std::uint64_t>(options.max_memory, memory_limit() / kShare);
  return options;
}

config::ClientWays Reception::ways_of(const Peer& peer) const {
  const auto name = hosts_.configured().name_of(peer.ip);
  return authentication_.ways_of([&](std::string_view known) {
    return known == name || (peer.host.empty() && same_word(known, "localhost"));
  });
}

MungeReaderOptions Reception::munge_options() const {
  MungeReaderOptions options;
  if (auto program = munge_helper()) options.program = *std::move(program);
  options.socket = authentication_.munge_socket_of(
      [](std::string_view known) { return same_word(known, "localhost"); });
  return options;
}

void Reception::resolve_hosts() {
  hosts_.resolve(configuration_.settings().server.admin_hosts, authentication_.hosts());
}

Status Reception::listen(std::optional<EarlierScheduler> earlier) {
  earlier_ = earlier;
  if (auto status = check_munge(authentication_); !status) return status;
  if (auto status = server_.listen_at(home_ + "/maui.sock"); !status) return status;
  return listen_to_network();
}

void Reception::configure() {
  authentication_ = configuration_.client_authentication();
  munge_.configure(munge_options());
  server_.configure(options());
  resolve_hosts();
  if (const auto status = listen_to_network(); !status)
    lines_.write(0, "fSOCK", "ALERT: " + status.error().what);
}

void Reception::finish(std::chrono::milliseconds limit) {
  port_.cancel();
  server_.finish(limit);
}

/// Listens at the port as soon as there is a way to authenticate a network client.
Status Reception::listen_to_network() {
  if (server_.port() != 0) return Done{};
  if (configuration_.secret().empty() && !authentication_.needs_no_secret()) {
    if (!std::exchange(said_local_only_, true))
      lines_.write(0, "fSOCK",
                   "no secret in maui-private.cfg: only users of this machine are served "
                   "(maui --generate-key creates a secret)");
    return Done{};
  }
  keep_seen_messages();
  return listen_at_port();
}

/// If an earlier scheduler's list of messages is lost, none counts without a challenge that may
/// have counted then.
void Reception::keep_seen_messages() {
  const std::int64_t now = std::time(nullptr);
  std::int64_t end = 0;
  if (earlier_) {
    const Seconds back = std::max(Seconds(0) - earlier_->clock_set, Seconds(0));
    const Seconds skew = std::min(configuration_.settings().server.client_max_skew, kLongestSkew);
    end = std::max(now + (back + skew).raw() + 1, earlier_->end_of_messages.raw());
  }
  const auto path = home_ + "/maui.seen";
  const auto continued = server_.keep_seen_messages(path, end);
  if (!continued)
    lines_.write(0, "fSOCK",
                 fmt::format("ALERT: replayed messages cannot be detected after a restart: {}",
                             continued.error().what));
  else if (!*continued && earlier_)
    lines_.write(
        0, "fSOCK",
        fmt::format("the list of messages in '{}' is begun anew: for {}, commands from other "
                    "hosts answer challenges",
                    path, format_duration(Seconds(end - now))));
}

Status Reception::listen_at_port() {
  const auto& settings = configuration_.settings().server;
  const ServerPlace own = own_place(settings.host, settings.port);
  return port_.open({own.port, [this, own] { return server_.listen_at(own.host, own.port); },
                     [this] { return server_.port_is_taken(); },
                     "other hosts cannot reach the scheduler", "other hosts are served again"});
}

}  // namespace maui
