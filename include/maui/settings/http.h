// The places at which the scheduler answers browsers and monitors, and who may name users to it.
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
