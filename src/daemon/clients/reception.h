// Where clients give commands: the socket maui.sock and the port SERVERPORT, and how clients of
// other hosts are authenticated (CLIENTCFG; docs/decisions/messages.md).
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "config/client_authentication.h"
#include "config/configuration.h"
#include "daemon/clients/client_hosts.h"
#include "daemon/clients/client_server.h"
#include "daemon/clients/patient_port.h"
#include "daemon/files/checkpoint_keeper.h"
#include "daemon/logging/lines.h"
#include "daemon/programs/munge_reader.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

class Reception {
 public:
  /// `configuration` is the one in use, which changes; `handler` is called for each request.  All
  /// must outlive this.  `home` is the home directory.
  Reception(boost::asio::io_context& io, const Configuration& configuration, Lines& lines,
            std::string home, ClientServer::Handler handler);

  /// Begins to listen.  While another program has the port, or there is no way to authenticate a
  /// client of another host, only users of this machine are served.
  Status listen(std::optional<EarlierScheduler> earlier);
  /// Looks up the hosts that the configuration names, which may take long.
  void resolve_hosts();
  /// Begins to look up all these hosts again, since their addresses may have changed.
  void look_up_hosts_again() { hosts_.look_up_again(); }
  /// Adopts a changed configuration.
  void configure();
  /// Stops listening, waits at most `limit` for replies under way, and closes all connections.
  void finish(std::chrono::milliseconds limit);

  ClientServer& server() { return server_; }
  const ClientServer& server() const { return server_; }

 private:
  ClientServerOptions options();
  MungeReaderOptions munge_options() const;
  config::ClientWays ways_of(const Peer& peer) const;
  Status listen_to_network();
  Status listen_at_port();
  void keep_seen_messages();

  const Configuration& configuration_;
  Lines& lines_;
  std::string home_;
  config::ClientAuthentication authentication_;
  ClientHosts hosts_;
  PatientPort port_;
  MungeReader munge_;  // outlives the server
  ClientServer server_;
  std::optional<EarlierScheduler> earlier_;
  bool said_local_only_ = false;  // the log says that users of other hosts are not served
};

}  // namespace maui
