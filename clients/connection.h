// One connection to the server: a frame there, a frame back, each within a time limit.
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

/// Why there is no answer; each has a message of its own that scripts know.
enum class Failure { no_such_host, not_running, no_port, lost, too_slow };

struct ConnectionError {
  Failure failure = Failure::lost;
  std::string detail;
};

class Connection {
 public:
  using Limit = std::chrono::milliseconds;

  /// Nothing is listening there, or we may not: what() says why.
  static Result<Connection> to_socket(const std::string& path, Limit limit);
  /// `from`: secure, a port that only root, or a program that may bind such ports, can have.
  enum class Port { any, secure };
  static Result<Connection> to_host(const std::string& host, int port, Port from, Limit limit,
                                    ConnectionError& why);

  /// Tries all places at once.  Returns those that are connected, by their number, in order: as
  /// soon as all have answered, a moment after the first, or when the limit is over.
  static std::vector<std::pair<std::size_t, Connection>> to_any(
      const std::vector<ServerPlace>& places, Limit limit);

  Limit limit() const { return limit_; }
  void set_limit(Limit limit) { limit_ = limit; }

  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  /// Sends a message and waits for one.  The limit is for each time that nothing moves.
  Result<std::string> exchange(std::string_view message, ConnectionError& why);

 private:
  Connection(int descriptor, Limit limit);
  bool send(std::string_view bytes, ConnectionError& why);
  bool wait(short events, ConnectionError& why);

  int descriptor_;
  Limit limit_;
};

}  // namespace maui
