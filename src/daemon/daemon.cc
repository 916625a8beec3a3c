#include "daemon/daemon.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "bank/allocation_lines.h"
#include "daemon/bank.h"
#include "daemon/faults.h"
#include "daemon/privileges.h"
#include "daemon/system_log.h"
#include "render/render.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

using std::chrono::steady_clock;

// Iterations between two looks at the sockets; short enough for a client not to notice.
constexpr std::chrono::milliseconds kTurn{5};
// For clients between two turns, if there are so many; as long as the turn took, if that is more.
constexpr std::chrono::milliseconds kService{50};
// For replies under way when the scheduler ends.
constexpr std::chrono::milliseconds kFarewell{2000};
// For programs of the site that still run or wait then.
constexpr std::chrono::seconds kProgramsFarewell{60};

Time wall_time() { return Time(std::time(nullptr)); }

}  // namespace

Daemon::Daemon(DaemonOptions options, Configuration configuration)
    : options_(std::move(options)), configuration_(std::move(configuration)), log_(wall_time) {}

Daemon::~Daemon() { save_all(); }

Status Daemon::prepare() {
  open_log();
  prepare_for_faults();
  programs_.configure(configuration_.settings().jobs, options_.home.directory);
  if (auto status = open_world(); !status) return status;
  if (auto status = listen(); !status) return status;
  for (const auto& name : configuration_.without_effect())
    log(0, "fCONFIG", fmt::format("WARNING: {} is set, but has no effect in this release", name));
  await_signal();
  log(0, "fCORE",
      fmt::format("scheduler started (pid {}, home {})", ::getpid(), options_.home.directory));
  return Done{};
}

void Daemon::open_log() {
  auto settings = configuration_.settings().log;
  if (options_.log_level) settings.level = *options_.log_level;
  const auto opened = log_.open(settings, options_.home.directory);
  if (!simulated()) log_.also_to(std::make_shared<SystemLogSink>());
  if (!opened) log(0, "fCORE", "WARNING: " + opened.error().what);
}

// A simulation that begins anew is of no use to anybody.
void Daemon::prepare_for_faults() {
  const auto mode = configuration_.settings().server.crash_mode;
  handle_faults({simulated() ? CrashMode::end : mode, log_.path(), options_.command_line});
}

bool Daemon::simulated() const {
  return configuration_.settings().server.mode == ServerMode::simulation;
}

Status Daemon::open_world() {
  const WorldLog line = [this](int level, std::string_view facility, std::string_view text) {
    log(level, facility, text);
  };
  auto world = simulated()
                   ? open_simulation(configuration_.settings(), options_.home.directory, line)
                   : open_live(io_, configuration_, line, [this] { driver_->touch(); });
  if (!world) return world.error();
  world_ = *std::move(world);
  log_.set_now([this] { return world_->clock().now(); });
  open_engine();
  open_files();
  return Done{};
}

void Daemon::open_engine() {
  const auto& settings = configuration_.settings();
  const auto& program = settings.node.allocation_program;
  const auto home = std::filesystem::path(options_.home.directory);
  node_program_.emplace(program.empty() ? "" : (home / program).string(),
                        [this](const std::string& what) { log(0, "fSCHED", what); });
  EngineObserver& observer = *this;
  engine_ = std::make_unique<Engine>(settings, world_->take_manager(), world_->clock(), observer,
                                     Planner{}, program.empty() ? nullptr : &*node_program_);
  driver_ = world_->drive(*engine_);
}

void Daemon::open_files() {
  const auto& server = configuration_.settings().server;
  const auto directory = std::filesystem::path(options_.home.directory) / server.stat_dir;
  statistics_ =
      std::make_unique<StatisticsFile>(directory.string(), server.mode, workload_trace_header());
  if (auto status = statistics_->prepare(engine_->now()); !status)
    log(0, "fSTAT", "ALERT: " + status.error().what);
  fairshare_ = std::make_unique<FairshareFiles>(directory.string());
  read_fairshare();
  open_bank();
  if (server.mode != ServerMode::normal) return;  // nothing was done that is to be remembered
  checkpoint_.emplace(
      (std::filesystem::path(options_.home.directory) / server.checkpoint_file).string());
  read_checkpoint();
}

void Daemon::read_checkpoint() {
  const auto reader = [this](const std::string& text) -> Status {
    const auto& plot = configuration_.settings().display.plot;
    auto known = read_checkpoint_text(text, plot, engine_->names());
    if (!known) return known.error();
    log(0, "fCKPT",
        fmt::format("going on from the checkpoint: {} jobs, {} reservations", known->jobs.size(),
                    known->reservations.size()));
    recorded_.read([this](Time when) { return statistics_->path(when); }, known->when,
                   engine_->now());
    engine_->restore(std::move(*known));
    return Done{};
  };
  const bool known =
      checkpoint_->read(reader, [this](const std::string& line) { log(0, "fCKPT", line); });
  // Without one, nobody could tell after a crash which jobs are to be accounted.
  checkpoint_due_ = steady_clock::now();
  if (known) checkpoint_due_ += checkpoint_interval();
}

steady_clock::duration Daemon::checkpoint_interval() const {
  const auto interval = configuration_.settings().server.checkpoint_interval.raw();
  return std::chrono::seconds(std::clamp<std::int64_t>(interval, 1, 366 * 24 * 3600));
}

void Daemon::write_checkpoint() {
  if (!checkpoint_ || engine_->iteration() < 0) return;  // nothing is known yet: the old one stands
  // What the checkpoint takes for recorded or charged is so before it.
  save_all();
  if (auto status = statistics_->sync(); !status) log(0, "fSTAT", "ALERT: " + status.error().what);
  if (bank_ != nullptr)
    if (auto status = bank_->save(); !status) log(0, "fBANK", "ALERT: " + status.error().what);
  const auto text = checkpoint_text(engine_->cluster(), engine_->checkpoint());
  if (auto status = checkpoint_->write(text); !status)
    log(0, "fCKPT", "ALERT: the checkpoint is not written: " + status.error().what);
  else
    log(5, "fCKPT", fmt::format("checkpoint written: {} bytes", text.size()));
  checkpoint_due_ = steady_clock::now() + checkpoint_interval();
}

/// All commands that are ready share one checkpoint, and are answered when it is written.
void Daemon::save_changes() {
  if (!unsaved_) return;
  serve_for_a_while(kService);
  unsaved_ = false;
  write_checkpoint();
  server_->send_replies();
}

void Daemon::open_bank() {
  const auto& settings = configuration_.settings();
  bank_ = make_allocation_manager(io_, settings, options_.home.directory);
  if (bank_ == nullptr) return;
  engine_->charge_with(*bank_);
  log(1, "fBANK", "jobs are charged to their accounts");
}

void Daemon::read_fairshare() {
  const auto& settings = configuration_.settings();
  std::vector<std::string> problems;
  auto known =
      fairshare_->read(settings.fairshare, engine_->now(), simulated(), engine_->names(), problems);
  for (const auto& problem : problems) log(0, "fFS", "WARNING: " + problem);
  log(1, "fFS", fmt::format("{} fairshare windows read", known.windows.size()));
  engine_->begin_fairshare(std::move(known));
}

ClientServerOptions Daemon::server_options() const {
  const auto& settings = configuration_.settings().server;
  ClientServerOptions options;
  if (!settings.name.empty() || !settings.host.empty())
    options.name = settings.name.empty() ? settings.host : settings.name;
  options.secret = configuration_.secret();
  options.max_skew = settings.client_max_skew;
  const auto seconds = std::clamp<std::int64_t>(settings.client_timeout.raw(), 1, 24 * 3600);
  options.timeout = std::chrono::seconds(seconds);
  // Half of the descriptors for each listener, some for everything else.
  constexpr std::size_t kOthers = 100, kLeast = 10;
  const auto descriptors = descriptor_limit();
  options.max_connections =
      std::min(options.max_connections,
               std::max(kLeast, descriptors > kOthers ? (descriptors - kOthers) / 2 : 0));
  return options;
}

Status Daemon::listen() {
  const auto& settings = configuration_.settings().server;
  server_ = std::make_unique<ClientServer>(
      io_, server_options(),
      [this](const Caller& caller, std::string_view data) { return serve(caller, data); },
      [this](int level, std::string_view text) { log(level, "fSOCK", text); });
  server_->known_hosts().resolve(settings.admin_hosts);
  if (auto status = server_->listen_at(options_.home.directory + "/maui.sock"); !status)
    return status;
  if (configuration_.secret().empty()) {
    log(0, "fSOCK",
        "there is no secret in maui-private.cfg: only users of this machine are served "
        "(maui --generate-key makes one)");
    return Done{};
  }
  return server_->listen_at(settings.host, settings.port);
}

void Daemon::run() {
  while (!ending_) {
    if (engine_->iteration() >= 0) survived_iteration();
    const auto& rule = engine_->stop_rule();
    server_->hold_back(rule.ignore_clients && rule.at_iteration.has_value());
    save_changes();  // of requests that were held back
    if (checkpoint_ && steady_clock::now() >= checkpoint_due_) write_checkpoint();
    if (engine_->iterating() || programs_.crowded()) {
      turn();
    } else if (const auto state = driver_->state(steady_clock::now());
               state == Driver::State::ended) {
      break;
    } else if (state == Driver::State::ready) {
      const auto took = run_for_a_while();
      serve_for_a_while(std::max<steady_clock::duration>(took, kService));
      save_changes();
    } else {
      wait_for(state);
    }
    if (io_.stopped()) io_.restart();
  }
  server_->hold_back(false);
  wait_for_programs();
  settle_charges();
  save_changes();
  server_->finish(kFarewell);
  log(0, "fCORE", fmt::format("scheduler ends after iteration {}", engine_->iteration()));
  write_checkpoint();
  fairshare_unsaved_ = fairshare_unsaved_ || !simulated();  // what is charged once an hour
  save_all();
}

steady_clock::duration Daemon::run_for_a_while() {
  const auto begin = steady_clock::now(), end = begin + kTurn;
  auto now = begin;
  do {
    driver_->step();
    now = steady_clock::now();
  } while (now < end && !engine_->iterating() && driver_->state(now) == Driver::State::ready);
  return now - begin;
}

/// As long as there is somebody to serve, but not so long that the scheduler gets no turn.
void Daemon::serve_for_a_while(steady_clock::duration most) {
  const auto end = steady_clock::now() + most;
  while (io_.poll_one() > 0 && steady_clock::now() < end) {
  }
}

void Daemon::wait_for(Driver::State state) {
  save_all();
  if (state == Driver::State::later) {
    pace_.expires_at(driver_->due());
    pace_.async_wait([](boost::system::error_code) {});
  }
  turn();
}

/// Waits for something to happen, and deals with it.
void Daemon::turn() {
  if (io_.stopped()) io_.restart();
  io_.run_one();
  save_changes();
}

void Daemon::wait_for_programs() {
  const auto late = std::make_shared<bool>(false);  // the timer's handler may come later
  pace_.expires_after(kProgramsFarewell);
  pace_.async_wait([late](boost::system::error_code error) { *late = *late || !error; });
  while (programs_.busy() && !*late) turn();
  pace_.cancel();
}

/// What the allocation manager does not take now, it is told when the scheduler starts again.
void Daemon::settle_charges() {
  while (bank_ != nullptr && bank_->busy()) turn();
  if (checkpoint_) return;
  for (const auto& one : engine_->charges_due())
    log(0, "fBANK", "ALERT: the allocation manager was not told: " + allocation_line(one));
}

void Daemon::save_all() {
  if (fairshare_unsaved_ && !engine_->fairshare().windows.empty())
    write_fairshare(engine_->cluster(), engine_->fairshare().windows.front(),
                    engine_->fairshare().complete_until);
  if (statistics_ != nullptr)
    if (auto status = statistics_->flush(); !status)
      log(0, "fSTAT", "ALERT: " + status.error().what);
  log_.flush();
}

std::string Daemon::summary() {
  CommandRequest request;
  request.command = "showstats";
  const auto& admins = configuration_.settings().server.admins[0];
  request.user = admins.empty() ? "root" : admins.front();
  return render(execute(*engine_, *this, request), Format::text);
}

void Daemon::log(int level, std::string_view facility, std::string_view text) {
  log_.write(level, facility, text);
}

// A simulation is run again rather than gone on with: what is not over is written when it pauses.
void Daemon::fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                               const FairshareWindow& window, bool over) {
  const bool kept = configuration_.settings().fairshare.metric != FairshareMetric::none;
  if (simulated() && !kept) return;
  fairshare_unsaved_ = true;
  if (over || !simulated()) write_fairshare(cluster, window, history.complete_until);
}

void Daemon::write_fairshare(const Cluster& cluster, const FairshareWindow& window, Time until) {
  const auto durability = simulated() ? Durability::crash : Durability::power_loss;
  if (auto status = fairshare_->write(cluster, window, until, durability); !status)
    log(0, "fFS", "ALERT: " + status.error().what);
  fairshare_unsaved_ = false;
}

void Daemon::job_ended(const Cluster& cluster, JobId job) {
  const Job& ended = cluster.job(job);
  const auto record = write_workload_record(cluster, ended);
  if (recorded_.take(record)) return;
  const auto status = statistics_->add(record, ended.ended);
  if (!status) log(0, "fSTAT", "ALERT: " + status.error().what);
  programs_.job_ended(cluster, ended);
}

void Daemon::triggered(const Trigger& trigger, const Reservation& reservation) {
  const bool may_submit = configuration_.settings().server.mode == ServerMode::normal;
  programs_.trigger(trigger, reservation, options_.home.directory, may_submit);
  checkpoint_due_ = steady_clock::now();  // so that it does not go off again after a crash
}

}  // namespace maui
