// The port and the socket at which the scheduler answers monitors over HTTP.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>

#include "base/server_places.h"
#include "base/text.h"
#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

/// Accepts addresses to listen at, but no host names, since their addresses may change.
Result<std::string> address(std::string_view word) {
  if (same_word(word, "localhost")) return std::string("localhost");
  if (same_word(word, "ALL")) return std::string("ALL");
  const std::string name(word);
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  if (::inet_pton(AF_INET, name.c_str(), ignored.data()) != 1 &&
      ::inet_pton(AF_INET6, name.c_str(), ignored.data()) != 1)
    return Error{fmt::format("invalid address '{}'", word)};
  return name;
}

/// Refuses loopback addresses: any local user could pass for such a proxy and name any user.
ValueType proxies() {
  auto type = list("users at HTTPSOCKET, and addresses of other hosts", " ,");
  type.canonical = [inner = std::move(type.canonical)](const Words& value) -> Result<Words> {
    auto words = inner(value);
    if (!words) return words;
    for (const auto& word : *words)
      if (is_loopback(word))
        return Error{
            fmt::format("'{}' is this host, where any user could pose as the proxy: let the proxy "
                        "use HTTPSOCKET, and name the user that it runs as",
                        word)};
    return words;
  };
  return type;
}

}  // namespace

std::vector<Parameter> http_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"HTTPPORT", "", none, integer(0, 64000), "0", listens, Landed::yes,
       "Port on which the scheduler serves HTTP; 0: none.",
       into([](Settings & s) -> auto& { return s.http.port; })},
      {"HTTPADDRESS", "", none, custom("localhost, an address of this host, or ALL", address),
       "localhost", listens, Landed::yes,
       "Address on which HTTPPORT listens; ALL: every address of this host.",
       into([](Settings & s) -> auto& { return s.http.address; })},
      {"HTTPSOCKET", "", none, text("a file name"), "[NONE]", listens, Landed::yes,
       "Unix-domain socket on which the scheduler serves HTTP, for a reverse proxy; in the home "
       "directory unless absolute.",
       into([](Settings & s) -> auto& { return s.http.socket; })},
      {"HTTPHOST", "", none, list("host names", " ,"), "[NONE]", at_runtime, Landed::yes,
       "Names by which browsers may address this host, besides localhost, SERVERHOST and IP "
       "addresses; HTTPPORT refuses requests for any other name.",
       into([](Settings & s) -> auto& { return s.http.hosts; })},
      {"HTTPPROXY", "", none, proxies(), "[NONE]", at_runtime, Landed::yes,
       "Reverse proxies whose header X-Remote-User is trusted: the users that they run as, for "
       "HTTPSOCKET, and addresses of other hosts, for HTTPPORT.",
       into([](Settings & s) -> auto& { return s.http.proxies; })},
  };
}

}  // namespace maui::config
