// Old messages do not count again: those outside the time window, and those seen within it.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// Only authentic messages may be shown to it: it remembers each until its window is over.  What is
/// older than all that it can remember - the server's start, and what it forgot - is refused.
class ReplayGuard {
 public:
  static constexpr std::size_t kMost = 1'000'000;

  /// It remembers `most` messages; if there are more, it forgets the oldest second of them.
  ReplayGuard(Seconds window, std::int64_t started, std::size_t most = kMost)
      : window_(window), floor_(started), most_(most) {}

  void set_window(Seconds window) { window_ = window; }
  /// Times are epoch seconds of the machine's clock, not of a simulation's.
  Status admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  std::size_t remembered() const { return count_; }

 private:
  void forget_oldest();

  Seconds window_;
  std::int64_t floor_;
  std::size_t most_, count_ = 0;
  std::map<std::int64_t, std::vector<std::size_t>> seen_;  // by second, their hashes in order
};

}  // namespace maui
