// A scheduler that a test can kill; its disk survives.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bank/allocation_file.h"
#include "chaos/chaos_link.h"
#include "daemon/files/fairshare_files.h"
#include "daemon/files/recorded_jobs.h"
#include "daemon/temporary_directory.h"
#include "engine/engine.h"
#include "rm/resource_managers.h"
#include "rm/wiki_resource_manager.h"
#include "sim/workload_trace.h"

namespace maui::test {

constexpr Time kBegin{1'000'000'000};

class HandClock : public Clock {
 public:
  Time now() const override { return time; }
  /// The machine runs since kBegin, by the clock that nobody sets.
  ClockReference reference() const {
    return {"boot", std::chrono::seconds((kBegin - Time(0) + set_by).raw())};
  }
  /// Sets the machine's clock.
  void set(Seconds by) {
    time = time + by;
    set_by = set_by + by;
  }
  Time time = kBegin;
  Seconds set_by{0};  // since kBegin
};

/// The files of a scheduler.  A kill loses the lines that are not flushed.
struct Disk {
  TemporaryDirectory directory;
  std::string checkpoint;
  std::vector<std::string> starts;  // since the checkpoint
  std::vector<std::string> unflushed;
  bool full = false;
  bool takes_no_checkpoint = false;

  FairshareFiles fairshare() const { return FairshareFiles(directory.path()); }
  std::string records_path() const { return directory / "stats"; }
  std::map<std::string, std::uint64_t> records_length() const {
    std::error_code missing;
    const auto length = std::filesystem::file_size(records_path(), missing);
    return {{"stats", missing ? 0 : length}};
  }
  std::string allocations_path() const { return directory / "allocations"; }
  void flush() {
    if (full) return;
    std::ofstream out(records_path(), std::ios::app);
    for (const auto& line : std::exchange(unflushed, {})) out << line << '\n';
  }
};

class Scheduler final : public EngineObserver {
 public:
  Scheduler(const Settings& settings, std::vector<std::unique_ptr<Site>>& sites,
            Questions& questions, HandClock& clock, Disk& disk)
      : clock_(clock), disk_(disk), bank_(disk.allocations_path()) {
    std::vector<std::unique_ptr<ResourceManager>> managers;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const auto& site = sites[i];
      if (!site->configured) continue;
      WikiManagerOptions options;
      options.name = site->name.empty() ? fmt::format("site{}", i) : site->name;
      auto manager = std::make_unique<WikiResourceManager>(
          options, std::make_unique<ChaosLink>(*site, questions));
      managers_.push_back(manager.get());
      managers.push_back(std::move(manager));
    }
    auto whole = managers.size() == 1
                     ? std::move(managers.front())
                     : std::make_unique<ResourceManagers>(
                           std::move(managers), [] {},
                           [this](const std::string& name, std::function<void()> over) {
                             patience_[name] = std::move(over);
                           });
    engine_ = std::make_unique<Engine>(settings, std::move(whole), clock, *this);
    engine_->charge_with(bank_);
    std::vector<std::string> problems;
    engine_->begin_fairshare(
        disk.fairshare().read(settings.fairshare, clock.now(), false, engine_->names(), problems));
    if (disk.checkpoint.empty()) return;
    auto known = read_checkpoint_text(disk.checkpoint, settings.display.plot, engine_->names());
    if (!known) throw std::runtime_error(known.error().what);
    const Seconds clock_set = clock_set_between(known->clock, clock.reference());
    read_recorded({disk.records_path()}, std::min(known->when, clock.now()) - kLateRecords, *known);
    std::vector<CheckpointedJob> started;
    for (const std::string& line : disk.starts) {
      auto job = read_job_line(line, engine_->names());
      if (!job) throw std::runtime_error(job.error().what);
      started.push_back(*std::move(job));
    }
    add_later(*known, std::move(started));
    const bool must_be_followed = clock_set != Seconds(0) || known->in_good_order;
    engine_->restore(*std::move(known), clock_set);
    if (must_be_followed) save();
  }
  Engine& engine() { return *engine_; }
  void hurry() {
    for (auto* manager : managers_) manager->hurry();
  }
  /// Iterations do not wait any longer for managers that have not answered yet.
  void lose_patience() {
    for (const auto& [name, over] : std::exchange(patience_, {})) over();
  }
  void write_checkpoint() {
    if (engine_->iteration() >= 0) save();
  }
  /// The scheduler is asked to end.
  void end() {
    disk_.flush();
    const auto& windows = engine_->fairshare().windows;
    const auto changed = std::min(engine_->unreported_fairshare(), windows.size());
    for (std::size_t i = 0; i < changed; ++i)
      fairshare_changed(engine_->cluster(), engine_->fairshare(), windows[i], false);
    if (engine_->iteration() >= 0) save(/*in_good_order=*/true);
  }

  bool keeps_requests() const override { return true; }
  void keep_requests(const Cluster& cluster, const std::vector<CheckpointedJob>& jobs) override {
    if (disk_.checkpoint.empty() || need_checkpoint(jobs, accounted_))
      if (save()) return;
    for (const CheckpointedJob& job : jobs)
      if (!disk_.full) disk_.starts.push_back(job_line(cluster, job));
  }
  void run_accounted(const Job& job) override { accounted_.insert(job.name); }
  void clock_was_set() override { save(); }
  bool wants(int level) const override {
    const char* const most = std::getenv("CHAOS_LOG");
    return most != nullptr && level <= std::atoi(most);
  }
  void log(int, std::string_view, std::string_view text) override {
    fmt::print("{} {}\n", engine_ ? engine_->now().raw() - kBegin.raw() : 0, text);
  }
  bool keep_records() override {
    disk_.flush();
    return disk_.unflushed.empty();
  }
  void job_ended(const Cluster& cluster, JobId job, int) override {
    disk_.unflushed.push_back(
        write_workload_record(cluster, cluster.job(job), engine_->steady_start(cluster.job(job))));
  }
  void fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                         const FairshareWindow& window, bool) override {
    if (!disk_.full)
      (void)disk_.fairshare().write(cluster, window, history.complete_until, Durability::crash);
  }

 private:
  /// Returns false if no checkpoint can be written.
  bool save(bool in_good_order = false) {
    if (disk_.full) return false;
    disk_.flush();
    if (const auto& windows = engine_->fairshare().windows; !windows.empty())
      fairshare_changed(engine_->cluster(), engine_->fairshare(), windows.front(), false);
    if (disk_.takes_no_checkpoint) return false;
    Checkpoint made = engine_->checkpoint();
    accounted_.clear();
    made.records = disk_.records_length();
    made.in_good_order = in_good_order;
    made.clock = clock_.reference();
    disk_.checkpoint = checkpoint_text(engine_->cluster(), made);
    disk_.starts.clear();
    return true;
  }

  HandClock& clock_;
  Disk& disk_;
  std::set<std::string> accounted_;  // jobs with a run that was accounted since the checkpoint
  AllocationFile bank_;
  std::vector<WikiResourceManager*> managers_;
  std::map<std::string, std::function<void()>> patience_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace maui::test
