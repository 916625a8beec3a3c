#include "daemon/files/checkpoint_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/date.h"
#include "base/text.h"

namespace maui {
namespace {

using std::chrono::steady_clock;

}  // namespace

CheckpointKeeper::CheckpointKeeper(CheckpointFile file, Surroundings surroundings)
    : file_(std::move(file)), around_(std::move(surroundings)) {}

void CheckpointKeeper::restore(const std::optional<std::string>& left_behind) {
  Time made{0};
  const auto found = file_.read([&](const std::string& text) { return read(text, made); },
                                [this](const std::string& line) { around_.log(0, line); });
  // Without a checkpoint, it would be unknown after a crash which jobs are to be accounted.
  write_soon();
  const auto remain = found == CheckpointFile::Found::none ? file_.remains() : std::nullopt;
  lost_ = found == CheckpointFile::Found::unusable || left_behind || remain;
  if (remain) around_.log(0, fmt::format("ALERT: there is '{}', but no checkpoint", *remain));
  if (left_behind) around_.log(0, "ALERT: " + *left_behind);
  if (found == CheckpointFile::Found::used) due_ += interval();
  if (found == CheckpointFile::Found::previous) {
    older_ = fmt::format(
        "the checkpoint of {} is used, since a newer one is missing or damaged: what was changed "
        "in between is not known",
        format_date(made, true));
    around_.log(0, "ALERT: " + older_);
  }
  if (!lost_) return;
  earlier_ = EarlierScheduler();
  around_.log(0,
              fmt::format("ALERT: {}: holds, priorities, reservations and statistics stored only "
                          "there are missing; restart with a readable file, or set holds again and "
                          "accept the loss with schedctl -r",
                          kLoss));
}

Status CheckpointKeeper::read(const std::string& text, Time& made) {
  Engine& engine = around_.engine;
  auto known = read_checkpoint_text(text, engine.settings().display.plot, engine.names());
  if (!known) return known.error();
  around_.log(
      0, fmt::format("continuing from the checkpoint: {}, {}", counted(known->jobs.size(), "job"),
                     counted(known->reservations.size(), "reservation")));
  const Seconds clock_set = clock_set_between(known->clock, around_.clock());
  around_.go_on_from(
      {known->clock.boot, known->clock.ahead + std::chrono::seconds(clock_set.raw())});
  around_.records.add_recorded(*known, engine.now());
  add_later(*known, read_requests());
  if (auto* history = around_.records.history()) history->restore(known->waited);
  must_be_followed_ = clock_set != Seconds(0) || known->in_good_order;
  made = known->when + clock_set;
  earlier_ = {clock_set, known->end_of_messages};
  engine.restore(std::move(*known), clock_set);
  return Done{};
}

/// Returns the jobs of requests since the checkpoint that is being read.
std::vector<CheckpointedJob> CheckpointKeeper::read_requests() {
  std::vector<CheckpointedJob> jobs;
  const auto log_line = [this](const std::string& line) { around_.log(0, line); };
  for (const std::string& line : requests_.read(file_, log_line)) {
    auto job = read_job_line(line, around_.engine.names());
    if (job)
      jobs.push_back(*std::move(job));
    else
      log_line("ALERT: a request since the checkpoint is not known: " + job.error().what);
  }
  if (!jobs.empty())
    log_line(fmt::format("starts and requeues requested since the checkpoint: {}", jobs.size()));
  return jobs;
}

void CheckpointKeeper::accept_loss() {
  around_.log(0, "WARNING: the contents of the checkpoint are given up: scheduling begins");
  file_.set_aside([this](const std::string& line) { around_.log(0, line); });
  lost_ = false;
  write_soon();
}

steady_clock::duration CheckpointKeeper::interval() const {
  const Seconds interval = around_.engine.settings().server.checkpoint_interval;
  return std::chrono::seconds(std::clamp<std::int64_t>(interval.raw(), 1, 366 * 24 * 3600));
}

void CheckpointKeeper::outdated() {
  if (!failing_) due_ = std::min(due_, free_);
}

Status CheckpointKeeper::write(Occasion occasion) {
  // As long as nothing is known and nothing was changed, the old checkpoint remains valid.
  const bool valid = around_.engine.iteration() < 0 && occasion != Occasion::change;
  if (lost_ || valid) return Done{};
  constexpr int kShare = 20;  // decisions of the scheduler's own cost a twentieth of its time
  const auto begin = steady_clock::now();
  due_ = begin + interval();
  auto saved = save(occasion == Occasion::end);
  const auto end = steady_clock::now();
  took_ = end - begin;
  free_ = end + kShare * took_;
  note(saved);
  return saved;
}

/// Writes a checkpoint after the records and charges that it assumes to be written; if these cannot
/// be written, the old checkpoint stays.
Status CheckpointKeeper::save(bool in_good_order) {
  const Engine& engine = around_.engine;
  Records& records = around_.records;
  if (auto status = records.save(engine); !status) return status;
  if (auto status = records.sync(); !status) return status;
  if (auto status = around_.save_others(); !status) return status;
  constexpr std::size_t kGrowth = 8;  // by an eighth
  const std::size_t last = file_.last_size();
  CheckpointText text(engine.cluster(), last + last / kGrowth);
  Checkpoint made = engine.checkpoint([&](const CheckpointedJob& job) { text.add(job); });
  if (const auto* history = records.history())
    history->for_each_waited(
        engine.counted(), engine.now(),
        [&](const Job& job, std::string_view why) { text.add_wait(job.name, job.submitted, why); });
  made.records = records.lengths(made.when);
  made.in_good_order = in_good_order;
  made.unwritten = records.unwritten_fairshare();
  made.clock = around_.clock();
  made.end_of_messages = around_.end_of_messages();
  if (earlier_) made.end_of_messages = std::max(made.end_of_messages, earlier_->end_of_messages);
  if (auto status = file_.write(text.finish(made)); !status) return status;
  accounted_.clear();
  around_.log(5, fmt::format("checkpoint written: {} bytes", file_.last_size()));
  return Done{};
}

void CheckpointKeeper::keep_requests(const Cluster& cluster,
                                     const std::vector<CheckpointedJob>& jobs) {
  const bool has_file = !file_.identity().last.empty();
  if (!failing_ && (!has_file || need_checkpoint(jobs, accounted_)))
    if (write(Occasion::change)) return;  // it has these requests
  if (!has_file) return;
  std::vector<std::string> lines;
  for (const CheckpointedJob& job : jobs) lines.push_back(job_line(cluster, job));
  const Status kept = requests_.add(file_, lines);
  const auto news = requests_failure_.note(kept);
  if (!news) return;
  around_.log(0, *news);
  if (!kept) around_.failed(kept.error().what);
}

Status CheckpointKeeper::can_keep() {
  Status can = around_.records.save(around_.engine);
  if (can) can = file_.make_room(room());
  if (!can && !failing_) note(can);
  return can;
}

/// Returns how much longer the next checkpoint may be than the last.
std::size_t CheckpointKeeper::room() const {
  constexpr std::size_t kOfAJob = 256, kOfTheRest = std::size_t{1} << 20;
  return around_.engine.cluster().jobs().size() * kOfAJob + kOfTheRest;
}

Status CheckpointKeeper::can_move_to(const CheckpointFile& other) const {
  return other.make_room(file_.last_size() + room());
}

void CheckpointKeeper::move_to(CheckpointFile other) {
  file_ = std::move(other);
  write_soon();
}

/// Tells people when writing of checkpoints begins to fail, and when it works again.
void CheckpointKeeper::note(const Status& kept) {
  if (kept) {
    if (std::exchange(failing_, false)) around_.log(0, "the checkpoint is written again");
    return;
  }
  around_.log(0, "ALERT: the checkpoint is not written: " + kept.error().what);
  if (!std::exchange(failing_, true)) around_.failed(kept.error().what);
}

}  // namespace maui
