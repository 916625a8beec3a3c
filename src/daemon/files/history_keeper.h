// Records the history while the scheduler runs: writes why jobs waited, the reservations, and the
// load of the machine to text files, and updates the database from these and from the statistics
// files (docs/decisions/history.md).
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "daemon/files/statistics_file.h"
#include "engine/engine.h"
#include "history/history_index.h"
#include "history/wait_history.h"

namespace maui {

class HistoryKeeper {
 public:
  using Log = std::function<void(const std::string&)>;

  /// `directory`: STATDIR.  `log` writes a line to the log.  In TEST mode, it only remembers why
  /// the jobs that are there wait, and keeps no files.
  HistoryKeeper(const std::string& directory, ServerMode mode, Log log);

  void begin();
  /// Continues in another directory, with the lines that could not be written yet, and begins.
  void move_to(const std::string& directory);
  /// Returns nullptr if there are no files to read.
  std::shared_ptr<history::HistoryReader> reader() const;

  void job_ended(const Cluster& cluster, JobId job, int exit_code);
  /// Forgets a job whose end was written by an earlier scheduler.
  void forget(const Job& job);
  void iteration_ended(const Engine& engine);
  /// Returns the reasons why a job that still waits has waited so far.
  std::vector<history::Wait> waits_of(const Job& job, Time now) const;
  /// Calls `f` with each wait so far, for the checkpoint; restore() takes them from a checkpoint.
  void for_each_waited(const Cluster& cluster, Time now,
                       const std::function<void(const Job& job, std::string_view why)>& f) const;
  void restore(const std::vector<Checkpoint::Waited>& waited);

  /// Writes the collected lines.  Must be called before the records of jobs are written: the exit
  /// code cannot be added to a record later.
  void write();
  /// Protects the written lines from a loss of power, if that is possible.
  void sync();
  /// Updates the database from the lines written so far, also those in `records`.
  void follow(StatisticsFile& records);
  /// Updates the database from the files for a while.  Returns true if there is more to do.
  bool go_on(std::chrono::steady_clock::duration enough, Time oldest);
  /// Writes the last lines, including the use of the current minute.
  void end(Time now);

 private:
  struct Standing {
    history::PastReservation past;
    std::int64_t seen = 0;  // the last iteration in which it existed
  };
  /// The end of a job, by its name, submission and end.
  using End = std::tuple<std::string, Time, Time>;

  void add(const history::Event& event, Time when);
  bool is_written(const history::JobEnding& ending);
  void look_at_reservations(const Cluster& cluster, Time now);
  void account_use(const Cluster& cluster, Time now);
  void account_until(Time now);

  Log log_;
  bool keeps_files_;
  StatisticsFile events_;
  std::optional<history::HistoryIndex> index_;  // has a value if files are kept
  WaitHistory waits_;
  std::optional<std::set<End>> written_;  // by an earlier scheduler, lately; nullopt: not read yet
  std::map<std::uint64_t, Standing> reservations_;    // by serial
  std::optional<std::uint64_t> reservation_changes_;  // the value at the last look
  std::int64_t iterations_ = 0;
  std::optional<Time> accounted_;  // use is accounted until this time
  history::MinuteOfUse rate_;      // of a second, as of the last iteration
  history::MinuteOfUse minute_;    // the current minute
  bool failing_ = false;           // the text files cannot be written
};

}  // namespace maui
