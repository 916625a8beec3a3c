// The scheduler process: engine, clients, log, statistics files and signals on one event loop.
//
// Clients are served between iterations, for a few milliseconds at a time,
// so that a long simulation answers them at once and does not slow down.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "daemon/alarm.h"
#include "daemon/bank.h"
#include "daemon/clients/command_service.h"
#include "daemon/clients/reception.h"
#include "daemon/clients/serving.h"
#include "daemon/clients/unsaved_changes.h"
#include "daemon/control/configuration_in_use.h"
#include "daemon/control/scheduler_control.h"
#include "daemon/control/signal_control.h"
#include "daemon/files/checkpoint_file.h"
#include "daemon/files/checkpoint_keeper.h"
#include "daemon/files/end_mark.h"
#include "daemon/files/home_watch.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/records.h"
#include "daemon/http/http_service.h"
#include "daemon/logging/lines.h"
#include "daemon/logging/log.h"
#include "daemon/memory_reserve.h"
#include "daemon/programs/local_programs.h"
#include "daemon/programs/node_program.h"
#include "daemon/programs/site_programs.h"
#include "daemon/site_advice.h"
#include "daemon/slices.h"
#include "daemon/worlds/world.h"
#include "engine/engine.h"
#include "net/rate_limited_call.h"
#include "proto/format.h"

namespace maui {

struct DaemonOptions {
  Home home;
  std::optional<int> log_level;           // -L; overrides LOGLEVEL
  std::vector<Override> overrides;        // parameters set on the command line
  std::vector<std::string> command_line;  // for a restart (CRASHMODE)
  bool shared_home = false;               // other users may be able to change its files
  std::vector<std::string> relearn;       // files from which to learn run times
  std::int64_t generation = 0;            // of the lease; 0 without a lease
  std::vector<Diagnostic> warnings = {};  // about settings that do not fit this machine
};

class Daemon final : private EngineObserver {
 public:
  /// `lock` is that of the home directory.
  Daemon(DaemonOptions options, Configuration configuration, LockFile& lock, EndMark& end_mark);
  ~Daemon() override;

  /// Reads the traces, or prepares to contact the resource managers, and begins to listen.
  Status prepare();
  /// Runs until the simulation ends, or a client or a signal ends the scheduler.
  void run();
  /// Handles std::bad_alloc or HalfDone thrown by run().  Returns only if a restart would not
  /// help.
  void give_up_for_memory();
  /// Returns the summary of a run, as showstats shows it.
  std::string summary(Format format = Format::text);
  /// Writes the summary to STATDIR, as summary.txt and summary.json.
  Status save_summary();
  /// True if a simulation ran to its end and was not ended by a client or a signal.
  bool finished() const { return finished_; }
  /// At the end of a simulation, counts and names the jobs that wait in vain; empty: none does.
  std::string jobs_left() const;
  World::Unused unused_input() const { return world_->unused_input(); }
  /// Writes fairshare, the records of ended jobs and the log to their files.  Returns an error if
  /// the job records could not be written.
  Status save_all();

 private:
  // EngineObserver
  bool wants(int level) const override { return lines_.wants(level); }
  void log(int level, std::string_view facility, std::string_view text) override {
    lines_.write(level, facility, text);
  }
  void log_of(LineCause cause, std::string_view party, int level, std::string_view facility,
              std::string_view text) override {
    lines_.write_of(cause, party, level, facility, text);
  }
  void begins(Phase phase) override {
    if (http_) http_->begins(phase);
  }
  void iteration_ended() override {
    if (auto* history = records_.history()) history->iteration_ended(*engine_);
    if (http_) http_->iteration_ended();
  }
  void job_ended(const Cluster& cluster, JobId job, int exit_code) override;
  void job_has_record(const Cluster& cluster, JobId job) override {
    records_.job_has_record(cluster.job(job));
  }
  bool keep_records() override;
  void fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                         const FairshareWindow& window, bool over) override;
  bool wants_events() const override { return programs_.wants_events(); }
  void event(const Event& event) override { programs_.event(event); }
  bool pause(std::function<void()> go_on) override;
  void checkpoint_outdated() override;
  void run_accounted(const Job& job) override {
    if (checkpoints_) checkpoints_->run_accounted(job.name);
  }
  void clock_was_set() override;
  bool keeps_requests() const override { return checkpoints_ && !checkpoints_->lost(); }
  void keep_requests(const Cluster& cluster, const std::vector<CheckpointedJob>& jobs) override {
    checkpoints_->keep_requests(cluster, jobs);
  }
  void triggered(const Trigger& trigger, const Reservation& reservation,
                 std::function<void()> begun) override;

  /// Writes a line about a program of the site.
  void log_of_programs(int level, std::string_view text);
  /// Does the work of prepare().
  Status open_all();
  Status open_world();
  std::string statistics_directory(const Settings& settings) const;
  void open_records();
  std::string checkpoint_path(const Settings& settings) const;
  CheckpointFile checkpoint_of(const Settings& settings) const;
  Status cover_checkpoint(const Settings& settings) const;
  void adopt_files(const Settings& old);
  void open_engine();
  void open_log();
  Status open_files();
  void prepare_for_faults();
  HomeWatch::Surroundings around_home();
  [[noreturn]] void begin_anew_in_new_home();
  Status listen();
  /// Makes the parts that serve clients.
  void open_service();
  UnsavedChanges::Surroundings around_changes();
  ServiceReply service() const;
  std::optional<std::string> unaccepted_loss() const;
  void accept_loss();
  /// Hands the new configuration on to all parts.
  void adopt(const Settings& old, ConfigurationInUse::Change change);
  ConfigurationInUse::Surroundings around_configuration();
  SignalControl::Surroundings around_signals();
  void turn();
  bool has_memory_for_iteration();
  bool knows_no_queue() const;
  std::chrono::steady_clock::duration run_for_a_while();
  void wait_for(Driver::State state);
  bool simulated() const;
  bool ending() const { return signals_.ending() || control_->ending(); }
  void open_checkpoint();
  bool lost_checkpoint() const { return checkpoints_ && checkpoints_->lost(); }
  Settings engine_settings() const;
  Status write_checkpoint(CheckpointKeeper::Occasion occasion);
  Status can_keep_with(const Settings& next) const;
  void open_bank();
  /// Serves events as long as the condition holds, `most` at most.
  void turn_while(const std::function<bool()>& condition, std::chrono::seconds most);
  void settle_charges();
  void log_charges_due(bool kept);
  void log_what_is_awaited();
  void end_programs();
  void flush_files();
  void flush_if_due();
  void log_fenced_time();
  bool keep_history(std::chrono::steady_clock::duration enough);

  DaemonOptions options_;
  LockFile& lock_;
  EndMark& end_mark_;
  Log log_;
  Lines lines_;
  ConfigurationInUse configuration_;
  boost::asio::io_context io_{1};
  SignalControl signals_{around_signals()};
  HomeWatch home_watch_{around_home()};
  Alarm next_iteration_{io_}, next_checkpoint_{io_};
  Alarm patience_{io_};  // limits the wait for resource managers at start
  boost::asio::steady_timer farewell_{io_};
  SitePrograms programs_{
      io_, {}, [this](int level, std::string_view text) { log_of_programs(level, text); }};
  LocalPrograms local_programs_{
      io_, {}, [this](int level, std::string_view text) { log(level, "fSCHED", text); }};
  Slices slices_{io_};                       // of iterations
  std::unique_ptr<World> world_;             // outlives the engine
  std::optional<NodeProgram> node_program_;  // outlives the engine
  std::unique_ptr<ReplaceableBank> bank_;    // outlives the engine
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Driver> driver_;
  Records records_{configuration_.settings().server.mode,
                   [this](int level, std::string_view facility, std::string_view text) {
                     log(level, facility, text);
                   },
                   [this](const std::string& why) {
                     programs_.event({EventType::statistics_failure, {why}});
                   }};
  std::optional<CheckpointKeeper> checkpoints_;  // none in a simulation and in TEST mode
  // The parts that serve clients; they exist once the engine does.
  std::optional<SchedulerControl> control_;
  std::optional<Serving> serving_;
  std::optional<UnsavedChanges> changes_;
  RateLimitedCall users_changes_{io_, TokenBucket(10, std::chrono::seconds(1)),
                                 [this] { driver_->touch(); }};
  std::optional<CommandService> commands_;
  std::optional<Reception> reception_;
  std::optional<HttpService> http_;  // none if neither HTTPPORT nor HTTPSOCKET is set
  MemoryGate memory_gate_;           // before iterations
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const std::time_t started_at_ = std::time(nullptr);
  std::chrono::steady_clock::time_point flush_due_;
  SiteAdviser adviser_;
  bool finished_ = false;  // a simulation has ended by itself
};

}  // namespace maui
