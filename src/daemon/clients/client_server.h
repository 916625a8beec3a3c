// The sockets: listens, reads requests, knows who asks, writes replies.
//
// It knows nothing of commands: a handler turns the data of an authentic
// request into work that comes to the data of its reply.  Whatever a client
// does or leaves undone costs at most its own party, a user of this machine or
// another host: each connection has a deadline for its request and for taking
// the reply, and the rest is shared as daemon/clients/turns.h says.  What is not
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
  std::string secret;                             // empty: only the socket of this machine
  Seconds max_skew{300};                          // CLIENTMAXSKEW
  std::chrono::milliseconds timeout{30000};       // CLIENTTIMEOUT: for a request, and for a reply
  std::size_t max_connections = 2000;             // of each listener
  std::size_t max_memory = std::size_t{1} << 28;  // requests and replies under way
  std::function<bool(const Peer&)> privileged;    // for whom some of both are kept; none: nobody
  SteadyClock clock = std::chrono::steady_clock::now;  // Turns::Limits
  std::function<std::string(const Peer&)> party;  // who shares limits with it; none: Peer::party
  std::function<config::ClientWays(const Peer&)> ways;  // AUTHTYPE; none: a checksum alone
  MungeReader* munge = nullptr;                         // none: nobody is known by munge
};

class ClientServer final : private ClientConnection::Host {
 public:
  using Work = ClientConnection::Work;
  using Revision = ClientConnection::Revision;
  using Handler = std::function<Work(const Caller& caller, std::string_view data)>;
  /// `party`: who caused the line, so that nobody causes too many; empty: none of the clients.
  using LogLine = std::function<void(int level, const std::string& party, std::string_view text)>;

  ClientServer(boost::asio::io_context& io, ClientServerOptions options, Handler handler,
               LogLine log);
  ~ClientServer();
  ClientServer(const ClientServer&) = delete;
  ClientServer& operator=(const ClientServer&) = delete;

  /// Listens at a Unix-domain socket that every user may write to; what stands there is replaced.
  Status listen_at(const std::string& socket_path) { return listener_.listen_at(socket_path); }
  /// Listens at a TCP port; of the loopback interface alone if `host` names it.  Port 0: any free
  /// one.
  Status listen_at(const std::string& host, int port) { return listener_.listen_at(host, port); }
  int port() const { return listener_.port(); }  // that it listens at
  /// Messages of the network are remembered in this file, over restarts, too.
  Status keep_seen_messages(const std::string& path) { return seen_.open(path); }
  Status sync() { return seen_.sync(); }
  /// Makes the socket again if it was lost.
  void look_after_socket() { listener_.look_after_socket(); }

  /// New values for connections to come.
  void configure(ClientServerOptions options);
  KnownHosts& known_hosts() { return listener_.known_hosts(); }
  /// Clients of other protocols have their turns among these.
  Turns& turns() { return turns_; }

  /// While held back, requests are read but not answered (schedctl -s nI).
  void hold_back(bool on) { turns_.hold_back(on); }
  /// From here on replies are kept, those of requests under way included, until send_replies():
  /// what they report is not safe yet.  Called by the handler: its request changes something.
  void keep_replies() { keeping_ = changing_ = true; }
  /// The request under way is gone on with before others of its party are begun: it holds a reply
  /// that is large.  Called by the handler.
  void finish_first() { first_ = true; }
  /// The request under way changes nothing: nobody goes on with it once its client has gone.
  /// Called by the handler.
  void only_looks() { looks_ = true; }
  /// `took`: what it took to make them safe; three times as long nothing more is done for the
  /// ordinary parties that have changed something.
  void send_replies(const Revision& of_changes = {}, std::chrono::steady_clock::duration took = {});
  /// Stops listening, lets replies under way out within `limit`, and closes everything.
  void finish(std::chrono::milliseconds limit);

  std::size_t connections() const { return turns_.connections(); }
  /// Counts since the start: connections taken, clients refused.
  std::int64_t taken() const { return taken_; }
  std::int64_t refused() const { return turns_.refused(); }

 private:
  void welcome(Listener::Socket socket, Peer peer);
  Turns::Limits limits() const {
    return {options_.max_memory, options_.privileged, options_.clock};
  }

  // ClientConnection::Host
  std::chrono::milliseconds timeout() const override { return options_.timeout; }
  void authenticate(const Peer& peer, const Message& message,
                    std::function<void(Result<Believed>)> done) override;
  Work begin(const Caller& caller, std::string_view data) override {
    return handler_(caller, data);
  }
  Slice work_on(const Work& work) override;
  std::string sign_reply(const std::string& secret, const std::string& to,
                         const std::string& data) const override;
  bool keep(const std::shared_ptr<ClientConnection>& connection) override;
  void log(int level, const Peer& peer, std::string_view text) const override {
    log_(level, peer.party, text);
  }
  void complain(const Peer& peer, std::string_view text) override { turns_.complain(peer, text); }

  config::ClientWays ways_of(const Peer& peer) const;
  Result<Believed> believe(const Peer& peer, const Message& message);
  Result<Believed> believe(const Message& message, const Result<Voucher>& vouched);

  boost::asio::io_context& io_;
  ClientServerOptions options_;
  Handler handler_;
  LogLine log_;
  SeenMessages seen_;
  Listener listener_;
  Turns turns_;
  std::int64_t taken_ = 0;
  bool keeping_ = false;
  bool changing_ = false;  // the request under way
  bool first_ = false;     // is to be gone on with first
  bool looks_ = false;     // changes nothing
  bool finishing_ = false;
  std::vector<std::shared_ptr<ClientConnection>> kept_;  // whose replies are, in their order
};

}  // namespace maui
