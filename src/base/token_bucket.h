// A rate limit: allows some events at once, and then one per interval.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace maui {

class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts with `most` tokens; each token taken is returned after another `again`.
  TokenBucket(std::int64_t most, Clock::duration again) : most_(most), again_(again) {}

  /// True if a token is left.
  bool any(Clock::time_point now) const { return next() <= now; }
  /// True if no token is missing.
  bool full(Clock::time_point now) const { return full_from_ <= now; }
  /// Takes tokens.  Requires that one is left; those that are missing are owed.
  void take(Clock::time_point now, std::int64_t tokens = 1) {
    full_from_ = std::max(full_from_, now) + tokens * again_;
  }
  /// Returns when the next token is available; a past time if one is available now.
  Clock::time_point next() const { return full_from_ - (most_ - 1) * again_; }

 private:
  std::int64_t most_;
  Clock::duration again_;
  Clock::time_point full_from_{};
};

}  // namespace maui
