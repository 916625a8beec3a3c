// The other end of a connection.
#pragma once
#include <sys/types.h>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace maui {

struct Peer {
  std::string address;  // for the log: "10.0.0.7:4242", "maui.sock (pid 77)"
  std::string party;    // shares limits: one user, or one host
  std::string user;     // reported by the kernel for a Unix-domain socket; else empty
  std::string host;     // empty: this machine
  std::string ip;       // of a TCP connection
  bool local_socket = false;
  bool secure_port = false;  // connected from a port that only root may use
  bool http = false;         // connected to HTTPPORT or HTTPSOCKET
};

/// True if the peer has taken our data (`taking`) or has sent data: after a long iteration, the
/// server is late, not the peer.
bool waits_for_us(int descriptor, bool taking);
/// True if the peer has closed the connection and cannot take a reply.
bool has_gone(int descriptor);

/// Caches names of users for some minutes: where a directory server stores them, each look-up
/// blocks the whole scheduler.
class UserNames {
 public:
  struct User {
    std::string name;   // the number if the user has no name
    std::string party;  // one for all nameless users, as a person may have many
  };
  const User& of(uid_t user);

 private:
  struct Known {
    User user;
    std::chrono::steady_clock::time_point until;
  };
  std::map<uid_t, Known> known_;
};

/// Returns the peer of a Unix-domain socket, by SO_PEERCRED.
Peer socket_peer(int descriptor, UserNames& names);

/// The addresses of ADMINHOST's hosts, so that no name is looked up while clients wait.
class KnownHosts {
 public:
  void resolve(const std::vector<std::string>& names);
  /// True if the name was resolved.
  bool knows(const std::string& name) const;
  /// Returns ADMINHOST's name for an address, or the address itself.
  std::string name_of(const std::string& address) const;

 private:
  std::map<std::string, std::string> names_;
};

/// Returns the peer of a TCP connection; an address of this machine is of the local host.
Peer network_peer(const boost::asio::ip::tcp::endpoint& remote,
                  const boost::asio::ip::tcp::endpoint& local, const KnownHosts& hosts);

}  // namespace maui
