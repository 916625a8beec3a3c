// Old messages do not count again: those outside the time window, and those seen within it.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// Only authentic messages may be shown to it: it remembers each for a day or longer, since clocks
/// may be set back.  What is older than all that it can remember is refused: what it forgot, and
/// what came before its memory begins.
class ReplayGuard {
 public:
  static constexpr std::size_t kMost = 1'000'000;

  /// It remembers `most` messages; if there are more, it forgets the oldest second of them.
  ReplayGuard(Seconds window, std::int64_t begin, std::size_t most = kMost)
      : window_(window), floor_(begin), most_(most) {}

  void set_window(Seconds window) { window_ = window; }
  /// Takes over from another server, which forgot all that is older than `floor`.
  void resume(std::int64_t floor) { floor_ = floor; }
  void restore(std::int64_t timestamp, std::uint64_t digest);
  /// The digest of a message that is remembered beside its time.
  static std::uint64_t digest(std::string_view checksum);
  std::int64_t floor() const { return floor_; }
  const std::map<std::int64_t, std::vector<std::uint64_t>>& seen() const { return seen_; }
  /// Times are epoch seconds of the machine's clock, not of a simulation's.
  Status admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  std::size_t size() const { return count_; }

 private:
  bool add(std::int64_t timestamp, std::uint64_t digest);
  void forget_oldest();

  Seconds window_;
  std::int64_t floor_;
  std::size_t most_, count_ = 0;
  std::map<std::int64_t, std::vector<std::uint64_t>> seen_;  // by second, in order
};

}  // namespace maui
