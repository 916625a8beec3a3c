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
  std::string owner;    // of a TCP connection from this machine, who is not thereby its sender
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

/// Returns the peer of a Unix-domain socket of that name, by SO_PEERCRED.
Peer socket_peer(int descriptor, const std::string& socket, UserNames& names);

/// Addresses of hosts that parameters name, so that no name is looked up while clients wait.
class KnownHosts {
 public:
  /// Looks up the names that are new, which may take long, and forgets all that are not in `names`.
  void resolve(const std::vector<std::string>& names);
  /// Replaces the addresses of a name that resolve() was given, unless there are none.
  void learn(const std::string& name, std::vector<std::string> addresses);
  /// Returns the names given to resolve().
  std::vector<std::string> names() const;
  /// True if the name has an address.
  bool knows(const std::string& name) const;
  /// Returns the first name that has this address, or the address itself.
  std::string name_of(const std::string& address) const;

 private:
  struct Host {
    std::string name;
    std::vector<std::string> addresses;  // empty: the name was not found
  };
  std::vector<Host> hosts_;
};

/// Returns the peer of a TCP connection; an address of this machine is of the local host, which is
/// one party.
/// `hosts`: of administrators; nullptr: none.
Peer network_peer(const boost::asio::ip::tcp::endpoint& remote,
                  const boost::asio::ip::tcp::endpoint& local, const KnownHosts* hosts);

}  // namespace maui
