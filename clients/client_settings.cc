#include "client_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "base/duration.h"
#include "base/text.h"
#include "config/configuration.h"

namespace maui {
namespace {

constexpr std::array<std::string_view, 6> kOurs = {"SERVERHOST", "SERVERPORT", "CLIENTTIMEOUT",
                                                   "MAUISERVER", "MAUIPORT",   "ADMIN1"};
constexpr std::string_view kOfHosts = "CLIENTCFG[";

/// The lines that concern a client; the others are emptied, so that line numbers stay and what is
/// wrong with the server's parameters is the server's to say.
Result<std::string> client_lines(const std::string& path, bool must_be) {
  std::ifstream file(path);
  if (!file && must_be) return Error{fmt::format("cannot read the configuration '{}'", path)};
  std::string text, line;
  while (std::getline(file, line)) {
    const auto parts = words(line);
    const bool ours = !parts.empty() && (same_word(parts[0].substr(0, kOfHosts.size()), kOfHosts) ||
                                         std::any_of(kOurs.begin(), kOurs.end(), [&](auto name) {
                                           return same_word(parts[0], name);
                                         }));
    text += (ours ? line : "") + '\n';
  }
  return text;
}

std::string own_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::string_view first_label(std::string_view host) { return host.substr(0, host.find('.')); }

bool is_own_name(std::string_view host) {
  const auto own = own_name();
  if (same_word(host, own)) return true;
  // One of the two may lack the domain.
  const bool bare = host.find('.') == std::string_view::npos || own.find('.') == std::string::npos;
  return bare && same_word(first_label(host), first_label(own));
}

bool is_this_machine(std::string_view host) {
  return host.empty() || same_word(host, "localhost") || host.starts_with("127.") ||
         host == "::1" || is_own_name(host);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Status apply_environment(ClientSettings& settings) {
  if (auto host = environment("SERVERHOST"); !host.empty()) settings.host = std::move(host);
  if (const auto port = environment("SERVERPORT"); !port.empty()) {
    const auto number = parse_integer<int>(port);
    if (!number || *number < 1 || *number > 65535)
      return Error{fmt::format("environment: SERVERPORT must be a port number, not '{}'", port)};
    settings.port = *number;
  }
  if (const auto limit = environment("CLIENTTIMEOUT"); !limit.empty()) {
    const auto duration = parse_duration(limit);
    if (!duration || *duration <= Seconds(0))
      return Error{fmt::format("environment: CLIENTTIMEOUT must be a duration, not '{}'", limit)};
    settings.timeout = std::chrono::milliseconds(
        std::min<std::int64_t>(duration->raw(), std::numeric_limits<int>::max() / 1000) * 1000);
  }
  return Done{};
}

}  // namespace

std::string ClientSettings::host_name() const { return host.empty() ? own_name() : host; }

Result<ClientSettings> client_settings(const GeneralOptions& options) {
  const Home home = find_home(options.config_file);
  const auto lines = client_lines(home.config_file, !options.config_file.empty());
  if (!lines) return lines.error();
  std::vector<Diagnostic> diagnostics;
  const auto configuration = Configuration::parse(*lines, home.config_file, diagnostics);
  if (!configuration)
    return Error{diagnostics.empty() ? configuration.error().what : diagnostics.front().text()};
  const auto& server = configuration->settings().server;

  ClientSettings settings;
  settings.home = home.directory;
  settings.config_file = home.config_file;
  settings.host = server.host;
  settings.port = server.port;
  settings.timeout =
      std::chrono::milliseconds(std::clamp<std::int64_t>(server.client_timeout.raw(), 1,
                                                         std::numeric_limits<int>::max() / 1000) *
                                1000);
  const auto clients = configuration->client_authentication();
  if (!server.admins[0].empty()) settings.server_user = server.admins[0].front();
  if (auto status = apply_environment(settings); !status) return status.error();
  if (!options.host.empty()) settings.host = options.host;
  if (options.port) settings.port = *options.port;
  settings.key_file =
      options.key_file.empty() ? home.directory + "/maui-private.cfg" : options.key_file;
  settings.key_file_named = !options.key_file.empty();
  const bool at_server = is_this_machine(settings.host);
  const auto this_host = [&](std::string_view name) {
    return is_own_name(name) || (at_server && same_word(name, "localhost"));
  };
  settings.ways = clients.ways_of(this_host);
  settings.munge_socket = clients.munge_socket_of(this_host);
  // A secret named on purpose is to be used, and another port means another server.
  settings.try_socket =
      options.key_file.empty() && settings.port == server.port && is_this_machine(settings.host);
  return settings;
}

}  // namespace maui
