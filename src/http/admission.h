// Decides who asks over HTTP, and whether he is answered at all.
//
// At the socket the kernel says who it is; at the port nobody is anybody.  A
// trusted proxy names the user, in the field X-Remote-User, and nobody else
// may.  At the port a request must be meant for this host: a browser that some
// other site's name has led here says that name, and is refused.
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
  std::string user;     // as the kernel says, at the socket
  std::string address;  // of the peer, at the port, without its port number
};

struct HttpAdmission {
  std::vector<std::string> hosts;    // names of this host
  std::vector<std::string> proxies;  // users at the socket, addresses at the port
};

/// The user who asks; empty: an anonymous client.
std::variant<std::string, HttpFault> admit(const HttpRequest& request, const HttpOrigin& origin,
                                           const HttpAdmission& admission);

/// True if a Host field, "name:port", is an address, localhost, or one of these names.
bool names_host(std::string_view field, const std::vector<std::string>& names);

}  // namespace maui
