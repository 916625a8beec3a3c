#include "daemon/start_warnings.h"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/outside_text.h"
#include "base/server_places.h"
#include "base/text.h"
#include "daemon/clients/host_look_up.h"
#include "daemon/programs/munge_reader.h"
#include "programs/inquiry.h"

namespace maui {
namespace {

using NameList = std::vector<std::string>;

std::set<std::string> own_addresses() {
  std::set<std::string> found;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return found;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(first, ::freeifaddrs);
  for (const auto* at = all.get(); at != nullptr; at = at->ifa_next) {
    const auto family = at->ifa_addr != nullptr ? at->ifa_addr->sa_family : AF_UNSPEC;
    if (family != AF_INET && family != AF_INET6) continue;
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(at->ifa_addr, family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6),
                      text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0)
      found.insert(text.data());
  }
  return found;
}

/// Returns what is wrong if none of these hosts is this machine.
std::string not_here(const std::vector<ServerPlace>& places) {
  NameList unknown;
  const auto own = own_addresses();
  for (const auto& place : places) {
    if (is_this_machine(place.host)) return {};
    const auto addresses = addresses_of(place.host);
    if (std::any_of(addresses.begin(), addresses.end(), [&](const auto& address) {
          return is_loopback(address) || own.contains(address);
        }))
      return {};
    if (addresses.empty()) unknown.push_back("'" + printable(place.host) + "'");
  }
  if (places.size() == 1)
    return fmt::format("'{}' {}", printable(places[0].host),
                       unknown.empty() ? "has no address of this host" : "cannot be resolved");
  return "none of these hosts has an address of this host" +
         (unknown.empty() ? "" : fmt::format(" (not resolved: {})", join(unknown, ", ")));
}

class Warnings {
 public:
  Warnings(const Home& home, const Configuration& configuration)
      : home_(home), configuration_(configuration), server_(configuration.settings().server) {}

  std::vector<Diagnostic> find() {
    look_at_home();
    if (server_.mode != ServerMode::simulation) look_at_host();
    if (configuration_.client_authentication().uses_munge()) ask_munged();
    return std::move(found_);
  }

 private:
  /// A value from the command line has no line.
  void warn(std::string_view parameter, std::string text) {
    const int line = configuration_.line_of(parameter);
    found_.push_back({line > 0 ? home_.config_file : std::string(), line,
                      fmt::format("{}: {}", parameter, text), true});
  }

  void look_at_home() {
    if (!server_.home.empty() && server_.home != home_.directory)
      warn("MAUIHOMEDIR", fmt::format("'{}' is ignored: the home directory is '{}'", server_.home,
                                      home_.directory));
  }

  void look_at_host() {
    const auto places = parse_server_places(server_.host, server_.port);
    if (server_.host.empty() || !places) return;
    if (const auto what = not_here(*places); !what.empty())
      warn("SERVERHOST",
           fmt::format(
               "{}: commands on other hosts may not reach the scheduler; expected {} of "
               "this host, such as '{}'",
               what,
               places->size() > 1 ? "one that is a name or an address" : "a name or an address",
               own_host_name()));
  }

  /// The helper can make a credential only if munged answers.
  void ask_munged() {
    const auto helper = munge_helper();
    if (!helper) return;  // an error, which is reported elsewhere
    ProgramCall call{*helper, {}, Whose::ours};
    const auto socket = configuration_.client_authentication().munge_socket_of(
        [](std::string_view known) { return same_word(known, "localhost"); });
    if (!socket.empty()) call.arguments = {"--socket", socket};
    call.arguments.insert(call.arguments.end(), {"--make", "maui"});
    const auto made = run_and_wait(call, "", {std::chrono::seconds(2)});
    if (made.failure.empty() && made.status == 0) return;
    warn("CLIENTCFG",
         fmt::format(
             "AUTHTYPE=MUNGE: commands that munge vouches for are refused until munged answers: "
             "{}",
             printable(made.failure.empty() ? made.complaint : made.failure)));
  }

  const Home& home_;
  const Configuration& configuration_;
  const ServerSettings& server_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> start_warnings(const Home& home, const Configuration& configuration) {
  return Warnings(home, configuration).find();
}

}  // namespace maui
