// Notes on a resource manager's records, for the log: each once, and no more than the log can bear,
// since users can cause any number of them.
#pragma once
#include <chrono>
#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "base/token_bucket.h"

namespace maui {

class BoundedNotes {
 public:
  using Moment = TokenBucket::Clock::time_point;

  /// Adds a note, unless it is among the last that were taken.
  void add(std::string text, Moment now);
  /// Returns the notes to be logged; among them, at most once an hour, how many were left out.
  std::vector<std::string> take(Moment now);

 private:
  static constexpr int kAtOnce = 1000;
  static constexpr std::chrono::minutes kAgain{5};  // then one in that time
  static constexpr std::chrono::hours kCounted{1};

  TokenBucket left_{kAtOnce, kAgain};
  std::vector<std::string> notes_;
  std::set<std::string> known_;
  std::deque<std::set<std::string>::const_iterator> by_age_;  // of those known, oldest first
  std::size_t left_out_ = 0;
  Moment counted_{};  // when that number was said last
};

}  // namespace maui
