// Where resource managers tell that something has happened (EPORT).
//
// They connect, send a number, with a NUL behind it or as one of the protocol's frames, and close.
// Whatever it is, the scheduler looks for itself; so nothing is believed, and anybody may ring.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>

#include "maui/result.h"

namespace maui {

class EventPort {
 public:
  EventPort(boost::asio::io_context& io, std::function<void()> rung);
  /// Fails if the port cannot be had.  0: any free one.
  Status listen(int port);
  int port() const;

 private:
  class Visit;
  void accept();
  void accept_later();
  void adopt(const std::shared_ptr<Visit>& visit);

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer retry_;
  std::function<void()> rung_;
  std::deque<std::weak_ptr<Visit>> open_;  // oldest first; they keep themselves
};

}  // namespace maui
