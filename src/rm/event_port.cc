#include "rm/event_port.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string_view>

namespace maui {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// A number is there at once; whoever waits longer has none.
constexpr std::chrono::seconds kPatience{5};
constexpr std::size_t kMostOpen = 32;

}  // namespace

class EventPort::Visit : public std::enable_shared_from_this<EventPort::Visit> {
 public:
  Visit(tcp::socket socket, std::function<void()> rung)
      : socket_(std::move(socket)), deadline_(socket_.get_executor()), rung_(std::move(rung)) {}

  void begin() {
    deadline_.expires_after(kPatience);
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [self = shared_from_this()](error_code, std::size_t size) {
                              const std::string_view text(self->buffer_.data(), size);
                              self->deadline_.cancel();
                              if (text.find_first_of("0123456789") != text.npos) self->rung_();
                            });
  }
  void close() {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  std::function<void()> rung_;
  std::array<char, 256> buffer_{};
};

EventPort::EventPort(boost::asio::io_context& io, std::function<void()> rung)
    : acceptor_(io), retry_(io), rung_(std::move(rung)) {}

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
    if (error) return accept_later();
    adopt(std::make_shared<Visit>(std::move(socket), rung_));
    accept();
  });
}

// The machine has nothing left for another connection: it may have in a second.
void EventPort::accept_later() {
  retry_.expires_after(std::chrono::seconds(1));
  retry_.async_wait([this](error_code error) {
    if (!error) accept();
  });
}

// Where there are too many, the one that has said nothing for longest goes.
void EventPort::adopt(const std::shared_ptr<Visit>& visit) {
  std::erase_if(open_, [](const auto& one) { return one.expired(); });
  if (open_.size() >= kMostOpen) {
    if (const auto oldest = open_.front().lock()) oldest->close();
    open_.pop_front();
  }
  open_.push_back(visit);
  visit->begin();
}

}  // namespace maui
