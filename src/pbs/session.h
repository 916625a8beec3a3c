// Asks a PBS server one request after the other, over a connection that is made when it is needed
// and made anew when it has ended.
//
// A request that may have been read by the server is never sent twice.
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

/// Facts of a server that its sessions have in common.
struct Server {
  boost::asio::io_context& io;
  ServerOptions options;
  std::optional<Dialect> dialect;  // once it is known
  bool confirmed = false;          // by an answer
  std::string host;                // of several the one that answered last
  unsigned losses = 0;             // connections that ended or failed while they were in use
  /// Introduces a connection of a session that is trusted, before all else.
  std::function<Task<Status>(std::shared_ptr<Connection>)> introduce = {};
};

/// Opens a connection that is trusted to the first of the server's hosts that answers, and finds
/// out the dialect where that is not known.
Task<Result<std::shared_ptr<Connection>>> open_trusted(Server& server);

class Session {
 public:
  struct Answer {
    Result<Reply> reply;  // or why there is none
    bool sent = false;    // the server may have read the request
  };
  using Make = std::function<std::string(const Requests&, Dialect)>;

  explicit Session(std::shared_ptr<Server> server);
  ~Session();
  /// Asks what `make` makes when its turn comes.  `done` is called once, and never from within; not
  /// at all where the session is gone.
  void ask(Make make, std::function<void(Answer)> done);

 private:
  struct State;
  static Task<void> serve(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace maui::pbs
