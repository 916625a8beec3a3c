// Refuses replayed messages: those outside the time window, and those already seen within it.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// Must be given authentic messages only, since each is stored for a day or longer because clocks
/// may be set back.  Refuses messages older than the oldest storable time, which may be among those
/// already dropped, and messages signed before the guard began, or an earlier one did: whoever
/// listened in the server's place may have kept them.  An earlier guard may have begun while the
/// clock was ahead: a beginning in the future counts when its time has come, except this guard's,
/// which counts at once.
class ReplayGuard {
 public:
  static constexpr std::size_t kMost = 1'000'000;
  static constexpr std::size_t kMostBegins = 1000;

  /// Stores at most `most` messages; beyond that, drops those of the oldest second.
  ReplayGuard(Seconds window, std::int64_t begin, std::size_t most = kMost)
      : window_(window), begin_(begin), begins_{begin}, floor_(begin), most_(most) {}

  void set_window(Seconds window) { window_ = window; }
  /// Refuses messages signed before that time, in addition to others.
  void begin_at(std::int64_t begin);
  /// Adds the beginning of an earlier guard; beyond kMostBegins, the first are forgotten.
  void restore_begin(std::int64_t begin);
  /// Continues for another server, which had dropped all messages older than `floor`.
  void resume(std::int64_t floor) { floor_ = floor; }
  void restore(std::int64_t timestamp, std::uint64_t digest);
  /// Returns the digest of a message that is stored under its time.
  static std::uint64_t digest(std::string_view checksum);
  std::int64_t floor() const { return floor_; }
  std::int64_t begin() const { return begin_; }
  const std::set<std::int64_t>& begins() const { return begins_; }
  Seconds window() const { return window_; }
  const std::map<std::int64_t, std::vector<std::uint64_t>>& seen() const { return seen_; }
  /// Accepts or refuses a message.  Times are epoch seconds of the real clock, not simulated time.
  Status admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  std::size_t size() const { return count_; }

 private:
  bool add(std::int64_t timestamp, std::uint64_t digest);
  void forget_oldest();

  Seconds window_;
  std::int64_t begin_;
  std::set<std::int64_t> begins_;  // of this guard and of earlier ones
  std::int64_t floor_;             // all admitted messages of this time and later are stored
  std::size_t most_, count_ = 0;
  std::map<std::int64_t, std::vector<std::uint64_t>> seen_;  // by time in seconds, digests sorted
};

}  // namespace maui
