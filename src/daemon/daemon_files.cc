// The daemon's files on disk: statistics, history, fairshare and checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "base/boot_time.h"
#include "daemon/daemon.h"
#include "daemon/files/safe_file.h"
#include "daemon/lease/lease_store.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

using std::chrono::steady_clock;

// The interval at which records are written while iterations follow each other without a pause.
constexpr std::chrono::seconds kFlush{1};

/// The machine's clock, its boot ID and the time since that boot, all at one moment.
struct Moment {
  Time now{0};
  Boot boot;
};

Moment this_moment() {
  const auto [now, booted] = read_together([] { return std::time(nullptr); }, boot_time);
  return {Time(now),
          {boot_id(), Seconds(std::chrono::duration_cast<std::chrono::seconds>(booted).count())}};
}

}  // namespace

/// Opens the files in STATDIR, or moves them there.
void Daemon::open_statistics() {
  const auto& server = configuration_.settings().server;
  const auto directory =
      (std::filesystem::path(options_.home.directory) / server.stat_dir).string();
  if (options_.generation > 0) take_over_files(directory);
  if (statistics_ == nullptr)
    statistics_ = std::make_unique<StatisticsFile>(directory, server.mode, workload_trace_header());
  else if (const auto synced = statistics_->move_to(directory); !synced)
    log(0, "fSTAT", "ALERT: " + synced.error().what);
  if (auto status = statistics_->prepare(engine_->now()); !status)
    log(0, "fSTAT", "ALERT: " + status.error().what);
  fairshare_ = std::make_unique<FairshareFiles>(directory);
  if (simulated()) return;
  if (history_ != nullptr) return history_->move_to(directory);
  const auto log_line = [this](const std::string& line) { log(1, "fSTAT", "WARNING: " + line); };
  history_ = std::make_unique<HistoryKeeper>(directory, server.mode, log_line);
  history_->begin();
}

/// Replaces today's files by copies with new inodes, so that a late write by a scheduler that has
/// lost the lease, through a file it still has open, reaches neither of them.
void Daemon::take_over_files(const std::string& directory) {
  for (const char* kind : {"stats", "history"}) {
    const StatisticsFile today(directory, configuration_.settings().server.mode, {}, kind);
    if (auto status = replace_by_copy(today.path(engine_->now())); !status)
      log(0, "fSTAT", "ALERT: " + status.error().what);
  }
}

void Daemon::open_files() {
  const auto& server = configuration_.settings().server;
  open_statistics();
  read_fairshare();
  open_bank();
  if (server.mode != ServerMode::normal) return;  // nothing was done that must be restored
  checkpoint_ = checkpoint_of(configuration_.settings());
  read_checkpoint();
}

CheckpointFile Daemon::checkpoint_of(const Settings& settings) const {
  const auto path =
      std::filesystem::path(options_.home.directory) / settings.server.checkpoint_file;
  return CheckpointFile(path.string(), options_.generation);
}

void Daemon::read_checkpoint() {
  const auto reader = [this](const std::string& text) -> Status {
    const auto& plot = configuration_.settings().display.plot;
    auto known = read_checkpoint_text(text, plot, engine_->names());
    if (!known) return known.error();
    log(0, "fCKPT",
        fmt::format("continuing from the checkpoint: {} jobs, {} reservations", known->jobs.size(),
                    known->reservations.size()));
    const auto [now, boot] = this_moment();
    const Seconds clock_set = clock_set_since(*known, boot, now);
    const Time since = std::min(known->when, engine_->now()) - RecordedJobs::kLate;
    recorded_.read(statistics_->paths_since(since), since, clock_set, *known);
    add_later(*known, read_starts());
    if (history_ != nullptr) history_->restore(known->waited);
    checkpoint_made_ = known->when + clock_set;
    engine_->restore(std::move(*known), clock_set);
    return Done{};
  };
  const auto log_line = [this](const std::string& line) { log(0, "fCKPT", line); };
  const auto found = checkpoint_->read(reader, log_line);
  // Without a checkpoint, it would be unknown after a crash which jobs are to be accounted.
  checkpoint_due_ = steady_clock::now();
  if (found == CheckpointFile::Found::used) checkpoint_due_ += checkpoint_interval();
  if (found != CheckpointFile::Found::unusable) return;
  lost_ = true;
  world_->only_look(kLoss);
  engine_->set_settings(engine_settings());
  log(0, "fCKPT",
      fmt::format("ALERT: {}: holds, priorities, reservations and statistics stored only there "
                  "are missing; restart with a readable file, or set holds again and "
                  "accept the loss with schedctl -r",
                  kLoss));
}

/// Returns the jobs whose starts were requested since the checkpoint that is being read.
std::vector<CheckpointedJob> Daemon::read_starts() {
  std::vector<CheckpointedJob> jobs;
  const auto log_line = [this](const std::string& line) { log(0, "fCKPT", line); };
  for (const std::string& line : starts_.read(*checkpoint_, log_line)) {
    auto job = read_job_line(line, engine_->names());
    if (job)
      jobs.push_back(*std::move(job));
    else
      log_line("ALERT: a start since the checkpoint is not known: " + job.error().what);
  }
  if (!jobs.empty())
    log_line(fmt::format("starts requested since the checkpoint: {}", jobs.size()));
  return jobs;
}

/// If the requests cannot be written down, they are made all the same, as other decisions of the
/// scheduler's own are carried out while no checkpoint can be written.
void Daemon::keep_requests(const Cluster& cluster, const std::vector<CheckpointedJob>& jobs) {
  const bool no_checkpoint = checkpoint_->identity().last.empty();
  if (!failing_ && (no_checkpoint || need_checkpoint(jobs, checkpoint_made_)))
    if (write_checkpoint()) return;  // it has these requests
  if (checkpoint_->identity().last.empty()) return;
  std::vector<std::string> lines;
  for (const CheckpointedJob& job : jobs) lines.push_back(job_line(cluster, job));
  const Status kept = starts_.add(*checkpoint_, lines);
  const auto news = starts_failure_.note(kept);
  if (!news) return;
  log(0, "fCKPT", *news);
  if (!kept) programs_.event({EventType::checkpoint_failure, {kept.error().what}});
}

std::optional<std::string> Daemon::unaccepted_loss() const {
  return lost_ ? std::optional<std::string>(kLoss) : std::nullopt;
}

void Daemon::accept_loss() {
  log(0, "fCKPT", "WARNING: the contents of the checkpoint are given up: scheduling begins");
  checkpoint_->set_aside([this](const std::string& line) { log(0, "fCKPT", line); });
  lost_ = false;
  world_->only_look({});
  engine_->set_settings(engine_settings());
  checkpoint_due_ = steady_clock::now();
}

steady_clock::duration Daemon::checkpoint_interval() const {
  const auto interval = configuration_.settings().server.checkpoint_interval.raw();
  return std::chrono::seconds(std::clamp<std::int64_t>(interval, 1, 366 * 24 * 3600));
}

Status Daemon::write_checkpoint(bool at_the_end) {
  // As long as nothing is known and nothing was changed, the old checkpoint remains valid.
  if (!checkpoint_ || lost_ || (engine_->iteration() < 0 && !unsaved_)) return Done{};
  checkpoint_due_ = steady_clock::now() + checkpoint_interval();
  constexpr int kShare = 20;  // decisions of the scheduler's own cost a twentieth of its time
  const auto begin = steady_clock::now();
  auto saved = save_checkpoint(at_the_end);
  const auto end = steady_clock::now();
  saving_took_ = end - begin;
  checkpoint_free_ = end + kShare * saving_took_;
  note_kept(saved);
  return saved;
}

void Daemon::checkpoint_outdated() {
  if (!failing_) checkpoint_due_ = std::min(checkpoint_due_, checkpoint_free_);
}

/// At once: no record may be dated otherwise than the checkpoint that it follows.
void Daemon::clock_was_set() { [[maybe_unused]] const Status written = write_checkpoint(); }

/// Writes a checkpoint after the records and charges that it assumes to be written; if these cannot
/// be written, the old checkpoint stays.
Status Daemon::save_checkpoint(bool at_the_end) {
  if (auto status = save_all(); !status) return status;
  if (history_ != nullptr) history_->sync();  // first: a job with a record is not told of again
  if (auto status = statistics_->sync(); !status) return status;
  if (bank_ != nullptr)
    if (auto status = bank_->save(); !status) return status;
  if (auto status = server_->sync(); !status) return status;
  constexpr std::size_t kGrowth = 8;  // by an eighth
  const std::size_t last = checkpoint_->last_size();
  CheckpointText text(engine_->cluster(), last + last / kGrowth);
  Checkpoint made = engine_->checkpoint([&](const CheckpointedJob& job) { text.add(job); });
  if (history_ != nullptr)
    history_->for_each_waited(
        engine_->counted(), engine_->now(),
        [&](const Job& job, std::string_view why) { text.add_wait(job.name, job.submitted, why); });
  made.records = statistics_->lengths_since(made.when - RecordedJobs::kLate);
  made.in_good_order = at_the_end;
  const auto [now, boot] = this_moment();
  made.written = now;
  made.boot = boot;
  if (auto status = checkpoint_->write(text.finish(made)); !status) return status;
  checkpoint_made_ = made.when;
  log(5, "fCKPT", fmt::format("checkpoint written: {} bytes", checkpoint_->last_size()));
  return Done{};
}

/// Succeeds if the change that a command is about to make can be saved afterwards.
Status Daemon::can_keep() {
  if (auto status = save_all(); !status) return status;
  return checkpoint_->make_room(room_to_keep());
}

/// Returns how much longer the next checkpoint may be than the last.
std::size_t Daemon::room_to_keep() const {
  constexpr std::size_t kOfAJob = 256, kOfTheRest = std::size_t{1} << 20;
  return engine_->cluster().jobs().size() * kOfAJob + kOfTheRest;
}

/// Succeeds if a checkpoint can be written at CHECKPOINTFILE of the next settings.
Status Daemon::can_keep_with(const Settings& next) const {
  if (!checkpoint_ ||
      next.server.checkpoint_file == configuration_.settings().server.checkpoint_file)
    return Done{};
  const auto room = checkpoint_of(next).make_room(checkpoint_->last_size() + room_to_keep());
  return room ? room : Error{"CHECKPOINTFILE: " + room.error().what};
}

/// Notifies people when writing of checkpoints begins to fail, and when it works again.
void Daemon::note_kept(const Status& kept) {
  if (kept) {
    if (std::exchange(failing_, false)) log(0, "fCKPT", "the checkpoint is written again");
    return;
  }
  log(0, "fCKPT", "ALERT: the checkpoint is not written: " + kept.error().what);
  if (!std::exchange(failing_, true))
    programs_.event({EventType::checkpoint_failure, {kept.error().what}});
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

/// Returns true if there is more to read.
bool Daemon::keep_history(steady_clock::duration enough) {
  if (history_ == nullptr) return false;
  const Seconds age = configuration_.settings().learning.history_age;
  return history_->go_on(enough, age < kUnlimited ? engine_->now() - age : Time(0));
}

std::shared_ptr<history::HistoryReader> Daemon::history() const {
  return history_ != nullptr ? history_->reader() : nullptr;
}

Status Daemon::save_all() {
  if (fairshare_unsaved_ && !engine_->fairshare().windows.empty())
    write_fairshare(engine_->cluster(), engine_->fairshare().windows.front(),
                    engine_->fairshare().complete_until);
  Status saved = Done{};
  if (history_ != nullptr) history_->write();
  if (statistics_ != nullptr) saved = statistics_->flush();
  if (const auto line = statistics_failure_.note(saved)) log(0, "fSTAT", *line);
  if (history_ != nullptr) history_->follow(*statistics_);
  log_.flush();
  return saved;
}

/// Writes what can be written; failures are in the log.
void Daemon::flush_files() { [[maybe_unused]] const Status saved = save_all(); }

/// Only outside simulations: a simulation that runs through writes when its buffers are full.
void Daemon::flush_if_due() {
  const auto now = steady_clock::now();
  if (simulated() || engine_->iterating() || now < flush_due_) return;
  bounded_lines_.tell(now);
  flush_files();
  flush_due_ = now + kFlush;
}

Status Daemon::save_summary() {
  const auto directory =
      std::filesystem::path(options_.home.directory) / configuration_.settings().server.stat_dir;
  const std::pair<const char*, Format> files[] = {{"summary.txt", Format::text},
                                                  {"summary.json", Format::json}};
  for (const auto& [name, format] : files)
    if (auto status = replace_file((directory / name).string(), summary(format), Durability::crash);
        !status)
      return status;
  return Done{};
}

// A simulation is repeated, not continued: its current window is written when it pauses.
void Daemon::fairshare_changed(const Cluster& cluster, const FairshareHistory& history,
                               const FairshareWindow& window, bool over) {
  const bool kept = configuration_.settings().fairshare.metric != FairshareMetric::none;
  if (simulated() && !kept) return;
  fairshare_unsaved_ = true;
  if (over || !simulated()) write_fairshare(cluster, window, history.complete_until);
}

void Daemon::write_fairshare(const Cluster& cluster, const FairshareWindow& window, Time until) {
  const auto durability = simulated() ? Durability::crash : Durability::power_loss;
  const auto written = fairshare_->write(cluster, window, until, durability);
  if (const auto line = fairshare_failure_.note(written)) log(0, "fFS", *line);
  fairshare_unsaved_ = false;
}

/// Writes the newest windows, at most `most`.
void Daemon::write_fairshare_windows(std::size_t most) {
  const auto& history = engine_->fairshare();
  for (std::size_t i = 0; i < std::min(most, history.windows.size()); ++i)
    write_fairshare(engine_->cluster(), history.windows[i], history.complete_until);
}

}  // namespace maui
