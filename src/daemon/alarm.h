// Makes the loop go on at a moment.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>

namespace maui {

class Alarm {
 public:
  explicit Alarm(boost::asio::io_context& io) : timer_(io) {}

  /// The loop goes on at `when`, and not at what was set before.  Set for the same moment again it
  /// does nothing: whoever waits for the loop must not wake it by that.
  void set(std::chrono::steady_clock::time_point when) {
    if (when_ == when) return;
    when_ = when;
    timer_.expires_at(when);
    timer_.async_wait([this](boost::system::error_code error) {
      if (!error) when_.reset();
    });
  }

 private:
  boost::asio::steady_timer timer_;
  std::optional<std::chrono::steady_clock::time_point> when_;  // not yet over
};

}  // namespace maui
