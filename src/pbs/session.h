// Sends requests to a PBS server in sequence, over a connection that is opened on demand and
// reopened after it has ended.
//
// A request that the server may have read is never sent twice.
#pragma once
#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pbs/connection.h"
#include "pbs/login.h"
#include "pbs/request.h"

namespace maui::pbs {

/// Facts about a server that its sessions share.
struct Server {
  boost::asio::io_context& io;
  ServerOptions options;
  std::optional<Dialect> dialect;  // empty until it is known
  bool confirmed = false;          // the dialect, by an answer
  std::string host;                // the host that answered last
  unsigned losses = 0;             // connections that ended or failed while in use
  /// Called with each new trusted connection of a session, before any other request.
  std::function<Task<Status>(std::shared_ptr<Connection>)> introduce = {};
};

/// Opens a trusted connection to the first host of the server that answers, and detects the dialect
/// if it is unknown.
Task<Result<std::shared_ptr<Connection>>> open_trusted(Server& server);

class Session {
 public:
  struct Answer {
    Result<Reply> reply;  // or the reason why there is none
    bool sent = false;    // true if the server may have read the request
  };
  using Make = std::function<std::string(const Requests&, Dialect)>;

  explicit Session(std::shared_ptr<Server> server);
  ~Session();
  /// Sends the request that `make` returns when its turn comes.  Calls `done` once, never from
  /// within ask(); never if the session has been destroyed.
  void ask(Make make, std::function<void(Answer)> done);

 private:
  struct State;
  static Task<void> serve(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace maui::pbs
