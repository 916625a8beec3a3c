// Notifies those whose answer over HTTP is a stream that something has changed, as browsers take it
// (Server-Sent Events): soon, but not more often than once in an interval, however much happens.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "daemon/clients/client_connection.h"
#include "daemon/clients/http_server.h"
#include "http/response.h"

namespace maui {

struct EventStreamOptions {
  std::chrono::milliseconds interval{1000};    // between two events
  std::chrono::milliseconds heartbeat{15000};  // between signs of life, where nothing happens
  std::size_t most = 100, most_of_one = 10;    // streams, of all and of a user
};

class EventStream {
 public:
  /// How things stand now, as JSON.
  using State = std::function<std::string()>;

  /// `server` outlives it.
  EventStream(boost::asio::io_context& io, HttpServer& server, State state,
              EventStreamOptions options = {});

  /// A stream that begins with how things stand, or an error where there are enough of them.
  HttpResponse begin(const Caller& caller);
  /// Something has changed.
  void changed();

 private:
  void send_change();
  void show_life();

  HttpServer& server_;
  State state_;
  EventStreamOptions options_;
  boost::asio::steady_timer next_, heartbeat_;
  /// The last time; before the first, long ago, however short the machine has been up.
  std::chrono::steady_clock::time_point sent_ = std::chrono::steady_clock::time_point::min();
  bool due_ = false;    // next_ has been set
  bool alive_ = false;  // heartbeat_ has been set
};

}  // namespace maui
