// Notifies clients with an HTTP event stream that something has changed (Server-Sent Events, as
// used by browsers): soon, but at most once per interval, however many changes there are.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/clients/client_connection.h"
#include "daemon/http/http_server.h"
#include "http/response.h"

namespace maui {

struct EventStreamOptions {
  std::chrono::milliseconds interval{1000};    // between two events
  std::chrono::milliseconds heartbeat{15000};  // between comments that keep an idle stream alive
  std::size_t most = 100, most_of_one = 10;    // limits on streams: in total, per user
};

class EventStream {
 public:
  /// Returns the current state as JSON.
  using State = std::function<std::string()>;
  /// Returns counts and revisions of all that clients are shown.
  using Shown = std::function<std::vector<std::uint64_t>()>;

  /// `server` must outlive the EventStream.
  EventStream(boost::asio::io_context& io, HttpServer& server, State state, Shown shown,
              EventStreamOptions options = {});

  /// Returns a stream that begins with the current state, or an error if a limit is reached.
  HttpResponse begin(const Caller& caller);
  /// Notes that something has changed.
  void changed();
  /// Notes a change if something that clients are shown differs from the last time.
  void look();

 private:
  void send_change();
  void show_life();

  HttpServer& server_;
  State state_;
  Shown shown_;
  std::vector<std::uint64_t> last_shown_;
  EventStreamOptions options_;
  boost::asio::steady_timer next_, heartbeat_;
  /// When the last event was sent; initially long ago, even if the machine has just started.
  std::chrono::steady_clock::time_point sent_ = std::chrono::steady_clock::time_point::min();
  bool due_ = false;    // next_ has been set
  bool alive_ = false;  // heartbeat_ has been set
};

}  // namespace maui
