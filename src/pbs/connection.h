// One connection to a PBS server, on the loop: a request goes, its reply comes, and then the next.
//
// An answer that is late closes the connection, after which it is of no use.  Source: pitfalls of
// real servers; a server drops requests that come before the last was answered, and one that gets
// half a request lets everybody wait.
#pragma once
#include <array>
#include <utility>
// Boost's coroutines use it and do not include it.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "maui/result.h"
#include "pbs/dialect.h"
#include "pbs/reply.h"

namespace maui::pbs {

template <class T>
using Task = boost::asio::awaitable<T>;

class Connection {
 public:
  using Within = std::chrono::milliseconds;
  /// The port that it comes from: any, or one that only root may have.
  enum class From : std::uint8_t { any, reserved };

  explicit Connection(boost::asio::io_context& io) : socket_(io), deadline_(io) {}
  ~Connection() { close(); }

  Task<Status> open(std::string host, int port, From from, Within within);
  /// Asks in packets whether the server speaks so.  A server that does not, or says nothing, speaks
  /// bare; the connection is of no use then.  Fails where a packet breaks off.
  Task<Result<Dialect>> find_dialect(std::string request, Within within);
  /// Requires that the dialect is known.
  Task<Result<Reply>> ask(std::string request, Within within);
  /// Sends what has no reply.
  Task<Status> send(std::string payload, Within within);
  /// Sends a packet with a credential, and succeeds if the server trusts the connection then.
  Task<Status> hand_over(std::string bytes, Within within);
  /// The next packet that comes unasked, however long that takes.
  Task<Result<std::string>> hear();

  void speak(Dialect dialect);
  Dialect dialect() const { return dialect_; }
  int local_port() const;
  /// It is closed, by this side or by the other.
  bool over();
  void close();

 private:
  /// Closes the connection when the time is up, until it goes.
  class Limit;
  Task<Status> write(std::string bytes);
  Task<Status> read_more();
  Task<Status> dial(boost::asio::ip::tcp::endpoint to, From from);
  bool bind_reserved(int& port);
  Error failed(const std::string& why, Within within);

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  bool late_ = false;
  Dialect dialect_ = Dialect::bare;
  std::unique_ptr<ReplyReader> reader_;
  std::string heard_;  // bytes since the last reply or packet
  std::array<char, 65536> buffer_{};
};

}  // namespace maui::pbs
