// The daemon's files on disk: statistics, history, fairshare and checkpoints.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "daemon/daemon.h"
#include "daemon/files/safe_file.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

using std::chrono::steady_clock;

// The interval at which records are written while iterations follow each other without a pause.
constexpr std::chrono::seconds kFlush{1};

}  // namespace

std::string Daemon::statistics_directory(const Settings& settings) const {
  return (std::filesystem::path(options_.home.directory) / settings.server.stat_dir).string();
}

/// Opens the files in STATDIR, or continues there.
void Daemon::open_records() {
  const auto directory = statistics_directory(configuration_.settings());
  if (options_.generation > 0) records_.take_over(directory, engine_->now());
  records_.open(directory, engine_->now());
}

Status Daemon::open_files() {
  const Settings& settings = configuration_.settings();
  const bool keeps = settings.server.mode == ServerMode::normal;
  if (keeps)
    if (auto covered = cover_checkpoint(settings); !covered) return covered;
  open_records();
  engine_->begin_fairshare(
      records_.read_fairshare(settings.fairshare, engine_->now(), engine_->names()));
  open_bank();
  if (keeps) open_checkpoint();  // otherwise nothing was done that must be restored
  return Done{};
}

std::string Daemon::checkpoint_path(const Settings& settings) const {
  return (std::filesystem::path(options_.home.directory) / settings.server.checkpoint_file)
      .string();
}

CheckpointFile Daemon::checkpoint_of(const Settings& settings) const {
  return CheckpointFile(checkpoint_path(settings), options_.generation);
}

/// Keeps schedulers of other home directories from the checkpoint of these settings.
Status Daemon::cover_checkpoint(const Settings& settings) const {
  const auto covered = lock_.cover_checkpoint(checkpoint_path(settings));
  return covered ? covered : Error{"CHECKPOINTFILE: " + covered.error().what};
}

void Daemon::open_checkpoint() {
  const auto save_others = [this]() -> Status {
    if (bank_ != nullptr)
      if (auto status = bank_->save(); !status) return status;
    return reception_->server().sync();
  };
  const auto log_line = [this](int level, std::string_view text) { log(level, "fCKPT", text); };
  const auto notify = [this](const std::string& why) {
    programs_.event({EventType::checkpoint_failure, {why}});
  };
  checkpoints_.emplace(checkpoint_of(configuration_.settings()),
                       CheckpointKeeper::Surroundings{
                           *engine_, records_, [this] { return world_->clock_reference(); },
                           [this](const ClockReference& since) { world_->go_on_from(since); },
                           [this] { return Time(reception_->server().end_of_messages()); },
                           save_others, log_line, notify});
  checkpoints_->restore(
      checkpoint_left_behind(checkpoint_path(configuration_.settings()), options_.home.directory));
  if (!checkpoints_->lost()) return;
  world_->only_look(CheckpointKeeper::kLoss);
  engine_->set_settings(engine_settings());
}

std::optional<std::string> Daemon::unaccepted_loss() const {
  return lost_checkpoint() ? std::optional<std::string>(CheckpointKeeper::kLoss) : std::nullopt;
}

void Daemon::accept_loss() {
  checkpoints_->accept_loss();
  world_->only_look({});
  engine_->set_settings(engine_settings());
}

Status Daemon::write_checkpoint(CheckpointKeeper::Occasion occasion) {
  return checkpoints_ ? checkpoints_->write(occasion) : Status(Done{});
}

void Daemon::checkpoint_outdated() {
  if (checkpoints_) checkpoints_->outdated();
}

/// At once: no record may be dated otherwise than the checkpoint that it follows.
void Daemon::clock_was_set() {
  [[maybe_unused]] const Status written = write_checkpoint(CheckpointKeeper::Occasion::change);
}

/// Succeeds if records and a checkpoint can be written at STATDIR and CHECKPOINTFILE of the next
/// settings, which are then adopted; already keeps others from that checkpoint.
Status Daemon::can_keep_with(const Settings& next) const {
  const ServerSettings& now = configuration_.settings().server;
  if (next.server.stat_dir != now.stat_dir)
    if (const auto can = records_.can_move_to(statistics_directory(next), engine_->now()); !can)
      return Error{"STATDIR: " + can.error().what};
  if (!checkpoints_ || next.server.checkpoint_file == now.checkpoint_file) return Done{};
  if (auto covered = cover_checkpoint(next); !covered) return covered;
  const auto can = checkpoints_->can_move_to(checkpoint_of(next));
  if (can) return can;
  [[maybe_unused]] const Status as_before = cover_checkpoint(configuration_.settings());
  return Error{"CHECKPOINTFILE: " + can.error().what};
}

/// Returns true if there is more to read.
bool Daemon::keep_history(steady_clock::duration enough) {
  auto* history = records_.history();
  if (history == nullptr) return false;
  const Seconds age = configuration_.settings().learning.history_age;
  return history->go_on(enough, age < kUnlimited ? engine_->now() - age : Time(0));
}

Status Daemon::save_all() {
  const Status saved = engine_ != nullptr ? records_.save(*engine_) : Status(Done{});
  log_.flush();
  return saved;
}

/// Writes what can be written; failures are in the log.
void Daemon::flush_files() { [[maybe_unused]] const Status saved = save_all(); }

/// Only outside simulations: a simulation that runs through writes when its buffers are full.
void Daemon::flush_if_due() {
  const auto now = steady_clock::now();
  if (simulated() || engine_->iterating() || now < flush_due_) return;
  lines_.tell(now);
  flush_files();
  flush_due_ = now + kFlush;
}

Status Daemon::save_summary() {
  const std::filesystem::path directory = statistics_directory(configuration_.settings());
  const std::pair<const char*, Format> files[] = {{"summary.txt", Format::text},
                                                  {"summary.json", Format::json}};
  for (const auto& [name, format] : files)
    if (auto status = replace_file((directory / name).string(), summary(format), Durability::crash);
        !status)
      return status;
  return Done{};
}

void Daemon::fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                               const FairshareWindow& window, bool over) {
  const bool kept = configuration_.settings().fairshare.metric != FairshareMetric::none;
  if (simulated() && !kept) return;
  records_.fairshare_changed(cluster, history, window, over);
}

void Daemon::job_ended(const Cluster& cluster, JobId job, int exit_code) {
  const Job& ended = cluster.job(job);
  const auto record = write_workload_record(cluster, ended, engine_->steady_start(ended));
  if (!records_.job_ended(cluster, job, record, exit_code)) return;
  if (wants(6)) log(6, "fSTAT", fmt::format("job '{}' is recorded: {}", ended.name, record));
  programs_.job_ended(cluster, ended);
}

bool Daemon::keep_records() {
  return simulated() || static_cast<bool>(records_.write());  // failures are in the log
}

}  // namespace maui
