// Authentication of users of other hosts: AUTHTYPE and MUNGESOCKET of CLIENTCFG.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace maui::config {

/// The authentication methods that the scheduler accepts from clients of a host.
struct ClientWays {
  bool checksum = false, munge = false, secure_port = false;
  friend bool operator==(const ClientWays&, const ClientWays&) = default;
};

class ClientAuthentication {
 public:
  void set_ways(const std::string& host, const ClientWays& ways) { ways_[host] = ways; }
  void set_munge_socket(const std::string& host, const std::string& path) { sockets_[host] = path; }

  /// Returns the methods accepted from a host; `is_it` recognizes the host's name in CLIENTCFG.
  /// A host without an entry gets the methods of CLIENTCFG[DEFAULT], or else the checksum alone.
  using IsIt = std::function<bool(std::string_view name)>;
  ClientWays ways_of(const IsIt& is_it) const;
  /// Returns the path of munged's socket for clients of the host; empty: the usual path.
  std::string munge_socket_of(const IsIt& is_it) const;
  /// Returns the paths of all sockets that are not the usual one.
  std::vector<std::string> munge_sockets() const;
  /// Returns the hosts that have an AUTHTYPE of their own.
  std::vector<std::string> hosts() const;
  bool uses_munge() const;
  /// True if clients of some host can be authenticated without the secret.
  bool needs_no_secret() const;

 private:
  std::map<std::string, ClientWays> ways_;
  std::map<std::string, std::string> sockets_;
};

}  // namespace maui::config
