// How users of other hosts are known: AUTHTYPE and MUNGESOCKET of CLIENTCFG.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace maui::config {

/// The ways in which a host's clients are believed.
struct ClientWays {
  bool checksum = false, munge = false, secure_port = false;
  friend bool operator==(const ClientWays&, const ClientWays&) = default;
};

class ClientAuthentication {
 public:
  void set_ways(const std::string& host, const ClientWays& ways) { ways_[host] = ways; }
  void set_munge_socket(const std::string& host, const std::string& path) { sockets_[host] = path; }

  /// Returns what is believed of the host that `is_it` knows among the names of CLIENTCFG; of one
  /// that it does not know what CLIENTCFG[DEFAULT] says, else a checksum alone.
  using IsIt = std::function<bool(std::string_view name)>;
  ClientWays ways_of(const IsIt& is_it) const;
  /// Returns the path at which munged listens on that host; empty: at its usual place.
  std::string munge_socket_of(const IsIt& is_it) const;
  /// The hosts that have ways of their own.
  std::vector<std::string> hosts() const;
  bool uses_munge() const;
  /// Somebody may be believed without the secret.
  bool needs_no_secret() const;

 private:
  std::map<std::string, ClientWays> ways_;
  std::map<std::string, std::string> sockets_;
};

}  // namespace maui::config
