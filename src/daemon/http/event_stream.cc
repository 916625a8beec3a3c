#include "daemon/http/event_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace maui {
namespace {

std::string event(std::string_view name, const std::string& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

}  // namespace

EventStream::EventStream(boost::asio::io_context& io, HttpServer& server, State state, Shown shown,
                         EventStreamOptions options)
    : server_(server),
      state_(std::move(state)),
      shown_(std::move(shown)),
      options_(options),
      next_(io),
      heartbeat_(io) {}

HttpResponse EventStream::begin(const Caller& caller) {
  // A host may have any number of IPv6 addresses.
  const std::string whose = caller.user.empty() ? caller.party : caller.user + "@" + caller.host;
  if (server_.streams() >= options_.most || server_.streams_of(whose) >= options_.most_of_one)
    return error_response(
        429, fmt::format("too many event streams: expected at most {}, {} per user; poll "
                         "instead",
                         options_.most, options_.most_of_one));
  if (server_.streams() == 0) last_shown_ = shown_();
  if (!std::exchange(alive_, true)) show_life();
  return {200, "text/event-stream", event("state", state_()), whose};
}

void EventStream::changed() {
  if (due_) return;
  due_ = true;
  next_.expires_at(std::max(std::chrono::steady_clock::now(), sent_ + options_.interval));
  next_.async_wait([this](boost::system::error_code error) {
    if (!error) send_change();
  });
}

void EventStream::look() {
  if (server_.streams() == 0) return;
  auto now = shown_();
  if (now == last_shown_) return;
  last_shown_ = std::move(now);
  changed();
}

void EventStream::send_change() {
  due_ = false;
  sent_ = std::chrono::steady_clock::now();
  server_.send_to_streams(event("change", state_()));
}

/// Sends a comment at each interval while there are streams.
void EventStream::show_life() {
  heartbeat_.expires_after(options_.heartbeat);
  heartbeat_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    alive_ = server_.streams() > 0;
    if (!alive_) return;
    server_.show_life_in_streams(": still there\n\n");
    show_life();
  });
}

}  // namespace maui
