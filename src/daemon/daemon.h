// The scheduler as a process: engine, clients, log, statistics files and signals on one loop.
//
// Clients are served between iterations, a few milliseconds of them at a time,
// so that a long simulation answers at once and loses nothing by it.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cmd/execute.h"
#include "config/configuration.h"
#include "daemon/checkpoint_file.h"
#include "daemon/client_server.h"
#include "daemon/fairshare_files.h"
#include "daemon/log.h"
#include "daemon/node_program.h"
#include "daemon/recorded_jobs.h"
#include "daemon/site_programs.h"
#include "daemon/statistics_file.h"
#include "daemon/world.h"
#include "engine/engine.h"

namespace maui {

struct DaemonOptions {
  Home home;
  std::optional<int> log_level;           // -L, before LOGLEVEL
  std::vector<std::string> command_line;  // to start again with (CRASHMODE)
};

class Daemon final : private ServerControl, private EngineObserver {
 public:
  Daemon(DaemonOptions options, Configuration configuration);
  ~Daemon() override;

  /// Reads the traces, or prepares to speak with the resource managers, and begins to listen.
  Status prepare();
  /// Runs until the simulation is over, or a client or a signal ends it.
  void run();
  /// The summary of a run, as showstats shows it.
  std::string summary();

 private:
  // ServerControl
  const Configuration& configuration() const override { return configuration_; }
  Status change_parameter(std::string_view parameter,
                          const std::vector<std::string>& values) override;
  Status reload() override;
  std::vector<std::string> awaiting_restart() const override { return awaiting_restart_; }
  void shut_down() override { ending_ = true; }
  void wake() override;
  // EngineObserver
  bool wants(int level) const override { return log_.may_want(level); }
  void log(int level, std::string_view facility, std::string_view text) override;
  void job_ended(const Cluster& cluster, JobId job) override;
  void fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                         const FairshareWindow& window, bool over) override;
  bool wants_events() const override { return programs_.wants_events(); }
  void event(const Event& event) override { programs_.event(event); }
  void triggered(const Trigger& trigger, const Reservation& reservation) override;

  Status open_world();
  void open_engine();
  void open_log();
  void open_files();
  void prepare_for_faults();
  Status listen();
  ClientServerOptions server_options() const;
  void adopt(Configuration next);
  std::string serve(const Caller& caller, std::string_view data);
  void await_signal();
  void on_signal(int number);
  void turn();
  std::chrono::steady_clock::duration run_for_a_while();
  void serve_for_a_while(std::chrono::steady_clock::duration most);
  void wait_for(Driver::State state);
  bool simulated() const;
  void read_checkpoint();
  void write_checkpoint();
  void save_changes();
  std::chrono::steady_clock::duration checkpoint_interval() const;
  void read_fairshare();
  void write_fairshare(const Cluster& cluster, const FairshareWindow& window, Time until);
  void open_bank();
  void wait_for_programs();
  void settle_charges();
  void save_all();

  DaemonOptions options_;
  Configuration configuration_;
  Log log_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_};
  boost::asio::steady_timer pace_{io_}, resume_{io_};
  SitePrograms programs_{
      io_, {}, [this](int level, std::string_view text) { log(level, "fCORE", text); }};
  std::unique_ptr<World> world_;             // outlives the engine
  std::optional<NodeProgram> node_program_;  // outlives the engine
  std::unique_ptr<AllocationManager> bank_;  // outlives the engine
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<StatisticsFile> statistics_;
  RecordedJobs recorded_;  // since the checkpoint that this scheduler goes on from
  std::unique_ptr<FairshareFiles> fairshare_;
  std::optional<CheckpointFile> checkpoint_;  // none in a simulation, nor in TEST mode
  std::chrono::steady_clock::time_point checkpoint_due_;
  bool unsaved_ = false;            // commands have changed something, and are not answered
  bool fairshare_unsaved_ = false;  // the window that is not over has changed
  std::unique_ptr<ClientServer> server_;
  std::vector<std::string> awaiting_restart_;
  bool ending_ = false;
};

}  // namespace maui
