#include "rm/event_port.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string_view>

namespace maui {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// A number is there at once; whoever waits longer has none.
constexpr std::chrono::seconds kPatience{5};
constexpr int kMostOpen = 32;

struct Visit : std::enable_shared_from_this<Visit> {
  Visit(tcp::socket socket, std::function<void(bool told)> done)
      : socket(std::move(socket)), deadline(this->socket.get_executor()), done(std::move(done)) {}
  ~Visit() { done(false); }

  void begin() {
    deadline.expires_after(kPatience);
    deadline.async_wait([self = shared_from_this()](error_code error) {
      error_code ignored;
      if (!error) self->socket.close(ignored);
    });
    socket.async_read_some(boost::asio::buffer(buffer),
                           [self = shared_from_this()](error_code, std::size_t size) {
                             const std::string_view text(self->buffer.data(), size);
                             self->deadline.cancel();
                             if (text.find_first_of("0123456789") != text.npos) self->done(true);
                           });
  }

  tcp::socket socket;
  boost::asio::steady_timer deadline;
  std::function<void(bool)> done;
  std::array<char, 256> buffer{};
};

}  // namespace

EventPort::EventPort(boost::asio::io_context& io, std::function<void()> rung)
    : acceptor_(io), rung_(std::move(rung)) {}

Status EventPort::listen(int port) {
  const tcp::endpoint at(tcp::v4(), static_cast<unsigned short>(port));
  error_code error;
  acceptor_.open(at.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(at, error);
  if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
  if (error)
    return Error{fmt::format("cannot listen for events at port {}: {}", port, error.message())};
  accept();
  return Done{};
}

int EventPort::port() const {
  error_code error;
  const auto at = acceptor_.local_endpoint(error);
  return error ? 0 : at.port();
}

void EventPort::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error == boost::asio::error::operation_aborted) return;
    if (!error && open_ < kMostOpen) {
      ++open_;
      std::make_shared<Visit>(std::move(socket), [this](bool told) {
        if (told)
          rung_();
        else
          --open_;
      })->begin();
    }
    accept();
  });
}

}  // namespace maui
