// The sockets: listens, reads requests, knows who asks, writes replies.
//
// It knows nothing of commands: a handler turns the data of an authentic
// request into the data of its reply.  Whatever a client does or leaves undone
// costs at most its own party, a user of this machine or another host: each
// connection has a deadline for its request and for taking the reply; where
// connections or memory run short, the party that has most of them loses one.
// What is not authentic is closed without an answer and logged with the peer's
// address.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/peer.h"
#include "maui/result.h"
#include "maui/units.h"
#include "proto/replay.h"

namespace maui {

class ClientConnection;

struct Caller {
  std::string user;
  std::string host;     // empty: this machine
  std::string address;  // for the log
};

struct ClientServerOptions {
  std::string name = "maui";                 // AUTH of replies
  std::string secret;                        // empty: only the socket of this machine
  Seconds max_skew{300};                     // CLIENTMAXSKEW
  std::chrono::milliseconds timeout{30000};  // CLIENTTIMEOUT: for a request, and for a reply
  std::size_t max_connections = 2000;        // of each listener
  std::chrono::seconds complaints_for{10};   // of clients that are refused, some lines in this time
  std::size_t max_memory = std::size_t{1} << 28;  // requests and replies under way
};

class ClientServer {
 public:
  using Handler = std::function<std::string(const Caller& caller, std::string_view data)>;
  using LogLine = std::function<void(int level, std::string_view text)>;

  ClientServer(boost::asio::io_context& io, ClientServerOptions options, Handler handler,
               LogLine log);
  ~ClientServer();
  ClientServer(const ClientServer&) = delete;

  /// Listens at a Unix-domain socket that every user may write to; what stands there is replaced.
  Status listen_at(const std::string& socket_path);
  /// Listens at a TCP port; of the loopback interface alone if `host` names it.  Port 0: any free
  /// one.
  Status listen_at(const std::string& host, int port);
  int port() const;  // that it listens at

  /// New values for connections to come.
  void configure(ClientServerOptions options);
  KnownHosts& known_hosts() { return known_hosts_; }

  /// While held back, requests are read but not answered (schedctl -s nI).
  void hold_back(bool on);
  /// From here on replies are kept, those of requests under way included, until send_replies():
  /// what they tell of is not safe yet.
  void keep_replies() { keeping_ = true; }
  void send_replies();
  /// Stops listening, lets replies under way out within `limit`, and closes everything.
  void finish(std::chrono::milliseconds limit);

  std::size_t connections() const { return connections_.size(); }

 private:
  friend class ClientConnection;
  using Share = std::function<std::size_t(const ClientConnection&)>;
  template <class Acceptor>
  void accept(Acceptor& acceptor);
  template <class Acceptor>
  void accept_later(Acceptor& acceptor);
  void adopt(std::shared_ptr<ClientConnection> connection);
  void closed(const ClientConnection& connection);
  /// Whether one more has room at the socket, or at the port.
  bool make_room(bool local_socket);
  /// What a connection holds has changed.
  void recount(std::size_t before, std::size_t now);
  /// Of the party that has most, the connection that has most; of equals the oldest.  Null: none
  /// has any.
  std::shared_ptr<ClientConnection> greediest(const Share& share) const;
  void log(int level, const std::string& text) const { log_(level, text); }
  /// Of a client that does what it may not; so many lines of them that they fill no log.
  void complain(const std::string& text);

  boost::asio::io_context& io_;
  ClientServerOptions options_;
  Handler handler_;
  LogLine log_;
  ReplayGuard replay_;
  KnownHosts known_hosts_;
  boost::asio::local::stream_protocol::acceptor local_;
  boost::asio::ip::tcp::acceptor network_;
  std::string socket_path_;
  UserNames user_names_;
  std::map<std::uint64_t, std::shared_ptr<ClientConnection>> connections_;  // oldest first
  std::uint64_t next_number_ = 0;
  std::size_t local_count_ = 0, network_count_ = 0;
  std::size_t held_ = 0;  // bytes, of all connections
  std::chrono::steady_clock::time_point complaints_end_;
  int complaints_ = 0;  // until then
  bool held_back_ = false;
  bool keeping_ = false;
  bool finishing_ = false;
};

}  // namespace maui
