#include "base/server_places.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace maui {
namespace {

constexpr int kHighestPort = 65535;

std::string_view first_label(std::string_view host) { return host.substr(0, host.find('.')); }

Result<ServerPlace> parse_place(std::string_view text) {
  ServerPlace place;
  auto rest = text;
  if (rest.starts_with('[')) {
    const auto end = rest.find(']');
    if (end == rest.npos) return Error{fmt::format("missing ] in '{}'", text)};
    place.host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (!rest.empty() && rest[0] != ':')
      return Error{fmt::format("expected :PORT after the ] in '{}'", text)};
  } else if (std::count(rest.begin(), rest.end(), ':') > 1) {  // an IPv6 address
    place.host = rest;
    rest = {};
  } else {
    const auto colon = std::min(rest.find(':'), rest.size());
    place.host = rest.substr(0, colon);
    rest.remove_prefix(colon);
  }
  if (place.host.empty()) return Error{fmt::format("missing host in '{}'", text)};
  if (place.host.find_first_of(" \t") != std::string::npos)
    return Error{fmt::format("blank in '{}'", place.host)};
  if (rest.empty()) return place;
  const auto port = parse_integer<int>(rest.substr(1));
  if (!port || *port < 1 || *port > kHighestPort)
    return Error{
        fmt::format("invalid port in '{}': expected a number from 1 to {}", text, kHighestPort)};
  place.port = *port;
  return place;
}

}  // namespace

Result<std::vector<ServerPlace>> parse_server_places(std::string_view text, int port) {
  std::vector<ServerPlace> places;
  for (const auto part : split(text, ',')) {
    auto place = parse_place(trimmed(part));
    if (!place) return place.error();
    if (std::find(places.begin(), places.end(), *place) != places.end())
      return Error{fmt::format("'{}' is named twice", trimmed(part))};
    places.push_back(*std::move(place));
  }
  for (ServerPlace& place : places)
    if (place.port == 0) place.port = port;
  return places;
}

std::string server_places_text(const std::vector<ServerPlace>& places) {
  std::string text;
  for (const auto& [host, port] : places) {
    const bool bracketed = port != 0 && host.find(':') != std::string::npos;
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ",", bracketed ? "[" : "", host,
                        bracketed ? "]" : "");
    if (port != 0) text += fmt::format(":{}", port);
  }
  return text;
}

std::string own_host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

bool is_own_name(std::string_view host) {
  const auto own = own_host_name();
  if (same_word(host, own)) return true;
  const bool bare = host.find('.') == std::string_view::npos || own.find('.') == std::string::npos;
  return bare && same_word(first_label(host), first_label(own));
}

bool is_loopback(std::string_view host) {
  return same_word(host, "localhost") || host.starts_with("127.") || host == "::1";
}

bool is_this_machine(std::string_view host) {
  return host.empty() || is_loopback(host) || is_own_name(host);
}

ServerPlace own_place(std::string_view text, int port) {
  const auto places = parse_server_places(text, port);
  if (!places || text.empty()) return {{}, port};
  const auto at = std::find_if(places->begin(), places->end(),
                               [](const auto& place) { return is_this_machine(place.host); });
  return at != places->end() ? *at : places->front();
}

}  // namespace maui
