// Keeps the history database up to date with its text files: lines appended to them are read from
// where reading ended, for some milliseconds at a time.  New rows and the position in the file are
// written in one transaction.
//
// Losing the database loses nothing, and the process may end at any time: the database always
// reflects the files up to some line.  An unusable database is set aside and rebuilt; if that
// fails, too, the history is unavailable until the next attempt succeeds.
#pragma once
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "history/event_line.h"
#include "history/history_reader.h"
#include "history/recorded_job.h"
#include "history/sqlite.h"

namespace maui::history {

class HistoryIndex {
 public:
  using Clock = std::chrono::steady_clock;
  /// Receives lines for the log, each message once.
  using Log = std::function<void(const std::string&)>;

  HistoryIndex(std::string directory, Log log);
  ~HistoryIndex();
  HistoryIndex(const HistoryIndex&) = delete;
  HistoryIndex& operator=(const HistoryIndex&) = delete;

  /// Opens the database and finds the files of the directory that have more than was read.
  void begin();
  /// Notes that something was appended to that file of the directory.  Events are read before
  /// records, so that no job is in the database without its exit code.
  void note(const std::string& path);
  /// Reads until `enough` has passed; returns true if there is more to be read.  Also deletes what
  /// ended before `oldest`.
  bool go_on(Clock::duration enough, Time oldest);
  /// True if nothing is left to be read.
  bool done() const { return database_.has_value() && unread_.empty(); }
  /// Returns why the history is unavailable; empty if it is available.
  const std::string& trouble() const { return trouble_; }
  /// The reader for queries; a database that a query finds damaged is rebuilt.
  const std::shared_ptr<HistoryReader>& reader() const { return reader_; }

 private:
  struct Writer;
  class Compressed;
  Status open();
  Status open_anew();
  Status list_files();
  Result<std::int64_t> read_to(const std::string& name);
  Result<std::int64_t> place_of(const std::string& name);
  Status read_some(Clock::time_point end);
  /// Returns the bytes of a compressed file from an offset of its text on.
  Result<std::string> bytes_of_compressed(const std::string& path, std::int64_t from,
                                          std::size_t most);
  /// Returns true if all of the file has been read.
  Result<bool> read_file(const std::string& name, Clock::time_point end);
  Status take_lines(const std::string& name, std::string_view lines);
  Status take_line(const std::string& name, std::string_view line);
  Status write_back();
  Status forget(Time oldest);
  bool make_anew(const std::string& why);
  void let_go_if_moved(Clock::time_point now);
  void fail(const std::string& why);

  std::shared_ptr<HistoryReader> reader_;
  Log log_;
  std::optional<sqlite::Database> database_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Compressed> compressed_;  // open while it is read
  std::deque<std::string> unread_;          // names of files that may have more
  std::int64_t written_ = 0;                // bytes read since the last checkpoint of the database
  Time oldest_{0};                          // older entries are not kept
  std::string trouble_;
  Clock::time_point retry_;
  Clock::time_point forget_due_;
  Clock::time_point look_due_;
};

}  // namespace maui::history
