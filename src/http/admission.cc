#include "http/admission.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::size_t kLongestUser = 256;

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return ::inet_pton(AF_INET, text.c_str(), ignored.data()) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), ignored.data()) == 1;
}

/// Returns the host without port number, and without the brackets of an IPv6 address.
std::string host_of(std::string_view field) {
  if (field.starts_with('[')) {
    const auto end = field.find(']');
    return std::string(end == field.npos ? field : field.substr(1, end - 1));
  }
  return std::string(field.substr(0, field.find(':')));
}

}  // namespace

bool names_host(std::string_view field, const std::vector<std::string>& names) {
  auto host = host_of(field);
  if (host.ends_with('.')) host.pop_back();
  if (is_address(host) || same_word(host, "localhost")) return true;
  return !host.empty() && std::any_of(names.begin(), names.end(),
                                      [&](const auto& name) { return same_word(name, host); });
}

std::variant<std::string, HttpFault> admit(const HttpRequest& request, const HttpOrigin& origin,
                                           const HttpAdmission& admission) {
  const auto& who = origin.local_socket ? origin.user : origin.address;
  const bool proxy = !who.empty() && std::find(admission.proxies.begin(), admission.proxies.end(),
                                               who) != admission.proxies.end();
  if (!origin.local_socket && !proxy && !names_host(request.host, admission.hosts))
    return HttpFault{421, "unknown name of this host: see HTTPHOST"};
  // "none": the user has typed the address.  Other values: a page of another site sent the request.
  // It may link to the page itself, which reveals nothing.
  const auto& site = request.fetch_site;
  const bool page = request.path.empty();
  if (!site.empty() && site != "same-origin" && site != "none" && !page)
    return HttpFault{403, "requests from pages of other sites are refused"};
  if (!request.user) return origin.local_socket && !proxy ? origin.user : std::string();
  if (!proxy) return HttpFault{403, "only a proxy listed in HTTPPROXY may name a user"};
  if (request.user->empty() || request.user->size() > kLongestUser)
    return HttpFault{400, "X-Remote-User is empty or too long"};
  return *request.user;
}

}  // namespace maui
