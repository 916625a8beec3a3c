#include "daemon/files/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "daemon/files/recorded_jobs.h"
#include "daemon/files/safe_file.h"
#include "sim/workload_trace.h"

namespace maui {

void Records::take_over(const std::string& directory, Time now) {
  for (const char* kind : {"stats", "history"}) {
    const StatisticsFile today(directory, mode_, {}, kind);
    if (auto status = replace_by_copy(today.path(now)); !status)
      log_(0, "fSTAT", "ALERT: " + status.error().what);
  }
}

void Records::open(const std::string& directory, Time now) {
  fairshare_ = std::make_unique<FairshareFiles>(directory);
  if (!only_looks()) open_statistics(directory, now);
  if (simulated()) return;
  if (history_ != nullptr) return history_->move_to(directory);
  const auto warn = [this](const std::string& line) { log_(1, "fSTAT", "WARNING: " + line); };
  history_ = std::make_unique<HistoryKeeper>(directory, mode_, warn);
  history_->begin();
}

void Records::open_statistics(const std::string& directory, Time now) {
  if (statistics_ == nullptr)
    statistics_ = std::make_unique<StatisticsFile>(directory, mode_, workload_trace_header());
  else if (const auto synced = statistics_->move_to(directory); !synced)
    log_(0, "fSTAT", "ALERT: " + synced.error().what);
  if (auto status = statistics_->prepare(now); !status)
    log_(0, "fSTAT", "ALERT: " + status.error().what);
}

Status Records::can_move_to(const std::string& directory, Time now) const {
  if (only_looks()) return Done{};
  auto can = StatisticsFile(directory, mode_, workload_trace_header()).prepare(now);
  if (can && !simulated()) can = StatisticsFile(directory, mode_, {}, "history").prepare(now);
  return can;
}

FairshareHistory Records::read_fairshare(const FairshareSettings& settings, Time now,
                                         ClusterNames& names) {
  std::vector<std::string> problems;
  auto known = fairshare_->read(settings, now, simulated(), names, problems);
  for (const auto& problem : problems) log_(0, "fFS", "WARNING: " + problem);
  log_(1, "fFS", counted(known.windows.size(), "fairshare window") + " read");
  return known;
}

void Records::fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                                const FairshareWindow& window, bool over) {
  fairshare_unsaved_ = true;
  if (!over && simulated()) return;
  if (write_window(cluster, window, history.complete_until)) write_failed_windows(cluster, history);
}

void Records::report(LastingFailure& failure, std::string_view facility, const Status& outcome) {
  const auto line = failure.note(outcome);
  if (!line) return;
  log_(0, facility, *line);
  if (!outcome) failing_(outcome.error().what);
}

/// Returns false if the file could not be written.
bool Records::write_window(const Cluster& cluster, const FairshareWindow& window, Time until) {
  if (only_looks()) return true;
  const auto durability = simulated() ? Durability::crash : Durability::power_loss;
  const auto written = fairshare_->write(cluster, window, until, durability);
  report(fairshare_failure_, "fFS", written);
  fairshare_unsaved_ = false;
  if (written)
    failed_windows_.erase(window.start);
  else
    failed_windows_.insert(window.start);
  return written.has_value();
}

void Records::write_failed_windows(const Cluster& cluster, const FairshareHistory& history) {
  if (failed_windows_.empty()) return;
  const auto failed = std::exchange(failed_windows_, {});  // without those that no longer count
  bool works = true;
  for (const FairshareWindow& window : history.windows) {
    if (!failed.contains(window.start)) continue;
    works = works && write_window(cluster, window, history.complete_until);
    if (!works) failed_windows_.insert(window.start);
  }
}

void Records::write_fairshare(const Engine& engine, std::size_t most) {
  const auto& history = engine.fairshare();
  bool works = true;
  for (std::size_t i = 0; i < std::min(most, history.windows.size()); ++i)
    works = write_window(engine.cluster(), history.windows[i], history.complete_until) && works;
  if (works) write_failed_windows(engine.cluster(), history);
}

std::vector<Time> Records::unwritten_fairshare() const {
  return {failed_windows_.begin(), failed_windows_.end()};
}

void Records::add_recorded(Checkpoint& checkpoint, Time now) {
  const Time since = std::min(checkpoint.when, now) - kLateRecords;
  read_recorded(statistics_->paths_since(since), since, checkpoint);
}

void Records::job_has_record(const Job& job) {
  if (history_ != nullptr) history_->forget(job);
}

bool Records::job_ended(const Cluster& cluster, JobId job, const std::string& record,
                        int exit_code) {
  const Job& ended = cluster.job(job);
  if (only_looks()) {
    job_has_record(ended);
    return false;
  }
  if (history_ != nullptr) {
    history_->job_ended(cluster, job, exit_code);
    if (statistics_->writes_with(record, ended.ended)) history_->write();
  }
  // Success may mean only that the record will be written later.
  if (const auto status = statistics_->add(record, ended.ended); !status)
    report(statistics_failure_, "fSTAT", status);
  return true;
}

std::map<std::string, std::uint64_t> Records::lengths(Time when) {
  return statistics_->lengths_since(when - kLateRecords);
}

Status Records::save(const Engine& engine) {
  if (fairshare_unsaved_ && !engine.fairshare().windows.empty()) write_fairshare(engine, 1);
  return write();
}

Status Records::write() {
  Status saved = Done{};
  if (history_ != nullptr) history_->write();
  if (statistics_ != nullptr) saved = statistics_->flush();
  report(statistics_failure_, "fSTAT", saved);
  if (history_ != nullptr && statistics_ != nullptr) history_->follow(*statistics_);
  return saved;
}

Status Records::sync() {
  if (history_ != nullptr) history_->sync();  // first: a job with a record is not told of again
  return statistics_->sync();
}

}  // namespace maui
