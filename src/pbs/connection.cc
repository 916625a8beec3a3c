#include "pbs/connection.h"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>

#include "base/fence.h"
#include "pbs/packet.h"
#include "pbs/request.h"

namespace maui::pbs {
namespace {

using boost::asio::redirect_error;
using boost::asio::use_awaitable;
using boost::asio::ip::tcp;
using boost::system::error_code;

// Only root may bind ports up to 1023; the lowest of them belong to well-known services.
constexpr int kHighestReserved = 1023, kLowestReserved = 600;

}  // namespace

struct Connection::LookUp {
  LookUp(const tcp::socket::executor_type& executor, boost::asio::steady_timer::time_point until)
      : resolver(executor), over(executor, until) {}
  tcp::resolver resolver;
  boost::asio::steady_timer over;  // ends when the host is found, or the time is up
  bool done = false;
  error_code error;
  tcp::resolver::results_type found;
};

std::shared_ptr<Connection::LookUp> Connection::look_up(const std::string& host, int port) {
  auto all = std::make_shared<LookUp>(socket_.get_executor(), deadline_.expiry());
  try {
    all->resolver.async_resolve(tcp::v4(), host, std::to_string(port),
                                [all](error_code error, tcp::resolver::results_type found) {
                                  all->done = true;
                                  all->error = error;
                                  all->found = std::move(found);
                                  all->over.cancel();
                                });
  } catch (const boost::system::system_error& problem) {  // the resolver needs a thread
    all->done = true;
    all->error = problem.code();
    all->over.expires_at(boost::asio::steady_timer::time_point::min());
  }
  return all;
}

class Connection::Limit {
 public:
  Limit(Connection& connection, Within within) : connection_(connection) {
    connection_.late_ = false;
    connection_.deadline_.expires_after(within);
    connection_.deadline_.async_wait([&connection, in_force = in_force_](error_code error) {
      if (error || !*in_force) return;
      connection.late_ = true;
      connection.close();
    });
  }
  ~Limit() {
    *in_force_ = false;
    connection_.deadline_.cancel();
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  Connection& connection_;
  std::shared_ptr<bool> in_force_ = std::make_shared<bool>(true);
};

void Connection::close() {
  error_code ignored;
  socket_.close(ignored);
}

int Connection::local_port() const {
  error_code error;
  const auto at = socket_.local_endpoint(error);
  return error ? 0 : at.port();
}

void Connection::speak(Dialect dialect) {
  dialect_ = dialect;
  reader_ = std::make_unique<ReplyReader>(dialect);
}

// Checks what has arrived without consuming it: nothing, the end, or unexpected data.
bool Connection::over() {
  if (!socket_.is_open()) return true;
  std::array<char, 1> byte{};
  error_code error;
  socket_.non_blocking(true, error);
  socket_.receive(boost::asio::buffer(byte), tcp::socket::message_peek, error);
  const bool alive = error == boost::asio::error::would_block;
  if (!alive) close();
  return !alive;
}

// Binds the highest free port at or below `port`.
bool Connection::bind_reserved(int& port) {
  for (; port >= kLowestReserved; --port) {
    error_code error;
    socket_.bind(tcp::endpoint(tcp::v4(), static_cast<unsigned short>(port)), error);
    if (!error) return true;
    if (error == boost::asio::error::access_denied) return false;
  }
  return false;
}

Task<Status> Connection::dial(tcp::endpoint to, From from) {
  int port = kHighestReserved;
  while (true) {
    if (late_) co_return Error{"no answer"};
    error_code error;
    close();
    socket_.open(to.protocol(), error);
    if (error) co_return Error{error.message()};
    if (from == From::reserved && !bind_reserved(port))
      co_return Error{"cannot bind a reserved port, which requires root"};
    co_await socket_.async_connect(to, redirect_error(use_awaitable, error));
    if (!error) break;
    // The port may still be in use for an earlier connection to the same server.
    const bool taken =
        error == boost::asio::error::address_in_use || error.value() == EADDRNOTAVAIL;
    if (from != From::reserved || !taken) co_return Error{error.message()};
    --port;
  }
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  co_return Done{};
}

Task<Status> Connection::open(std::string host, int port, From from, Within within) {
  const Limit limit(*this, within);
  const auto place = fmt::format("{}:{}", host, port);
  const auto names = look_up(host, port);
  error_code ignored;
  co_await names->over.async_wait(redirect_error(use_awaitable, ignored));
  if (!names->done) {
    names->resolver.cancel();  // a look-up that has not begun need not begin
    co_return Error{fmt::format("cannot find {}: no answer", place)};
  }
  if (names->error)
    co_return Error{fmt::format("cannot find {}: {}", place, names->error.message())};
  std::string why = "the host has no address";
  for (const auto& entry : names->found) {
    const tcp::endpoint to = entry.endpoint();
    const Status status = co_await dial(to, from);
    if (late_) break;
    if (status) co_return Done{};
    why = status.error().what;
  }
  close();
  if (late_) why = "no answer";
  co_return Error{fmt::format("cannot connect to {}: {}", place, why)};
}

Task<Status> Connection::write(std::string bytes) {
  error_code error;
  const auto all = boost::asio::buffer(bytes);
  pass_fence();
  co_await boost::asio::async_write(socket_, all, redirect_error(use_awaitable, error));
  if (error) co_return Error{error.message()};
  co_return Done{};
}

Task<Status> Connection::read_more() {
  error_code error;
  const auto into = boost::asio::buffer(buffer_);
  const std::size_t size =
      co_await socket_.async_read_some(into, redirect_error(use_awaitable, error));
  if (error == boost::asio::error::eof) co_return Error{"the server closed the connection"};
  if (error) co_return Error{error.message()};
  heard_.append(buffer_.data(), size);
  co_return Done{};
}

Task<Result<Dialect>> Connection::find_dialect(std::string request, Within within) {
  const Limit limit(*this, within);
  std::string bytes = packet(std::move(request), Dialect::packets);
  Status status = co_await write(std::move(bytes));
  while (status) {
    status = co_await read_more();
    const auto first = first_packet(heard_);
    if (!first) break;
    if (!*first) continue;
    const auto dialect = dialect_of((*first)->payload);
    heard_.clear();
    if (!dialect) break;
    speak(*dialect);
    co_return *dialect;
  }
  close();
  if (heard_.starts_with(kPacketMark)) co_return Error{"the server's first answer was incomplete"};
  co_return Dialect::bare;
}

Error Connection::failed(const std::string& why, Within within) {
  close();
  return Error{late_ ? fmt::format("no answer within {} ms", within.count()) : why};
}

Task<Result<Reply>> Connection::ask(std::string request, Within within) {
  const Limit limit(*this, within);
  std::string bytes = packet(std::move(request), dialect_);
  Status status = co_await write(std::move(bytes));
  while (status) {
    auto reply = reader_->next();
    if (!reply) co_return failed(reply.error().what, within);
    if (*reply) {
      heard_ = reader_->take_rest();  // an event may arrive together with the reply
      co_return std::move(**reply);
    }
    status = co_await read_more();
    reader_->feed(heard_);
    heard_.clear();
  }
  co_return failed(status.error().what, within);
}

Task<Status> Connection::send(std::string payload, Within within) {
  const Limit limit(*this, within);
  std::string bytes = packet(std::move(payload), dialect_);
  Status status = co_await write(std::move(bytes));
  if (!status) close();
  co_return status;
}

Task<Status> Connection::hand_over(std::string bytes, Within within) {
  const Limit limit(*this, within);
  Status status = co_await write(std::move(bytes));
  while (status) {
    const auto first = first_packet(heard_);
    if (!first) co_return failed(first.error().what, within);
    if (*first) {
      const char kind = (*first)->kind;
      std::string words((*first)->payload);
      heard_.erase(0, (*first)->size);
      if (kind == kTrustedPacket) co_return Done{};
      co_return failed("the server refused the credential: " + words, within);
    }
    status = co_await read_more();
  }
  co_return failed(status.error().what, within);
}

Task<Result<std::string>> Connection::hear() {
  while (true) {
    const auto first = first_packet(heard_);
    if (!first) co_return first.error();
    if (*first) {
      std::string payload((*first)->payload);
      heard_.erase(0, (*first)->size);
      co_return payload;
    }
    const Status status = co_await read_more();
    if (!status) co_return status.error();
  }
}

}  // namespace maui::pbs
