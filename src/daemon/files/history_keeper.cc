#include "daemon/files/history_keeper.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/fence.h"
#include "base/text.h"
#include "cmd/facts/reservation_facts.h"
#include "model/job_dates.h"
#include "model/placement.h"
#include "sched/query/reason_words.h"

namespace maui {
namespace {

constexpr std::size_t kPeriods = 16;              // of a job's wait
constexpr std::size_t kMostUnwritten = 4u << 20;  // bytes kept while the disk is full
constexpr std::size_t kMostAtOnce = 4u << 20;     // bytes that are written before the records
constexpr std::int64_t kMinute = 60;
constexpr Seconds kGap{3600};  // a longer gap between iterations counts as unknown

}  // namespace

HistoryKeeper::HistoryKeeper(const std::string& directory, ServerMode mode, Log log)
    : log_(std::move(log)),
      keeps_files_(mode != ServerMode::test),
      events_(directory, mode, {}, "history"),
      waits_(kPeriods) {
  if (keeps_files_) index_.emplace(directory, log_);
}

void HistoryKeeper::begin() {
  if (index_) index_->begin();
}

std::shared_ptr<history::HistoryReader> HistoryKeeper::reader() const {
  return index_ ? index_->reader() : nullptr;
}

void HistoryKeeper::move_to(const std::string& directory) {
  if (!keeps_files_) return;
  if (const auto synced = events_.move_to(directory); !synced) log_(synced.error().what);
  index_.emplace(directory, log_);
  index_->begin();
}

void HistoryKeeper::add(const history::Event& event, Time when) {
  if (!keeps_files_) return;
  // write() tries again, and logs, lines that cannot be written.
  [[maybe_unused]] const Status added = events_.add(history::event_line(event), when);
}

void HistoryKeeper::job_ended(const Cluster& cluster, JobId id, int exit_code) {
  const Job& job = cluster.job(id);
  const history::JobEnding ending{job.name, dates_of(job).submitted, job.ended, exit_code,
                                  history::waits_of(waits_.take(job))};
  if (!is_written(ending)) add(ending, job.ended);
}

/// True if the line of this end is in the files: a scheduler was killed after it had written that,
/// and before it wrote the job's record.
bool HistoryKeeper::is_written(const history::JobEnding& ending) {
  constexpr Seconds kDay{24 * 3600};
  if (!keeps_files_) return false;
  if (!written_) {
    written_.emplace();
    const std::string lines = events_.tails_since(ending.ended - kDay, kMostAtOnce);
    for (const auto line : split(lines, '\n'))
      if (const auto event = history::parse_event_line(line))
        if (const auto* known = std::get_if<history::JobEnding>(&*event))
          written_->insert({known->name, known->submitted, known->ended});
  }
  return written_->erase({ending.name, ending.submitted, ending.ended}) > 0;
}

void HistoryKeeper::forget(const Job& job) { waits_.take(job); }

std::vector<history::Wait> HistoryKeeper::waits_of(const Job& job, Time now) const {
  return history::waits_of(waits_.of(job, now));
}

void HistoryKeeper::for_each_waited(
    const Cluster& cluster, Time now,
    const std::function<void(const Job& job, std::string_view why)>& f) const {
  waits_.for_each_kept(cluster, now,
                       [&](const Job& job, const std::vector<WaitHistory::Period>& periods) {
                         f(job, history::waits_text(periods));
                       });
}

/// Restores the waits; omits waits that cannot be parsed or have unknown reasons, which then begin
/// anew.
void HistoryKeeper::restore(const std::vector<Checkpoint::Waited>& waited) {
  std::vector<WaitHistory::Kept> kept;
  for (const auto& waited_job : waited) {
    const auto waits = history::parse_waits(waited_job.why);
    if (!waits) continue;
    WaitHistory::Kept job{waited_job.job, waited_job.submitted, {}};
    for (const history::Wait& wait : *waits)
      if (const auto reason = reason_of(wait.reason); reason && job.periods.size() < kPeriods)
        job.periods.push_back({*reason, wait.start, wait.end});
    if (job.periods.size() == waits->size()) kept.push_back(std::move(job));
  }
  waits_.restore(std::move(kept));
}

void HistoryKeeper::iteration_ended(const Engine& engine) {
  ++iterations_;
  const Cluster& cluster = engine.counted();
  waits_.look(cluster, engine.settings(), engine.plan(), engine.now());
  look_at_reservations(cluster, engine.now());
  account_use(cluster, engine.now());
}

/// Records administrative and standing reservations; job records contain those of jobs.
void HistoryKeeper::look_at_reservations(const Cluster& cluster, Time now) {
  if (std::exchange(reservation_changes_, cluster.reservation_changes()) ==
      cluster.reservation_changes())
    return;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job) continue;
    auto& [past, seen] = reservations_[reservation.serial];
    seen = iterations_;
    const auto nodes = static_cast<std::int64_t>(node_count(reservation.nodes));
    if (past.name != reservation.name || past.nodes != nodes)
      past.procs = procs_of(cluster, reservation);
    past.name = reservation.name;
    past.type = reservation.kind == ReservationKind::standing ? "standing" : "administrative";
    past.start = reservation.start;
    past.end = reservation.end;
    past.nodes = nodes;
  }
  for (auto at = reservations_.begin(); at != reservations_.end();) {
    auto& [past, seen] = at->second;
    if (seen == iterations_) {
      ++at;
      continue;
    }
    past.end = std::min(past.end, now);
    if (past.start < past.end) add(past, past.end);
    at = reservations_.erase(at);
  }
}

/// Adds the use since the last iteration for each second until `now`, minute by minute.
void HistoryKeeper::account_until(Time now) {
  for (Time at = *accounted_; at < now;) {
    const Time begin(at.raw() / kMinute * kMinute), next = begin + Seconds(kMinute);
    if (minute_.start != begin) {
      if (minute_.seconds > 0) add(minute_, minute_.start);
      minute_ = {};
      minute_.start = begin;
    }
    const Time until = std::min(now, next);
    const auto seconds = (until - at).raw();
    minute_.seconds += seconds;
    minute_.busy += rate_.busy * seconds;
    minute_.up += rate_.up * seconds;
    minute_.active += rate_.active * seconds;
    minute_.waiting += rate_.waiting * seconds;
    at = until;
  }
}

void HistoryKeeper::account_use(const Cluster& cluster, Time now) {
  if (accounted_ && now - *accounted_ <= kGap) account_until(now);
  accounted_ = now;
  const ClusterCounts& counts = cluster.counts();
  rate_.busy = counts.held_procs;
  rate_.up = counts.procs_up();
  rate_.active = static_cast<std::int64_t>(cluster.active().size());
  rate_.waiting = static_cast<std::int64_t>(cluster.waiting().size());
}

void HistoryKeeper::write() {
  const Status written = events_.flush();
  if (!written && !std::exchange(failing_, true))
    log_("the text files of the history cannot be written: " + written.error().what);
  if (written && std::exchange(failing_, false))
    log_("the text files of the history are written again");
  if (events_.unwritten() > kMostUnwritten) {
    log_("too many unwritten lines of the history: they are dropped");
    events_.forget_unwritten();
  }
}

void HistoryKeeper::sync() {
  // If this fails, write() fails next and says so; the scheduler goes on without a history.
  [[maybe_unused]] const Status synced = events_.sync();
}

void HistoryKeeper::follow(StatisticsFile& records) {
  for (const auto& path : events_.take_written()) index_->note(path);
  for (const auto& path : records.take_written()) index_->note(path);
}

bool HistoryKeeper::go_on(std::chrono::steady_clock::duration enough, Time oldest) {
  if (!index_) return false;
  pass_fence();
  return index_->go_on(enough, oldest);
}

void HistoryKeeper::end(Time now) {
  if (accounted_ && now - *accounted_ <= kGap) account_until(now);
  if (minute_.seconds > 0) add(std::exchange(minute_, {}), now);
  write();
}

}  // namespace maui
