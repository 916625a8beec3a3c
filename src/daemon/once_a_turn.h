// What is done once for all who asked for it in one turn of the loop.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <utility>

namespace maui {

class OnceATurn {
 public:
  OnceATurn(boost::asio::io_context& io, std::function<void()> action)
      : io_(io), action_(std::move(action)) {}

  /// The action follows what is ready to run now.
  void ask() {
    if (std::exchange(asked_, true)) return;
    boost::asio::post(io_, [this] {
      asked_ = false;
      action_();
    });
  }
  bool asked() const { return asked_; }

 private:
  boost::asio::io_context& io_;
  std::function<void()> action_;
  bool asked_ = false;
};

}  // namespace maui
