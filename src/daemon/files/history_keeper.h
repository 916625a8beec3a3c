// Keeps the history while the scheduler runs: writes why jobs waited, which reservations there were
// and how busy the machine was into text files, and has the database follow these and the
// statistics files (docs/decisions/history.md).
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/files/statistics_file.h"
#include "engine/engine.h"
#include "history/history_index.h"
#include "history/wait_history.h"

namespace maui {

class HistoryKeeper {
 public:
  using Log = std::function<void(const std::string&)>;

  /// `directory`: STATDIR.  `log` writes a line of the log.
  HistoryKeeper(const std::string& directory, ServerMode mode, Log log);

  void begin() { index_.begin(); }
  const std::shared_ptr<history::HistoryReader>& reader() const { return index_.reader(); }

  void job_ended(const Cluster& cluster, JobId job, int exit_code);
  void iteration_ended(const Engine& engine);
  /// Why a waiting job has waited so far.
  std::vector<history::Wait> waits_of(const Job& job, Time now) const;
  /// Why jobs have waited so far, for the checkpoint, and from one.
  std::vector<Checkpoint::Waited> waited(const Cluster& cluster, Time now) const;
  void restore(const std::vector<Checkpoint::Waited>& waited);

  /// Writes what has gathered.  To be called before the records are written: a record that is there
  /// without its exit code stays so.
  void write();
  /// Has the database follow what was written, into `records` too.
  void follow(StatisticsFile& records);
  /// Brings the database up to the files for a while.  True: there is more to be done.
  bool go_on(std::chrono::steady_clock::duration enough, Time oldest);
  /// Writes for the last time, what is left of the present minute too.
  void end(Time now);

 private:
  struct Standing {
    history::PastReservation past;
    std::int64_t seen = 0;  // the last iteration that knew it
  };
  void add(const history::Event& event, Time when);
  void look_at_reservations(const Cluster& cluster, Time now);
  void account_use(const Cluster& cluster, Time now);
  void account_until(Time now);

  Log log_;
  StatisticsFile events_;
  history::HistoryIndex index_;
  WaitHistory waits_;
  std::map<std::uint64_t, Standing> reservations_;    // by serial
  std::optional<std::uint64_t> reservation_changes_;  // Cluster::reservation_changes() then
  std::int64_t iterations_ = 0;
  std::optional<Time> accounted_;  // use, until then
  history::MinuteOfUse rate_;      // a second of it, as of the last iteration
  history::MinuteOfUse minute_;    // the present one
  bool failing_ = false;           // the text files cannot be written
};

}  // namespace maui
