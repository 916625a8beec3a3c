#include "client_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "base/byte_order_mark.h"
#include "base/duration.h"
#include "base/text.h"
#include "config/configuration.h"
#include "config/files.h"

namespace maui {
namespace {

constexpr std::array<std::string_view, 6> kOurs = {"SERVERHOST", "SERVERPORT", "CLIENTTIMEOUT",
                                                   "MAUISERVER", "MAUIPORT",   "ADMIN1"};
constexpr std::string_view kOfHosts = "CLIENTCFG[";

bool is_ours(std::string_view parameter) {
  if (same_word(parameter.substr(0, kOfHosts.size()), kOfHosts)) return true;
  if (parameter.ends_with("[0]")) parameter.remove_suffix(3);  // the same parameter
  return std::any_of(kOurs.begin(), kOurs.end(),
                     [&](auto name) { return same_word(parameter, name); });
}

/// Returns the lines that concern a client; others are emptied, so that line numbers stay and the
/// server itself reports errors in its own parameters.
Result<std::string> client_lines(const std::string& path, bool must_be) {
  const auto all = config::read_file(path);
  // Other users may not be allowed to read it, and other hosts need not have one.
  const bool may_lack = !must_be && ::access(path.c_str(), R_OK) != 0;
  if (!all && may_lack) return std::string();
  if (!all) return Error{fmt::format("the configuration '{}' {}", path, all.error().what)};
  std::string text;
  for (auto line : split(*all, '\n')) {
    if (text.empty() && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    const auto parts = words(line);
    if (!parts.empty() && is_ours(parts[0])) text += line;
    text += '\n';
  }
  return text;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The server's place as configured, before it is resolved.
struct Said {
  std::string hosts;  // as given; empty: this machine
  int port = 0;
};

Status apply_environment(ClientSettings& settings, Said& said) {
  if (auto host = environment("SERVERHOST"); !host.empty()) said.hosts = std::move(host);
  if (const auto port = environment("SERVERPORT"); !port.empty()) {
    const auto number = parse_integer<int>(port);
    if (!number || *number < 1 || *number > 65535)
      return Error{
          fmt::format("environment: invalid SERVERPORT '{}': expected a port number", port)};
    said.port = *number;
  }
  if (const auto limit = environment("CLIENTTIMEOUT"); !limit.empty()) {
    const auto duration = parse_duration(limit);
    if (!duration || *duration <= Seconds(0))
      return Error{
          fmt::format("environment: invalid CLIENTTIMEOUT '{}': expected a duration", limit)};
    settings.timeout = std::chrono::milliseconds(
        std::min<std::int64_t>(duration->raw(), std::numeric_limits<int>::max() / 1000) * 1000);
  }
  return Done{};
}

}  // namespace

// The server leaves maui.seen behind when it ends, and maui.sock when it is killed.
bool ClientSettings::served_here() const {
  std::error_code unknown;
  const auto is_there = [&](const std::string& path) {
    return std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
  };
  return try_socket && named_here && (is_there(socket_path()) || is_there(home + "/maui.seen"));
}

std::string ClientSettings::server() const {
  std::string text;
  for (const auto& [host, port] : places)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", host, port);
  return text;
}

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
  Said said{server.host, server.port};
  settings.timeout =
      std::chrono::milliseconds(std::clamp<std::int64_t>(server.client_timeout.raw(), 1,
                                                         std::numeric_limits<int>::max() / 1000) *
                                1000);
  const auto clients = configuration->client_authentication();
  if (!server.admins[0].empty()) settings.server_user = server.admins[0].front();
  if (auto status = apply_environment(settings, said); !status) return status.error();
  if (!options.host.empty()) said.hosts = options.host;
  const bool as_configured = said.hosts == server.host;
  if (options.port) said.port = *options.port;
  auto places = parse_server_places(said.hosts.empty() ? own_host_name() : said.hosts, said.port);
  std::error_code unknown;
  const bool exists = std::filesystem::exists(home.config_file, unknown);
  if (said.hosts.empty())
    settings.guessed = fmt::format(
        "tried this host because {}",
        exists ? fmt::format("'{}' does not set SERVERHOST", home.config_file)
               : fmt::format("'{}', which could set SERVERHOST, {}", home.config_file,
                             unknown ? "cannot be read: " + unknown.message() : "does not exist"));
  if (!places) return Error{fmt::format("SERVERHOST, or --host: {}", places.error().what)};
  settings.places = *std::move(places);
  settings.key_file =
      options.key_file.empty()
          ? (std::filesystem::path(home.config_file).parent_path() / "maui-private.cfg").string()
          : options.key_file;
  settings.key_file_named = !options.key_file.empty();
  const bool at_server =
      std::any_of(settings.places.begin(), settings.places.end(),
                  [](const ServerPlace& place) { return is_this_machine(place.host); });
  const auto this_host = [&](std::string_view name) {
    return is_own_name(name) || (at_server && same_word(name, "localhost"));
  };
  settings.ways = clients.ways_of(this_host);
  settings.munge_socket = clients.munge_socket_of(this_host);
  settings.named_here = at_server;
  // A secret named on the command line must be used, and another port or host means another server.
  // The name in maui.cfg may be one that this machine does not know as its own, such as an alias or
  // an address that moves: a server that listens at the socket in that home directory is the one.
  settings.try_socket =
      options.key_file.empty() && said.port == server.port && (at_server || as_configured);
  return settings;
}

}  // namespace maui
