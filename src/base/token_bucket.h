// A rate limit: allows some events at once, and then one per interval.
#pragma once
#include <algorithm>
#include <chrono>

namespace maui {

class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts with `most` tokens; each token taken is returned after another `again`.
  TokenBucket(int most, std::chrono::seconds again) : most_(most), again_(again) {}

  /// True if a token is left.
  bool any(Clock::time_point now) const { return next() <= now; }
  /// True if no token is missing.
  bool full(Clock::time_point now) const { return full_from_ <= now; }
  /// Takes a token.  Requires that one is left.
  void take(Clock::time_point now) { full_from_ = std::max(full_from_, now) + again_; }
  /// Returns when the next token is available; a past time if one is available now.
  Clock::time_point next() const { return full_from_ - (most_ - 1) * again_; }

 private:
  int most_;
  std::chrono::seconds again_;
  Clock::time_point full_from_{};
};

}  // namespace maui
