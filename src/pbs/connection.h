// One connection to a PBS server, on the event loop: each request waits for the reply to the last.
//
// A late answer closes the connection, which cannot be used afterwards.  Source: observed behaviour
// of servers; a server drops requests that arrive before the previous one was answered, and a
// server that gets half a request blocks all its clients.
#pragma once
#include <array>
#include <utility>
// Boost's coroutines use this header without including it.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <string>

#include "maui/result.h"
#include "pbs/dialect.h"
#include "pbs/reply.h"

namespace maui::pbs {

template <class T>
using Task = boost::asio::awaitable<T>;
/// The completion handler of coroutines: an exception goes on into the event loop, as from any
/// handler.
inline constexpr auto kPassOn = [](const std::exception_ptr& problem) {
  if (problem) std::rethrow_exception(problem);
};

class Connection {
 public:
  using Within = std::chrono::milliseconds;
  /// The local port of the connection: any port, or one reserved for root.
  enum class From : std::uint8_t { any, reserved };

  explicit Connection(boost::asio::io_context& io) : socket_(io), deadline_(io) {}
  ~Connection() { close(); }

  Task<Status> open(std::string host, int port, From from, Within within);
  /// Sends a request in packets to detect the dialect.  A server that has no packets, or stays
  /// silent, speaks `bare`; the connection is then useless.  Fails if a packet is cut short.
  Task<Result<Dialect>> find_dialect(std::string request, Within within);
  /// Sends a request and returns its reply.  Requires that the dialect is known.
  Task<Result<Reply>> ask(std::string request, Within within);
  /// Sends a message that has no reply.
  Task<Status> send(std::string payload, Within within);
  /// Sends a packet with a credential; succeeds if the server then trusts the connection.
  Task<Status> hand_over(std::string bytes, Within within);
  /// Returns the next packet that the server sends unasked, however long that takes.
  Task<Result<std::string>> hear();

  void speak(Dialect dialect);
  Dialect dialect() const { return dialect_; }
  int local_port() const;
  /// Returns true if the connection has been closed, by this side or by the server.
  bool over();
  void close();

 private:
  /// Closes the connection when the time is up, unless it is destroyed before.
  class Limit;
  /// The look-up of a host: it cannot be interrupted, so it may end after nobody waits any more.
  struct LookUp;
  /// Begins a look-up; the wait for it ends with the present limit.
  std::shared_ptr<LookUp> look_up(const std::string& host, int port);
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
  std::string heard_;  // bytes received since the last reply or packet
  std::array<char, 65536> buffer_{};
};

}  // namespace maui::pbs
