// Keeps the database of the history up to its text files: what has been added to them is read from
// where reading ended, some milliseconds at a time, and what is read and how far are written in one
// transaction.
//
// Nothing is lost with the database, and it does not matter where the process ended: it is
// always as if the files had been read up to a certain line.  A database that cannot be used is set
// aside and made anew; where that fails, too, the history is left out until it can be tried again.
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
  /// Hears what the log is to say, each thing once.
  using Log = std::function<void(const std::string&)>;

  HistoryIndex(std::string directory, Log log);
  ~HistoryIndex();
  HistoryIndex(const HistoryIndex&) = delete;
  HistoryIndex& operator=(const HistoryIndex&) = delete;

  /// Opens the database and looks which files of the directory have more than was read.
  void begin();
  /// Something was added to that file of the directory.  Events are read before records, so that a
  /// job is never known without its exit code.
  void note(const std::string& path);
  /// Reads on until `enough` has passed; true: there is more to be read.  Forgets what ended before
  /// `oldest`, too.
  bool go_on(Clock::duration enough, Time oldest);
  /// Nothing is left to be read.
  bool done() const { return database_.has_value() && unread_.empty(); }
  /// Why the history is left out; empty: it is not.
  const std::string& trouble() const { return trouble_; }
  /// Those who ask questions read through it: what they find damaged is made anew.
  const std::shared_ptr<HistoryReader>& reader() const { return reader_; }

 private:
  struct Writer;
  Status open();
  Status open_anew();
  Status list_files();
  Result<std::int64_t> read_to(const std::string& name);
  Status read_some(Clock::time_point end);
  /// True if all of the file has been read.
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
  std::deque<std::string> unread_;  // names of files that may have more
  std::int64_t written_ = 0;        // bytes read since the last checkpoint of the database
  Time oldest_{0};                  // what ended before is not kept
  std::string trouble_;
  Clock::time_point retry_;
  Clock::time_point forget_due_;
  Clock::time_point look_due_;
};

}  // namespace maui::history
