// A connection to the server: a frame is sent, a frame comes back, each within a time limit.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/server_places.h"
#include "maui/result.h"
#include "proto/frame.h"

namespace maui {

/// Why there is no answer; each failure has its own message, which scripts know.
enum class Failure { no_such_host, not_running, no_port, lost, too_slow };

struct ConnectionError {
  Failure failure = Failure::lost;
  std::string detail;
};

class Connection {
 public:
  using Limit = std::chrono::milliseconds;

  /// Connects to a socket; an error says that nothing listens there or access is denied.
  static Result<Connection> to_socket(const std::string& path, Limit limit);
  /// secure: a port that only root, or a program that may bind such ports, can use.
  enum class Port { any, secure };
  static Result<Connection> to_host(const std::string& host, int port, Port from, Limit limit,
                                    ConnectionError& why);

  /// Tries all places at once.  Returns those that are connected, by index, in order: as soon as
  /// all have answered, shortly after the first has, or when the limit has passed.
  static std::vector<std::pair<std::size_t, Connection>> to_any(
      const std::vector<ServerPlace>& places, Limit limit);

  Limit limit() const { return limit_; }
  void set_limit(Limit limit) { limit_ = limit; }

  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  /// Sends a message and waits for the reply.  The limit applies to each wait without progress.
  Result<std::string> exchange(std::string_view message, ConnectionError& why);

 private:
  Connection(int descriptor, Limit limit);
  bool send(std::string_view bytes, ConnectionError& why);
  bool wait(short events, ConnectionError& why);

  int descriptor_;
  Limit limit_;
};

}  // namespace maui
