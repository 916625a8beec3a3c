// Network messages that were accepted, on disk, so that none is accepted again after a restart.
//
// The file has the times at which servers began to listen, and one line per message, appended when
// the message is accepted, without waiting for the disk: lines survive the end of the process;
// after sync(), also a loss of power.  If a line cannot be written, the file is removed until all
// lines can be.
//
// The file does not let in what was signed before the server listened, or before an earlier one
// did: such a message may have gone to a stranger who listened in the server's place.  The file is
// for clocks that are set back, and for messages of clients whose clocks are ahead.
//
// Nor is anything let in again because the clock was set back behind these times: a stranger, or a
// scheduler whose list is lost, may have received messages of clients whose clocks were ahead as
// well, and these cannot be told from new ones.  Only a new secret makes them void.
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
  /// Works without a file until open(); refuses messages signed before `started`.
  SeenMessages(Seconds window, std::int64_t started) : guard_(window, started) {}

  /// Continues with the file at `path`, if there is one and it is understood.
  Status open(const std::string& path);
  /// Accepts or refuses a message, as ReplayGuard::admit().
  Status admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now);
  /// Returns until when and why every message is refused, and the remedy, if the clock was set back
  /// behind the time from which messages count; else an empty text.
  std::string set_back(std::int64_t now) const;
  /// Refuses messages signed before that time, whatever the file says; so will later schedulers as
  /// soon as it is not in the future.
  void begin_at(std::int64_t begin);
  void set_window(Seconds window) { guard_.set_window(window); }
  Status sync() { return file_.sync(); }

 private:
  void read();
  Status rewrite();
  Status drop(std::int64_t now);

  ReplayGuard guard_;
  std::string path_;
  LineFile file_;               // not open: it was removed
  std::int64_t try_again_ = 0;  // when to write it anew, if it was removed
  std::size_t lines_ = 0;       // in the file, including expired ones
};

}  // namespace maui
