// A limit on how often something happens: some times at once, then once in a while.
#pragma once
#include <algorithm>
#include <chrono>

namespace maui {

class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  /// `most` tokens at first; each one taken is back after another `again`.
  TokenBucket(int most, std::chrono::seconds again) : most_(most), again_(again) {}

  /// True if a token is left.
  bool any(Clock::time_point now) const { return next() <= now; }
  /// True if all tokens are there.
  bool full(Clock::time_point now) const { return full_from_ <= now; }
  /// Takes a token.  Requires that one is left.
  void take(Clock::time_point now) { full_from_ = std::max(full_from_, now) + again_; }
  /// When a token is left the next time; in the past where one is.
  Clock::time_point next() const { return full_from_ - (most_ - 1) * again_; }

 private:
  int most_;
  std::chrono::seconds again_;
  Clock::time_point full_from_{};
};

}  // namespace maui
