// Network messages that were accepted, or refused for their time, on disk, so that none is accepted
// again, or late, after a restart.
//
// The file begins with a time from which messages count, the floor, and has one line per message,
// appended when the message is judged, without waiting for the disk: lines survive the end of the
// process; after sync(), also a loss of power.  If a line cannot be written, the file is removed
// until all lines can be.
//
// A message that was signed before this server listened, or before an earlier one did, may have
// gone to a stranger who listened in the server's place: whether it is new is unknown.  So each
// start raises the floor, which never goes back, wherever the clock stands.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/line_file.h"
#include "maui/result.h"
#include "proto/replay.h"

namespace maui {

class SeenMessages {
 public:
  /// Works without a file until open(); accepts no messages signed before `started`.
  SeenMessages(Seconds window, std::int64_t started) : guard_(window, started) {}

  /// Continues with the file at `path`; returns false if it is missing or not understood.  Then
  /// messages signed before `end` may have counted before, and are not accepted.
  Result<bool> open(const std::string& path, std::int64_t end = 0);
  /// Judges a message, as ReplayGuard::admit().
  Freshness admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  /// Accepts no messages signed before that time; nor will later schedulers.
  void begin_at(std::int64_t begin);
  /// Returns a time before which all messages were signed that have counted, or that others may
  /// have kept.
  std::int64_t end() const { return guard_.end(); }
  void set_window(Seconds window) { guard_.set_window(window); }
  Status sync() { return file_.sync(); }

 private:
  bool read();
  Status rewrite();
  Status record(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  Status record_again(std::int64_t now);
  Status drop(std::int64_t now);

  ReplayGuard guard_;
  std::string path_;
  LineFile file_;               // not open: it was removed
  std::int64_t try_again_ = 0;  // when to write it anew, if it was removed
  std::size_t lines_ = 0;       // in the file, including expired ones
};

}  // namespace maui
