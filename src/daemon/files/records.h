// The files in STATDIR: the records of ended jobs, the history and fairshare (guide 6.3.2, 9.2.2).
// SERVERMODE TEST reads them and writes none: another scheduler may run these jobs and account them
// there (guide 2.3).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/files/fairshare_files.h"
#include "daemon/files/history_keeper.h"
#include "daemon/files/statistics_file.h"
#include "daemon/logging/lasting_failure.h"
#include "engine/engine.h"
#include "maui/cluster_names.h"

namespace maui {

class Records {
 public:
  using Log = std::function<void(int level, std::string_view facility, std::string_view text)>;

  /// Receives why files cannot be written, whenever that is news.
  using Failing = std::function<void(const std::string& why)>;

  /// There is no history in a simulation and in TEST mode.
  Records(ServerMode mode, Log log, Failing failing)
      : mode_(mode), log_(std::move(log)), failing_(std::move(failing)) {}

  /// Replaces today's files by copies with new inodes, so that a late write by a scheduler that has
  /// lost the lease, through a file it still has open, reaches neither of them.
  void take_over(const std::string& directory, Time now);
  /// Opens the files in `directory`, or continues there.  Must be called before all that follows.
  void open(const std::string& directory, Time now);
  /// Succeeds if today's files can be opened in another directory, where they are made.
  Status can_move_to(const std::string& directory, Time now) const;

  FairshareHistory read_fairshare(const FairshareSettings& settings, Time now, ClusterNames& names);
  /// A simulation is repeated, not continued: its current window is written by save().
  void fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                         const FairshareWindow& window, bool over);
  /// Writes the newest windows, at most `most`.
  void write_fairshare(const Engine& engine, std::size_t most);
  /// Returns the starts of the windows whose files could not be written.
  std::vector<Time> unwritten_fairshare() const;

  /// Adds to a checkpoint that was read the runs that have a record.
  void add_recorded(Checkpoint& checkpoint, Time now);
  /// Notes that a job has ended that has its record.
  void job_has_record(const Job& job);
  /// Records a job that has ended.  Returns false if another scheduler does so because this one
  /// only looks (TEST mode).
  bool job_ended(const Cluster& cluster, JobId job, const std::string& record, int exit_code);
  /// Returns how long the files are that may have records of runs which ended late before `when`.
  std::map<std::string, std::uint64_t> lengths(Time when);

  /// Writes the records of jobs, and what the history has of them, as far as that has not been
  /// done.
  Status write();
  /// Writes what has not been written yet.  Returns an error if that is a record of a job.
  Status save(const Engine& engine);
  /// Protects what was written from a loss of power.
  Status sync();

  HistoryKeeper* history() { return history_.get(); }
  const HistoryKeeper* history() const { return history_.get(); }

 private:
  bool simulated() const { return mode_ == ServerMode::simulation; }
  bool only_looks() const { return mode_ == ServerMode::test; }
  void open_statistics(const std::string& directory, Time now);
  /// Reports an outcome that differs from the last one.
  void report(LastingFailure& failure, std::string_view facility, const Status& outcome);
  bool write_window(const Cluster& cluster, const FairshareWindow& window, Time until);
  /// Writes the windows whose files could not be written, once others can.
  void write_failed_windows(const Cluster& cluster, const FairshareHistory& history);

  ServerMode mode_;
  Log log_;
  Failing failing_;
  std::unique_ptr<StatisticsFile> statistics_;  // nullptr in TEST mode
  LastingFailure statistics_failure_{"the statistics files are written again"};
  std::unique_ptr<HistoryKeeper> history_;  // nullptr in a simulation
  std::unique_ptr<FairshareFiles> fairshare_;
  LastingFailure fairshare_failure_{"the fairshare files are written again"};
  bool fairshare_unsaved_ = false;  // the current window has changed
  std::set<Time> failed_windows_;   // their files could not be written; by start
};

}  // namespace maui
