// Listens at a Unix-domain socket and at a TCP port, and identifies the peer of each connection.
//
// All waiting connections are accepted at once, so that none waits behind many others.  If accept
// fails, usually for lack of descriptors, the listener tries again a little later.
#pragma once
#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/clients/connection_owners.h"
#include "daemon/clients/newcomer.h"
#include "daemon/clients/peer.h"
#include "daemon/logging/lasting_failure.h"
#include "maui/result.h"

namespace maui {

struct SocketPlace {
  std::string path;
  std::string name;  // for the log
  std::string home;  // the home directory of the scheduler that listens
};

class Listener {
 public:
  using Welcome = std::function<void(Newcomer newcomer)>;
  using Alert = std::function<void(std::string_view text)>;

  /// `hosts` names the hosts of peers, and must outlive the listener; nullptr: they have no names.
  Listener(boost::asio::io_context& io, const KnownHosts* hosts, Welcome welcome, Alert alert)
      : io_(io),
        hosts_(hosts),
        welcome_(std::move(welcome)),
        alert_(std::move(alert)),
        local_(io),
        network_(io) {}

  /// Listens at a Unix-domain socket that every user may write to.  Replaces only what is unused
  /// (check_unused), now and when the socket is created again: otherwise returns an error, and
  /// changes nothing.
  Status listen_at(SocketPlace place);
  /// Listens at a TCP port: on the loopback interface only if `host` names it, else on all.
  /// Port 0: any free port.
  Status listen_at(const std::string& host, int port);
  /// Listens at a TCP port of one address.
  Status listen_at(const boost::asio::ip::tcp::endpoint& at);
  int port() const;  // the TCP port; 0: none
  /// True if the last port could not be opened because a program of this machine uses it.
  bool port_is_taken() const { return port_is_taken_; }
  /// Creates the socket again if its file was lost.
  void look_after_socket();
  void close();
  UserNames& user_names() { return user_names_; }

 private:
  template <class Acceptor>
  void accept(Acceptor& acceptor);
  template <class Acceptor>
  boost::system::error_code accept_all(Acceptor& acceptor);
  Peer peer_of(const boost::asio::local::stream_protocol::endpoint& remote, int descriptor);
  Peer peer_of(const boost::asio::ip::tcp::endpoint& remote, int descriptor);
  Status listening(const std::string& port, boost::system::error_code error);

  boost::asio::io_context& io_;
  const KnownHosts* hosts_;
  Welcome welcome_;
  Alert alert_;
  UserNames user_names_;
  ConnectionOwners owners_;
  boost::asio::local::stream_protocol::acceptor local_;
  boost::asio::ip::tcp::acceptor network_;
  SocketPlace place_;                      // without a path: none
  LastingFailure socket_failure_{""};      // to create the socket again
  std::pair<dev_t, ino_t> socket_file_{};  // the socket's file, if we created it
  bool port_is_taken_ = false;
  bool closed_ = false;
};

}  // namespace maui
