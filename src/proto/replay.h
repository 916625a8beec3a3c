// Old messages do not count again: those outside the time window, and those seen within it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// Only authentic messages may be shown to it: it remembers each until its window is over.  What is
/// older than all that it can remember - the server's start, and what it forgot - is refused.
class ReplayGuard {
 public:
  ReplayGuard(Seconds window, std::int64_t started) : window_(window), floor_(started) {}

  void set_window(Seconds window) { window_ = window; }
  /// Times are epoch seconds of the machine's clock, not of a simulation's.
  Status admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  std::size_t remembered() const { return seen_.size(); }

 private:
  void forget_before(std::int64_t oldest);

  Seconds window_;
  std::int64_t floor_;
  std::unordered_set<std::string> seen_;
  std::multimap<std::int64_t, std::string> by_time_;
};

}  // namespace maui
