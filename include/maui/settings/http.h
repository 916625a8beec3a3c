// The addresses at which the scheduler serves browsers and monitors, and its trusted proxies.
#pragma once
#include <string>
#include <vector>

namespace maui {

struct HttpSettings {
  int port = 0;                       // HTTPPORT; 0: none
  std::string address = "localhost";  // HTTPADDRESS; ALL: every interface
  std::string socket;                 // HTTPSOCKET; empty: none
  std::vector<std::string> hosts;     // HTTPHOST
  std::vector<std::string> proxies;   // HTTPPROXY: users at the socket, addresses at the port
  bool on() const { return port != 0 || !socket.empty(); }
  friend bool operator==(const HttpSettings&, const HttpSettings&) = default;
};

}  // namespace maui
