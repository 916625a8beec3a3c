// The port at which resource managers report that something has happened (EPORT).
//
// A resource manager connects, sends a number (followed by a NUL, or framed as its protocol does),
// and closes.  The scheduler polls whatever the number is, so any client may ring.  If all resource
// managers are on this host, the port listens at the host's own addresses only.  Rings are
// limited to a short burst and then one a second; a client that sends the port's secret word is
// not limited.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "net/rate_limited_call.h"

namespace maui {

class EventPort {
 public:
  /// Returns true if the bytes that a client sent are an event.
  using IsEvent = bool (*)(std::string_view said);
  /// Returns true for a number in digits, as WIKI servers send it.
  static bool has_digit(std::string_view said);
  EventPort(boost::asio::io_context& io, std::function<void()> rung, IsEvent is_event = has_digit);
  /// Closes the connections of those who have not rung yet.
  ~EventPort();
  EventPort(const EventPort&) = delete;
  EventPort& operator=(const EventPort&) = delete;
  /// Listens for resource managers on `hosts` (comma-separated; empty: this host).  Port 0 means
  /// any free port.  Fails if the port cannot be opened.
  Status listen(const std::string& hosts, int port);
  int port() const;
  /// True if the port could not be opened because another program uses it.
  bool port_is_taken() const { return port_is_taken_; }
  /// The secret word of this port, given to the scheduler's own helpers.
  const std::string& word() const { return word_; }

 private:
  class Visit;
  using Acceptor = boost::asio::ip::tcp::acceptor;
  Status open(Acceptor& acceptor, const boost::asio::ip::address& address, int port);
  void accept(Acceptor& entrance);
  void adopt(const std::shared_ptr<Visit>& visit);
  /// Returns `handler`, which does nothing once this port is gone.
  template <class Handler>
  auto while_open(Handler handler);

  const std::string word_;
  boost::asio::io_context& io_;
  std::deque<Acceptor> entrances_;  // one for each address
  std::function<void()> rung_;
  IsEvent is_event_;
  RateLimitedCall rings_;  // without the word
  bool port_is_taken_ = false;
  std::deque<std::weak_ptr<Visit>> open_;  // oldest first; each keeps itself alive
  std::shared_ptr<const bool> here_ = std::make_shared<bool>(true);
};

}  // namespace maui
