// Tells new messages from repeated ones, by their times and a record of those seen.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "maui/units.h"

namespace maui {

/// The verdict of a guard on a message.
struct Freshness {
  enum class Verdict { accepted, refused, unknown };  // unknown: whether it is a repeated one
  Verdict verdict = Verdict::accepted;
  std::string why = {};  // unless it is accepted
  bool stored = false;   // it is, and was not before

  explicit operator bool() const { return verdict == Verdict::accepted; }
};

/// Must be given authentic messages only, since each is stored for a day or longer because clocks
/// may be set back.  Refuses messages outside the time window, which it stores as well, lest they
/// count when their time has come, and those stored.  Cannot tell whether a message is new that is
/// older than the floor: it may be among those already dropped, or may have been signed before the
/// server listened, when a stranger in its place could keep it.
class ReplayGuard {
 public:
  static constexpr std::size_t kMost = 1'000'000;

  /// Stores at most `most` messages; beyond that, drops those of the oldest second.
  ReplayGuard(Seconds window, std::int64_t floor, std::size_t most = kMost)
      : window_(window), floor_(floor), most_(most) {}

  void set_window(Seconds window) { window_ = window; }
  /// Has a floor at that time, or keeps its own if that is later.
  void begin_at(std::int64_t floor);
  using Digests = std::vector<std::uint64_t>;
  /// Stores messages that an earlier guard stored; their digests may be in any order.
  void restore(const std::map<std::int64_t, Digests>& messages);
  /// Returns the digest of a message that is stored under its time.
  static std::uint64_t digest(std::string_view checksum);
  std::int64_t floor() const { return floor_; }
  const std::map<std::int64_t, Digests>& seen() const { return seen_; }
  /// Returns a time before which all judged messages were signed.
  std::int64_t end() const;
  /// Judges a message, and stores it unless it is older than the floor.  Times are epoch seconds of
  /// the real clock, not simulated time.
  Freshness admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  std::size_t size() const { return count_; }

 private:
  bool add(std::int64_t timestamp, std::uint64_t digest);
  void forget_oldest();

  Seconds window_;
  std::int64_t floor_;  // all judged messages of this time and later are stored
  std::size_t most_, count_ = 0;
  std::map<std::int64_t, Digests> seen_;  // by time in seconds, digests sorted
};

}  // namespace maui
