// Identifies the user of an HTTP request, and decides whether the request is answered.
//
// At the Unix-domain socket, the kernel identifies the user; at the port, clients are
// anonymous.  Only a trusted proxy may name the user, in the field X-Remote-User.
// At the port, the Host field must name this host: a browser that was led here by
// another site's name sends that name, and is refused.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http/request.h"

namespace maui {

/// The origin of a request.
struct HttpOrigin {
  bool local_socket = false;
  std::string user;     // reported by the kernel, at the socket
  std::string address;  // the peer's IP address, at the port
};

struct HttpAdmission {
  std::vector<std::string> hosts;    // names of this host
  std::vector<std::string> proxies;  // users at the socket, addresses at the port
};

/// Returns the user of the request; empty: an anonymous client.
std::variant<std::string, HttpFault> admit(const HttpRequest& request, const HttpOrigin& origin,
                                           const HttpAdmission& admission);

/// True if a Host field, "name:port", contains an IP address, localhost, or one of `names`.
bool names_host(std::string_view field, const std::vector<std::string>& names);

}  // namespace maui
