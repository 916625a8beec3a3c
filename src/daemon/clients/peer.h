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
  std::string party;    // who shares limits with it: those of one user, or of one host
  std::string user;     // as the kernel says, on the Unix-domain socket; else empty
  std::string host;     // empty: this machine
  std::string ip;       // of a TCP connection
  bool local_socket = false;
  bool secure_port = false;  // it has come from a port that only root may use
  bool http = false;         // it has come to HTTPPORT or HTTPSOCKET
};

/// It has done its part, taking a reply or sending a request: after a long iteration the server is
/// late, not the peer.
bool waits_for_us(int descriptor, bool taking);
/// Nobody is there to take a reply.
bool has_gone(int descriptor);

/// Names of users, kept for some minutes: where they come from a directory server, each question
/// holds up everything else.
class UserNames {
 public:
  struct User {
    std::string name;   // the number itself where there is no name
    std::string party;  // one for all without a name: somebody may have thousands of numbers
  };
  const User& of(uid_t user);

 private:
  struct Known {
    User user;
    std::chrono::steady_clock::time_point until;
  };
  std::map<uid_t, Known> known_;
};

/// The peer of a Unix-domain socket, by SO_PEERCRED.
Peer socket_peer(int descriptor, UserNames& names);

/// The addresses of ADMINHOST's names, so that no name has to be looked up while clients wait.
class KnownHosts {
 public:
  void resolve(const std::vector<std::string>& names);
  /// True if the name could be looked up.
  bool knows(const std::string& name) const;
  /// The name that ADMINHOST has for an address; else the address.
  std::string name_of(const std::string& address) const;

 private:
  std::map<std::string, std::string> names_;
};

/// The peer of a TCP connection; one from an address of this machine is of this machine.
Peer network_peer(const boost::asio::ip::tcp::endpoint& remote,
                  const boost::asio::ip::tcp::endpoint& local, const KnownHosts& hosts);

}  // namespace maui
