// The scheduler process: engine, clients, log, statistics files and signals on one event loop.
//
// Clients are served between iterations, for a few milliseconds at a time,
// so that a long simulation answers them at once and does not slow down.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cmd/execute.h"
#include "config/configuration.h"
#include "daemon/alarm.h"
#include "daemon/bank.h"
#include "daemon/clients/cached_reply.h"
#include "daemon/clients/client_hosts.h"
#include "daemon/clients/client_server.h"
#include "daemon/clients/event_stream.h"
#include "daemon/clients/http_server.h"
#include "daemon/clients/patient_port.h"
#include "daemon/files/checkpoint_file.h"
#include "daemon/files/checkpoint_keeper.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/records.h"
#include "daemon/logging/bounded_lines.h"
#include "daemon/logging/log.h"
#include "daemon/memory_reserve.h"
#include "daemon/programs/background.h"
#include "daemon/programs/local_programs.h"
#include "daemon/programs/node_program.h"
#include "daemon/programs/site_programs.h"
#include "daemon/site_advice.h"
#include "daemon/slices.h"
#include "daemon/world.h"
#include "engine/engine.h"
#include "metrics/scheduler_metrics.h"
#include "proto/format.h"
#include "proto/reply_codec.h"

namespace maui {

struct DaemonOptions {
  Home home;
  std::optional<int> log_level;           // -L; overrides LOGLEVEL
  std::vector<Override> overrides;        // parameters set on the command line
  std::vector<std::string> command_line;  // for a restart (CRASHMODE)
  bool shared_home = false;               // other users may be able to change its files
  std::vector<std::string> relearn;       // files from which to learn run times
  std::int64_t generation = 0;            // of the lease; 0 without a lease
};

class Daemon final : private ServerControl, private EngineObserver {
 public:
  /// `lock` is that of the home directory.
  Daemon(DaemonOptions options, Configuration configuration, LockFile& lock);
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
  // ServerControl
  const Configuration& configuration() const override { return configuration_; }
  Result<Configuration> with_parameter(std::string_view parameter,
                                       const std::vector<std::string>& values) const override;
  Result<Reread> reread(std::vector<Diagnostic>& diagnostics) const override;
  std::optional<int> log_level() const override { return log_.level(); }
  Status change_parameter(std::string_view parameter,
                          const std::vector<std::string>& values) override;
  Status reload() override;
  std::vector<std::string> awaiting_restart() const override { return awaiting_restart_; }
  ServiceReply service() const override;
  void shut_down() override { ending_ = true; }
  std::optional<std::string> unaccepted_loss() const override;
  void accept_loss() override;
  std::shared_ptr<history::HistoryReader> history() const override;
  std::vector<history::Wait> waits_of(const Job& job) const override;
  void wake() override;
  // EngineObserver
  bool wants(int level) const override { return log_.may_want(level); }
  void log(int level, std::string_view facility, std::string_view text) override;
  void log_of(LineCause cause, std::string_view party, int level, std::string_view facility,
              std::string_view text) override;
  /// Writes a line about a program of the site.
  void log_of_programs(int level, std::string_view text);
  void begins(Phase phase) override { times_.begins(phase, std::chrono::steady_clock::now()); }
  void iteration_ended() override {
    if (auto* history = records_.history()) history->iteration_ended(*engine_);
    times_.ends(std::chrono::steady_clock::now());
    cached_reply_.forget();
    if (events_) events_->look();
  }
  void job_ended(const Cluster& cluster, JobId job, int exit_code) override;
  void fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                         const FairshareWindow& window, bool over) override;
  bool wants_events() const override { return programs_.wants_events(); }
  void event(const Event& event) override { programs_.event(event); }
  bool pause(std::function<void()> go_on) override;
  void checkpoint_outdated() override;
  void clock_was_set() override;
  bool keeps_requests() const override { return checkpoints_ && !checkpoints_->lost(); }
  void keep_requests(const Cluster& cluster, const std::vector<CheckpointedJob>& jobs) override {
    checkpoints_->keep_requests(cluster, jobs);
  }
  void triggered(const Trigger& trigger, const Reservation& reservation) override;

  void log_request(const CommandRequest& request, int level, std::string_view text);
  Status open_world();
  void open_records();
  CheckpointFile checkpoint_of(const Settings& settings) const;
  void adopt_files(const Settings& old);
  void open_engine();
  void open_log();
  void open_files();
  Status relearn();
  void prepare_for_faults();
  /// Lets others no longer open the home directory, and so lock it.
  void close_home();
  [[noreturn]] void begin_anew_in_new_home();
  /// Makes sockets and the lock file again if they were lost; begins anew if the home was replaced.
  void look_after_home();
  Status listen();
  Status listen_for_commands();
  Status listen_over_http();
  ClientServerOptions server_options() const;
  MungeReaderOptions munge_options() const;
  Status listen_to_network();
  Status listen_at_port();
  Status listen_at_http_port();
  config::ClientWays ways_of(const Peer& peer) const;
  void adopt_clients();
  void resolve_hosts();
  HttpServerOptions http_options() const;
  HttpServer::Work serve_http(const Caller& caller, const HttpRequest& request);
  HttpServer::Work serve_api(const Caller& caller, const HttpRequest& request);
  HttpResponse answer_http(const HttpRequest& request) const;
  ServerState server_state() const;
  ServerCounts server_counts() const;
  /// `sets_level`: LOGLEVEL was given, even if its value is the one before a signal changed it.
  void adopt(Configuration next, bool sets_level = false);
  Status check_next(const Configuration& configuration) const;
  ClientServer::Work serve(const Caller& caller, std::string_view data);
  void log_refusal(const CommandRequest& request, const Refusal& refusal);
  void note_change(const std::string& line);
  void confirm_change(const CommandRequest& request, bool kept);
  void keep_replies();
  bool keeps(const CommandRequest& request) const;
  ReplyRemarks remarks_on(const CommandRequest& request, const Reply& reply) const;
  Result<std::string> why_not_kept(const CommandRequest& request);
  void await_signal();
  void on_signal(int number);
  void turn();
  bool has_memory_for_iteration();
  bool knows_no_queue() const;
  std::chrono::steady_clock::duration run_for_a_while();
  void wait_for(Driver::State state);
  bool simulated() const;
  void open_checkpoint();
  bool lost_checkpoint() const { return checkpoints_ && checkpoints_->lost(); }
  Settings engine_settings() const;
  Status write_checkpoint(CheckpointKeeper::Occasion occasion);
  Status can_keep_with(const Settings& next) const;
  void save_changes();
  void open_bank();
  /// Serves events as long as the condition holds, `most` at most.
  void turn_while(const std::function<bool()>& condition, std::chrono::seconds most);
  void settle_charges();
  void flush_files();
  void flush_if_due();
  void log_fenced_time();
  bool keep_history(std::chrono::steady_clock::duration enough);

  DaemonOptions options_;
  Configuration configuration_;
  LockFile& lock_;
  Log log_;
  BoundedLines bounded_lines_{log_};
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_};
  Alarm next_iteration_{io_}, next_checkpoint_{io_};
  Alarm next_look_{io_};  // at the home directory
  Alarm patience_{io_};   // limits the wait for resource managers at start
  boost::asio::steady_timer farewell_{io_}, resume_{io_};
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
                   }};
  std::optional<CheckpointKeeper> checkpoints_;  // none in a simulation and in TEST mode
  MemoryGate memory_gate_;                       // before iterations
  bool said_local_only_ = false;  // the log says that users of other hosts are not served
  bool unsaved_ = false;          // commands have changed state; their replies wait
  config::ClientAuthentication client_authentication_;
  ClientHosts hosts_{io_, [this](std::string_view line) { log(0, "fSOCK", line); }};
  PatientPort port_{io_, [this](std::string_view line) { log(0, "fSOCK", line); }};
  PatientPort http_port_{io_, [this](std::string_view line) { log(0, "fSOCK", line); }};
  std::unique_ptr<MungeReader> munge_;  // outlives the server
  std::unique_ptr<ClientServer> server_;
  std::unique_ptr<HttpServer> http_;   // nullptr if neither HTTPPORT nor HTTPSOCKET is set
  std::optional<EventStream> events_;  // exists if http_ does
  CachedReply cached_reply_{io_};
  IterationTimes times_;
  LineCounts lines_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const std::time_t started_at_ = std::time(nullptr);
  std::chrono::steady_clock::time_point look_due_;  // next look at the home directory
  std::chrono::steady_clock::time_point flush_due_;
  ServiceReply served_;  // numbers of requests served
  std::vector<std::string> awaiting_restart_;
  SiteAdviser adviser_;
  bool ending_ = false;
  bool finished_ = false;  // a simulation has ended by itself
  const bool had_terminal_ = has_terminal();
};

}  // namespace maui
