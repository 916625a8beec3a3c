#include "rm/event_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "net/accept_again.h"
#include "proto/checksum.h"

namespace maui {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// Resource managers send the number at once; a client that takes longer has none to send.
constexpr std::chrono::seconds kPatience{5};
constexpr std::size_t kMostOpen = 32;

bool is_of_this_host(boost::asio::io_context& io, const boost::asio::ip::address& address) {
  error_code error;
  boost::asio::ip::udp::socket trial(io);
  trial.open(boost::asio::ip::udp::v4(), error);
  if (!error) trial.bind({address, 0}, error);
  return !error;
}

/// Returns the addresses at which a resource manager on one of `hosts` can ring.
std::vector<boost::asio::ip::address> addresses_for(boost::asio::io_context& io,
                                                    std::string_view hosts) {
  using boost::asio::ip::address;
  const address loopback = boost::asio::ip::address_v4::loopback();
  std::vector<address> found{loopback};
  tcp::resolver resolver(io);
  for (const auto host : split(hosts, ',')) {
    error_code error;
    if (trimmed(host).empty()) continue;
    for (const auto& entry : resolver.resolve(tcp::v4(), trimmed(host), "", error)) {
      const auto theirs = entry.endpoint().address();
      if (!is_of_this_host(io, theirs)) return {boost::asio::ip::address_v4::any()};
      if (std::find(found.begin(), found.end(), theirs) == found.end()) found.push_back(theirs);
    }
  }
  return found;
}

}  // namespace

class EventPort::Visit : public std::enable_shared_from_this<EventPort::Visit> {
 public:
  Visit(tcp::socket socket, std::function<void(std::string_view text)> said)
      : socket_(std::move(socket)), deadline_(socket_.get_executor()), said_(std::move(said)) {}

  void begin() {
    deadline_.expires_after(kPatience);
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [self = shared_from_this()](error_code, std::size_t size) {
                              const std::string_view text(self->buffer_.data(), size);
                              self->deadline_.cancel();
                              self->said_(text);
                            });
  }
  void close() {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  std::function<void(std::string_view text)> said_;
  std::array<char, 256> buffer_{};
};

EventPort::EventPort(boost::asio::io_context& io, std::function<void()> rung, IsEvent is_event)
    : word_(random_digits(16)),
      io_(io),
      rung_(rung),
      is_event_(is_event),
      rings_(io, TokenBucket(10, std::chrono::seconds(1)), std::move(rung)) {}

EventPort::~EventPort() {
  for (const auto& visit : open_)
    if (const auto silent = visit.lock()) silent->close();
}

// Handlers of the system's events may run after the port has been closed by a reload.
template <class Handler>
auto EventPort::while_open(Handler handler) {
  return [here = std::weak_ptr(here_), handler = std::move(handler)](auto&&... arguments) {
    if (!here.expired()) handler(std::forward<decltype(arguments)>(arguments)...);
  };
}

bool EventPort::has_digit(std::string_view said) {
  return said.find_first_of("0123456789") != said.npos;
}

Status EventPort::listen(const std::string& hosts, int port) {
  for (const auto& address : addresses_for(io_, hosts)) {
    Acceptor& entrance = entrances_.emplace_back(io_);
    if (auto status = open(entrance, address, port == 0 ? this->port() : port); !status)
      return status;
  }
  for (Acceptor& entrance : entrances_) accept(entrance);
  return Done{};
}

Status EventPort::open(Acceptor& acceptor, const boost::asio::ip::address& address, int port) {
  const tcp::endpoint at(address, static_cast<unsigned short>(port));
  error_code error;
  acceptor.open(at.protocol(), error);
  if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(at, error);
  if (!error) acceptor.listen(Acceptor::max_listen_connections, error);
  port_is_taken_ = error == boost::asio::error::address_in_use;
  if (!error) return Done{};
  return Error{fmt::format("cannot listen for events at {}, port {}: {}", address.to_string(), port,
                           error.message())};
}

int EventPort::port() const {
  error_code error;
  const auto at = entrances_.front().local_endpoint(error);
  return error ? 0 : at.port();
}

void EventPort::accept(Acceptor& entrance) {
  const auto said = while_open([this](std::string_view text) {
    if (same_checksum(text, word_))
      rung_();
    else if (is_event_(text))
      rings_.ask();
  });
  entrance.async_accept(while_open([this, &entrance, said](error_code error, tcp::socket socket) {
    if (error == boost::asio::error::operation_aborted) return;
    if (error) return accept_again(io_, while_open([this, &entrance] { accept(entrance); }));
    adopt(std::make_shared<Visit>(std::move(socket), said));
    accept(entrance);
  }));
}

// If there are too many connections, the oldest silent one is closed.
void EventPort::adopt(const std::shared_ptr<Visit>& visit) {
  std::erase_if(open_, [](const auto& other) { return other.expired(); });
  if (open_.size() >= kMostOpen) {
    if (const auto oldest = open_.front().lock()) oldest->close();
    open_.pop_front();
  }
  open_.push_back(visit);
  visit->begin();
}

}  // namespace maui
