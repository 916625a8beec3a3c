// Messages of the network that have counted, on disk: after a restart none of them counts again.
//
// A line a message, written as it is admitted and without waiting for the disk: the file outlives
// the process, and a loss of power what sync() has seen to.  Lines that cannot be written are kept,
// and written with the next.
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
  /// Until open() it remembers without a file, from `started` on.
  SeenMessages(Seconds window, std::int64_t started) : guard_(window, started) {}

  /// Goes on with the file at `path`; where there is none, or one that is not understood, what was
  /// signed before now is refused.
  Status open(const std::string& path);
  /// As ReplayGuard::admit().
  Status admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  void set_window(Seconds window) { guard_.set_window(window); }
  Status sync() { return file_.sync(); }

 private:
  void read();
  Status rewrite();

  ReplayGuard guard_;
  std::string path_;
  LineFile file_;
  std::string unwritten_;
  std::size_t lines_ = 0;  // in the file, some of them of what is forgotten
};

}  // namespace maui
