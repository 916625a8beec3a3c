// A timer that resumes the event loop at a given time.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>

namespace maui {

class Alarm {
 public:
  explicit Alarm(boost::asio::io_context& io) : timer_(io) {}

  /// Resumes the loop at `when` and replaces the time that was set before.  Does nothing if `when`
  /// is already set: resetting the timer would itself wake a caller that waits for the loop.
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
  std::optional<std::chrono::steady_clock::time_point> when_;  // not reached yet
};

}  // namespace maui
