// A timer for each resource manager, by its name.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace maui {

class NamedTimers {
 public:
  explicit NamedTimers(boost::asio::io_context& io) : io_(io) {}
  boost::asio::steady_timer& of(const std::string& name) {
    return timers_.try_emplace(name, io_).first->second;
  }
  /// Calls `due` after the time, unless the timer of that name is set anew before.
  void call_after(const std::string& name, std::chrono::seconds time, std::function<void()> due) {
    auto& timer = of(name);
    timer.expires_after(time);
    timer.async_wait([due = std::move(due)](boost::system::error_code error) {
      if (!error) due();
    });
  }

 private:
  boost::asio::io_context& io_;
  std::map<std::string, boost::asio::steady_timer> timers_;
};

}  // namespace maui
