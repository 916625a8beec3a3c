#include "daemon/daemon.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <new>

#include "bank/allocation_lines.h"
#include "base/fence.h"
#include "base/outside_text.h"
#include "base/text.h"
#include "base/trigger_names.h"
#include "cmd/execute.h"
#include "daemon/faults.h"
#include "daemon/logging/system_log.h"
#include "daemon/memory_reserve.h"
#include "daemon/privileges.h"
#include "daemon/programs/program_settings.h"
#include "daemon/relearn.h"
#include "render/render.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

using std::chrono::steady_clock;

// How long iterations run between checks of the sockets; too short for a client to notice.
constexpr std::chrono::milliseconds kTurn{5};
// The minimum time limit for serving clients between turns; if the turn took longer, as long.
constexpr std::chrono::milliseconds kService{50};
// Time for the history at once, while the scheduler is idle, and when it ends.
constexpr std::chrono::milliseconds kHistory{4}, kLastHistory{500};
// The time limit for requests, and then for replies, under way when the scheduler ends.
constexpr std::chrono::milliseconds kFarewell{2000};
// The time limit for programs of the site to begin, and then for those that run to end.
constexpr std::chrono::seconds kProgramsBegin{5}, kProgramsEnd{5};
// The first of these at the end of a simulation, which may have left many of them waiting.
constexpr std::chrono::seconds kProgramsOfSimulation{60};
// The time for programs that were killed to be gone.
constexpr std::chrono::seconds kProgramsGone{1};
// The time limit for the iteration under way, and for answers of resource managers to commands.
constexpr std::chrono::seconds kAnswersFarewell{10};
// How long commands wait after a start for the first reports of resource managers.
constexpr std::chrono::seconds kFirstReports{5};

Time wall_time() { return Time(std::time(nullptr)); }

}  // namespace

Daemon::Daemon(DaemonOptions options, Configuration configuration, LockFile& lock,
               EndMark& end_mark)
    : options_(std::move(options)),
      lock_(lock),
      end_mark_(end_mark),
      log_(wall_time),
      lines_(log_, configuration.settings().server.mode == ServerMode::simulation),
      configuration_(std::move(configuration), around_configuration()) {}

Daemon::~Daemon() { flush_files(); }

Status Daemon::prepare() {
  open_log();
  auto prepared = open_all();
  if (!prepared) log(0, "fCORE", "ERROR: the scheduler does not start: " + prepared.error().what);
  return prepared;
}

Status Daemon::open_all() {
  prepare_for_faults();
  home_watch_.close_to_others();
  programs_.configure(configuration_.settings().jobs, options_.home.directory);
  local_programs_.configure(configuration_.settings().local, options_.home.directory);
  if (auto status = open_world(); !status) return status;
  open_service();
  if (auto status = listen(); !status) return status;
  for (const auto& warning : configuration_.now().warnings())
    log(0, "fCONFIG", "WARNING: " + warning);
  for (const auto& warning : options_.warnings) log(0, "fCONFIG", warning.text());
  signals_.begin();
  log(0, "fCORE",
      fmt::format("scheduler started (pid {}, home {}{})", ::getpid(), options_.home.directory,
                  options_.generation == 0
                      ? ""
                      : fmt::format(", generation {} of the lease", options_.generation)));
  return Done{};
}

void Daemon::open_log() {
  auto settings = configuration_.settings().log;
  if (options_.log_level) settings.level = *options_.log_level;
  const auto opened = log_.open(settings, options_.home.directory);
  lines_.configure(settings);
  if (!simulated()) log_.also_to(std::make_shared<SystemLogSink>());
  if (!opened) log(0, "fCORE", "WARNING: " + opened.error().what);
  log(2, "fCONFIG", fmt::format("the configuration was read from '{}'", options_.home.config_file));
}

// A simulation is not restarted after a fault, which would be of no use.
void Daemon::prepare_for_faults() {
  // Exceeding a limit on file size, or a reader that is gone, becomes an error of write().
  for (const int number : {SIGXFSZ, SIGPIPE}) std::signal(number, SIG_IGN);
  const auto mode = configuration_.settings().server.crash_mode;
  handle_faults({simulated() ? CrashMode::end : mode, log_.path(), options_.command_line,
                 lock_.descriptors()});
}

/// Another scheduler may run in the new directory: no file of the scheduler's but the log is
/// written there before it is locked.
void Daemon::begin_anew_in_new_home() {
  handle_faults({CrashMode::end, log_.path(), options_.command_line, /*kept=*/{}});
  begin_anew_unless_at_once();
  std::_Exit(EXIT_FAILURE);
}

bool Daemon::simulated() const {
  return configuration_.settings().server.mode == ServerMode::simulation;
}

Status Daemon::open_world() {
  const WorldLog line{[this](int level, std::string_view facility, std::string_view text) {
                        log(level, facility, text);
                      },
                      [this](int level) { return log_.may_want(level); }};
  auto world = simulated()
                   ? open_simulation(configuration_.settings(), options_.home.directory, line)
                   : open_live(
                         io_, configuration_.now(), options_.home.directory, options_.generation,
                         line, [this] { driver_->touch(); },
                         [this](Slices::Slice go_on) { slices_.add(std::move(go_on)); });
  if (!world) return world.error();
  world_ = *std::move(world);
  if (simulated()) log_.set_now([this] { return world_->clock().now(); });
  open_engine();
  if (auto status = open_files(); !status) return status;
  if (options_.relearn.empty()) return Done{};
  return relearn(*engine_, options_.relearn,
                 [this](std::string_view text) { log(0, "fSTAT", text); });
}

void Daemon::open_engine() {
  const auto& settings = configuration_.settings();
  node_program_.emplace(io_, node_program_path(settings, options_.home.directory),
                        [this](const std::string& what) { log(0, "fSCHED", what); });
  EngineObserver& observer = *this;
  engine_ = std::make_unique<Engine>(settings, world_->take_manager(), world_->clock(), observer,
                                     Planner{}, &*node_program_);
  engine_->consult_with(local_programs_);
  driver_ = world_->drive(*engine_);
}

/// Returns the engine's settings; SERVERMODE is TEST until a loss is accepted.
Settings Daemon::engine_settings() const {
  Settings settings = configuration_.settings();
  if (lost_checkpoint()) settings.server.mode = ServerMode::test;
  return settings;
}

void Daemon::open_bank() {
  const auto& settings = configuration_.settings();
  auto bank = make_allocation_manager(io_, settings, options_.home.directory);
  if (bank_ != nullptr) {  // the engine keeps using bank_, whichever manager is behind it
    if (const auto saved = bank_->save(); !saved)
      log(0, "fBANK", "ALERT: charges may be lost: " + saved.error().what);
    if (bank == nullptr) log(1, "fBANK", "jobs are no longer charged");
    return bank_->replace(std::move(bank));
  }
  if (bank == nullptr) return;
  bank_ = std::make_unique<ReplaceableBank>(std::move(bank));
  engine_->charge_with(*bank_);
  log(1, "fBANK", "jobs are charged to their accounts");
}

/// True after a start, until the resource managers have reported.  Silent resource managers are not
/// waited for so long that a command would time out.
bool Daemon::knows_no_queue() const {
  return !simulated() && engine_->iteration() < 0 && steady_clock::now() < started_ + kFirstReports;
}

void Daemon::run() {
  // prepare() must not run this program, which would have all of root's capabilities then.
  if (lost_checkpoint())
    programs_.event({EventType::checkpoint_failure, {CheckpointKeeper::kLoss}});
  if (checkpoints_ && !checkpoints_->older().empty())
    programs_.event({EventType::checkpoint_failure, {checkpoints_->older()}});
  if (checkpoints_ && checkpoints_->must_be_followed()) [[maybe_unused]]
    const Status written = write_checkpoint(CheckpointKeeper::Occasion::change);
  if (!simulated()) patience_.set(started_ + kFirstReports);
  ClientServer& server = reception_->server();
  while (!ending()) {
    pass_fence();
    log_fenced_time();
    if (engine_->iteration() >= 0) survived_iteration();
    if (adviser_.due() && engine_->iteration() >= 0 && !engine_->iterating())
      for (const auto& line : adviser_.advise(configuration_.now(), engine_->cluster()))
        log(0, "fCONFIG", "WARNING: " + line);
    const auto& rule = engine_->stop_rule();
    server.hold_back((rule.ignore_clients && rule.at_iteration.has_value()) || knows_no_queue());
    changes_->save();  // also changes of requests that were held back
    home_watch_.look(steady_clock::now());
    flush_if_due();
    if (checkpoints_ && steady_clock::now() >= checkpoints_->due()) [[maybe_unused]]
      const Status written = write_checkpoint(CheckpointKeeper::Occasion::due);
    if (engine_->iterating() || (simulated() && programs_.crowded())) {
      turn();
    } else if (const auto state = driver_->state(steady_clock::now());
               state == Driver::State::ended) {
      finished_ = true;
      break;
    } else if (state == Driver::State::ready && !has_memory_for_iteration()) {
      turn();
    } else if (state == Driver::State::ready) {
      const auto took = run_for_a_while();
      serve_ready(io_, std::max<steady_clock::duration>(took, kService));
      changes_->save();
    } else {
      wait_for(state);
    }
    if (io_.stopped()) io_.restart();
  }
  end_mark_.show();
  world_->run_ended();
  server.hold_back(false);
  if (io_.stopped()) io_.restart();
  serve_ready(io_, kFarewell);  // serves requests that have already arrived
  changes_->save();
  log_what_is_awaited();
  // Requests of this iteration and of commands to resource managers may not have been sent yet.
  turn_while([this] { return engine_->iterating() || engine_->awaits_answers(); },
             kAnswersFarewell);
  server.wait_no_longer();
  serve_ready(io_, kFarewell);  // commands that waited for these answers
  changes_->save();
  end_programs();
  if (simulated()) engine_->charge_until_end();
  settle_charges();
  changes_->save();
  if (http_) http_->finish();
  reception_->finish(kFarewell);
  lines_.tell(steady_clock::now() + std::chrono::minutes(1));  // whoever was not quiet
  log(0, "fCORE", fmt::format("scheduler ends after iteration {}", engine_->iteration()));
  // The run of a job whose end was learned late is refunded in all windows since then.
  const std::size_t changed = std::max(engine_->unreported_fairshare(), std::size_t{2});
  if (!simulated()) records_.write_fairshare(*engine_, changed);
  if (auto* history = records_.history()) history->end(engine_->now());
  const Status kept = write_checkpoint(CheckpointKeeper::Occasion::end);
  log_charges_due(checkpoints_ && kept);
  flush_files();
  keep_history(kLastHistory);
}

/// Discards an incomplete iteration or command, which may be only partly recorded.  The next
/// scheduler restores the checkpoint, as after any other sudden end.
void Daemon::give_up_for_memory() {
  const bool restarts = !simulated() && can_begin_anew();
  try {
    log_.write(0, "fCORE",
               restarts ? "ALERT: there is not enough memory for the work at hand: the scheduler "
                          "restarts from its checkpoint"
                        : "ALERT: there is not enough memory for the work at hand: the scheduler "
                          "ends");
  } catch (const std::bad_alloc&) {
    // There is no memory for the log line either.
  }
  if (restarts) begin_anew_unless_at_once();
}

/// Returns false if the memory reserve is used up, so that an iteration might not complete.
bool Daemon::has_memory_for_iteration() {
  const bool opens = memory_gate_.opens(steady_clock::now());
  if (!opens) next_iteration_.set(memory_gate_.looks_at());
  if (const auto line = memory_gate_.news()) log(0, "fCORE", *line);
  return opens;
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

/// Logs how long the fence was closed, after it has opened again.
void Daemon::log_fenced_time() {
  if (options_.generation == 0) return;
  const auto fenced = std::chrono::duration_cast<std::chrono::milliseconds>(take_fenced_time());
  if (fenced.count() == 0) return;
  log(0, "fCORE",
      fmt::format("WARNING: the lease was not renewed in time: work stopped for {:.1f} s",
                  static_cast<double>(fenced.count()) / 1000));
}

void Daemon::wait_for(Driver::State state) {
  flush_files();
  if (state == Driver::State::later) next_iteration_.set(driver_->due());
  if (checkpoints_ && !checkpoints_->lost()) next_checkpoint_.set(checkpoints_->due());
  if (!slices_.any() && slices_.do_between([this] { return keep_history(kHistory); }))
    changes_->save();  // there is more for the history: the loop must not wait for an event
  else
    turn();
}

/// Waits for an event and handles it.  If an iteration is under way, serves ready clients before
/// the next slice of the iteration.
void Daemon::turn() {
  if (io_.stopped()) io_.restart();
  if (slices_.any())
    slices_.let_others();
  else
    io_.run_one();
  changes_->save();
  if (slices_.any()) slices_.do_next();
}

void Daemon::turn_while(const std::function<bool()>& condition, std::chrono::seconds most) {
  const auto late = std::make_shared<bool>(false);  // the timer's handler may outlive this function
  farewell_.expires_after(most);
  farewell_.async_wait([late](boost::system::error_code error) { *late = *late || !error; });
  while (condition() && !*late) turn();
  farewell_.cancel();
}

void Daemon::log_what_is_awaited() {
  std::vector<std::string> awaited;
  if (engine_->iterating()) awaited.push_back("the iteration under way");
  if (engine_->awaits_answers()) awaited.push_back("answers of resource managers");
  if (auto programs = programs_.underway(); !programs.empty())
    awaited.push_back(std::move(programs));
  if (!awaited.empty())
    log(0, "fCORE", fmt::format("the scheduler is ending: it waits for {}", join(awaited, "; ")));
}

/// A program that begins has a few seconds at least: the last ones are not begun just to be killed.
void Daemon::end_programs() {
  turn_while([this] { return programs_.busy(); },
             finished_ ? kProgramsOfSimulation : kProgramsBegin);
  programs_.start_no_more();
  turn_while([this] { return programs_.running(); }, kProgramsEnd);
  programs_.end(checkpoints_ && !checkpoints_->lost());
  turn_while([this] { return programs_.running(); }, kProgramsGone);
}

/// Waits until the allocation manager has answered.
void Daemon::settle_charges() {
  while (bank_ != nullptr && bank_->busy()) turn();
}

/// Logs what the allocation manager has not accepted: how much of it the checkpoint has for the
/// next scheduler, or without that all of it.
void Daemon::log_charges_due(bool kept) {
  const auto due = engine_->charges_due();
  if (kept && !due.empty())
    return log(0, "fBANK",
               fmt::format("WARNING: the allocation manager has not accepted {}: the next "
                           "scheduler sends {} again",
                           counted(due.size(), "request"), by_number(due.size(), "it", "them")));
  for (const auto& charge : due)
    log(0, "fBANK", "ALERT: not sent to the allocation manager: " + allocation_line(charge));
}

std::string Daemon::summary(Format format) {
  CommandRequest request;
  request.command = "showstats";
  const auto& admins = configuration_.settings().server.admins[0];
  request.user = admins.empty() ? "root" : admins.front();
  Reply reply = execute(*engine_, *control_, request);
  if (auto* statistics = std::get_if<StatisticsReply>(&reply))
    statistics->unfinished = simulated() && !finished_;
  return render(reply, format);
}

std::string Daemon::jobs_left() const {
  const Cluster& cluster = engine_->counted();
  SkippedJobs left;
  for (const Waiting& line : cluster.waiting()) left.add(cluster.job(line.job).name);
  if (!finished_ || left.jobs == 0) return {};
  return fmt::format("the simulation ended with {}: {}", counted(left.jobs, "waiting job"),
                     printable(left.names()));
}

void Daemon::log_of_programs(int level, std::string_view text) {
  if (level == 0) return log(level, "fCORE", text);
  log_of(LineCause::report, "programs of the site", level, "fCORE", text);
}

/// Continues at once in a simulation, which serves no clients within an iteration.
bool Daemon::pause(std::function<void()> go_on) {
  if (!simulated()) slices_.add(std::move(go_on));
  return !simulated();
}

void Daemon::triggered(const Trigger& trigger, const Reservation& reservation,
                       std::function<void()> begun) {
  const ServerMode mode = configuration_.settings().server.mode;
  if (mode == ServerMode::test) {
    log(0, "fSCHED",
        fmt::format("TEST: trigger of reservation '{}': {} {} would be run", reservation.name,
                    name_of<TriggerAction>(kTriggerActions, trigger.action), trigger.data));
    return begun();
  }
  const bool may_submit = mode == ServerMode::normal;
  programs_.trigger(trigger, reservation, options_.home.directory, may_submit,
                    [this, begun = std::move(begun)] {
                      begun();
                      if (checkpoints_) checkpoints_->write_soon();  // else a crash repeats it
                    });
}

}  // namespace maui
