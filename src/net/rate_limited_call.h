// A call that may be asked for at any rate, and happens at a limited one.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "base/token_bucket.h"

namespace maui {

class RateLimitedCall {
 public:
  RateLimitedCall(boost::asio::io_context& io, TokenBucket allowed, std::function<void()> call)
      : next_(io), allowed_(allowed), call_(std::move(call)) {}

  /// Calls at once if the rate allows it, and otherwise as soon as it does.  What is asked for
  /// until then is one call.
  void ask() {
    if (waiting_) return;
    const auto now = TokenBucket::Clock::now();
    if (allowed_.any(now)) {
      allowed_.take(now);
      return call_();
    }
    waiting_ = true;
    next_.expires_at(allowed_.next());
    next_.async_wait([this, here = std::weak_ptr(here_)](boost::system::error_code error) {
      if (error || here.expired()) return;  // its owner may have gone meanwhile
      waiting_ = false;
      ask();
    });
  }

 private:
  boost::asio::steady_timer next_;
  TokenBucket allowed_;
  std::function<void()> call_;
  bool waiting_ = false;
  std::shared_ptr<const bool> here_ = std::make_shared<bool>(true);
};

}  // namespace maui
