// The server for commands: listens at sockets, reads requests, authenticates them, writes replies.
//
// The server knows nothing of commands: a handler turns the data of an
// authentic request into work that produces the data of its reply.  A client's
// conduct affects at most its own party, a user of this machine or another host:
// each connection has a deadline for sending its request and for taking the
// reply, and daemon/clients/turns.h shares the rest.  A request that is not
// authentic is closed without an answer and logged with the peer's address.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/client_authentication.h"
#include "daemon/clients/client_connection.h"
#include "daemon/clients/listener.h"
#include "daemon/clients/peer.h"
#include "daemon/clients/seen_messages.h"
#include "daemon/clients/turns.h"
#include "daemon/programs/munge_reader.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

struct ClientServerOptions {
  std::string name = "maui";                      // AUTH of replies
  std::string secret;                             // empty: only the Unix-domain socket
  Seconds max_skew{300};                          // CLIENTMAXSKEW
  std::chrono::milliseconds timeout{30000};       // CLIENTTIMEOUT: for a request, and for a reply
  std::size_t max_connections = 2000;             // of each listener
  std::size_t max_memory = std::size_t{1} << 28;  // requests and replies under way
  const KnownHosts* hosts = nullptr;              // of administrators, from the start
  std::function<bool(const Peer&)> privileged;    // get a reserved share; none: nobody
  SteadyClock clock = std::chrono::steady_clock::now;   // Turns::Limits
  std::function<std::string(const Peer&)> party;        // shares limits; none: Peer::party
  std::function<config::ClientWays(const Peer&)> ways;  // AUTHTYPE; none: checksum only
  MungeReader* munge = nullptr;                         // nullptr: munge is not used
};

class ClientServer final : private ClientConnection::Host {
 public:
  using Slice = ClientConnection::Slice;
  using Work = ClientConnection::Work;
  using Revision = ClientConnection::Revision;
  using Handler = std::function<Work(const Caller& caller, std::string_view data)>;
  /// `party`: the party that caused the line, which limits its lines; empty: no client caused it.
  using LogLine = std::function<void(int level, const std::string& party, std::string_view text)>;

  ClientServer(boost::asio::io_context& io, ClientServerOptions options, Handler handler,
               LogLine log);
  ~ClientServer();
  ClientServer(const ClientServer&) = delete;
  ClientServer& operator=(const ClientServer&) = delete;

  /// Listens at a Unix-domain socket in the home directory, as Listener does.
  Status listen_at(const std::string& socket_path);
  /// Listens at a TCP port: on the loopback interface only if `host` names it, else on all.
  /// Port 0: any free port.
  /// Accepts no messages signed earlier: another program may have listened there and kept them.
  Status listen_at(const std::string& host, int port);
  int port() const { return listener_.port(); }  // the TCP port
  /// True if the last port could not be opened because a program of this machine uses it.
  bool port_is_taken() const { return listener_.port_is_taken(); }
  /// Records network messages in this file, so that replays are refused after a restart too.
  /// As SeenMessages::open().
  Result<bool> keep_seen_messages(const std::string& path, std::int64_t end) {
    return seen_.open(path, end);
  }
  /// As SeenMessages::end().
  std::int64_t end_of_messages() const { return seen_.end(); }
  Status sync() { return seen_.sync(); }
  /// Creates the socket again if its file was lost.
  void look_after_socket() { listener_.look_after_socket(); }

  /// Sets options for future connections.
  void configure(ClientServerOptions options);
  const ClientServerOptions& options() const { return options_; }
  /// Clients of other protocols share these turns.
  Turns& turns() { return turns_; }

  /// While held back, requests are read but not answered (schedctl -s nI).
  void hold_back(bool on) { turns_.hold_back(on); }
  /// Keeps all replies, also those to requests under way, until send_replies(): the changes they
  /// report are not on disk yet.
  void keep_replies() { keeping_ = true; }
  /// Sends the replies that were kept.  `took`: how long saving the changes took; ordinary parties
  /// that changed something are not served for three times as long.
  void send_replies(const Revision& of_changes = {}, std::chrono::steady_clock::duration took = {});
  /// Lets requests that wait for answers of resource managers end with what is known.
  void wait_no_longer();
  /// Stops listening, waits at most `limit` for replies under way, and closes all connections.
  void finish(std::chrono::milliseconds limit);

  std::size_t connections() const { return turns_.connections(); }
  /// Counts since the start: connections taken, clients refused.
  std::int64_t taken() const { return taken_; }
  std::int64_t refused() const { return turns_.refused(); }

 private:
  void welcome(Newcomer newcomer);
  Turns::Limits limits() const {
    return {options_.max_memory, options_.privileged, options_.clock};
  }

  // ClientConnection::Host
  std::chrono::milliseconds timeout() const override { return options_.timeout; }
  // Clients wait for a reply as long as CLIENTTIMEOUT.
  std::chrono::milliseconds patience() const override { return options_.timeout * 2 / 3; }
  void authenticate(const Peer& peer, const Message& message,
                    std::function<void(Result<Believed>)> done) override;
  Work begin(const Caller& caller, std::string_view data) override {
    return handler_(caller, data);
  }
  std::string sign_reply(const std::string& secret, const std::string& to,
                         const std::string& data) const override;
  std::string sign_challenge(const std::string& secret, const std::string& to,
                             const std::string& challenge) const override;
  bool keep(const std::shared_ptr<ClientConnection>& connection) override;
  void log(int level, const Peer& peer, std::string_view text) const override {
    log_(level, peer.party, text);
  }
  void complain(const Peer& peer, std::string_view text) override { turns_.complain(peer, text); }

  config::ClientWays ways_of(const Peer& peer) const;
  Result<Believed> believe(const Peer& peer, const Message& message);
  Result<Believed> believe(const Message& message, const Result<Voucher>& vouched);
  Result<Believed> believe_once(Believed sender, const Message& message, std::string_view checksum,
                                std::int64_t made);

  boost::asio::io_context& io_;
  ClientServerOptions options_;
  Handler handler_;
  LogLine log_;
  SeenMessages seen_;
  Listener listener_;
  Turns turns_;
  std::int64_t taken_ = 0;
  bool keeping_ = false;
  bool finishing_ = false;
  std::vector<std::shared_ptr<ClientConnection>> kept_;  // with kept replies, in order
};

}  // namespace maui
