// The port at which resource managers report that something has happened (EPORT).
//
// They connect, send a number, with a NUL behind it or as one of the protocol's frames, and close.
// Whatever it is, the scheduler looks for itself; so nothing is believed, and whoever reaches the
// port may ring.  It is listened to where the resource manager is: of a manager on this host nobody
// else's.  However often it is rung, the scheduler hears of it some times at once, and then once a
// second; but whoever knows the port's own word is heard always.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/token_bucket.h"
#include "maui/result.h"

namespace maui {

class EventPort {
 public:
  /// True if what a visitor has said is the event.
  using IsEvent = bool (*)(std::string_view said);
  /// A number in digits, as WIKI servers send it.
  static bool has_digit(std::string_view said);
  EventPort(boost::asio::io_context& io, std::function<void()> rung, IsEvent is_event = has_digit);
  /// For a resource manager on one of `hosts`, with commas between them; empty: on this one.  Fails
  /// if the port cannot be had.  0: any free one.
  Status listen(const std::string& hosts, int port);
  int port() const;
  /// For the scheduler's own helpers.
  const std::string& word() const { return word_; }

 private:
  class Visit;
  using Acceptor = boost::asio::ip::tcp::acceptor;
  Status open(Acceptor& acceptor, const boost::asio::ip::address& address, int port);
  void accept(Acceptor& acceptor);
  void accept_later(Acceptor& acceptor);
  void adopt(const std::shared_ptr<Visit>& visit);
  void ring();

  const std::string word_;
  boost::asio::io_context& io_;
  std::deque<Acceptor> acceptors_;
  boost::asio::steady_timer retry_, next_ring_;
  std::function<void()> rung_;
  IsEvent is_event_;
  TokenBucket rings_{10, std::chrono::seconds(1)};
  bool will_ring_ = false;
  std::deque<std::weak_ptr<Visit>> open_;  // oldest first; they keep themselves
};

}  // namespace maui
