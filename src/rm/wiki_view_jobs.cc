// The jobs that a WIKI server has reported, and what is new of them in each answer.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/job_dates.h"
#include "model/told_suspension.h"
#include "rm/wiki_differences.h"
#include "rm/wiki_message.h"
#include "rm/wiki_view.h"

namespace maui {
namespace {

// The number of host names in a job's lists that cost as much time as a job.
constexpr std::size_t kHostsOfAJob = 10;
// The length of a record that costs as much time as a job with a usual one.
constexpr std::size_t kLengthOfAJob = 500;

/// Returns the first host that the job asks for and that is unknown; empty: none.
std::string unknown_host(const JobReport& report, const Cluster& cluster) {
  for (const auto* hosts : {&report.host_list, &report.requirement_hosts})
    for (const std::string& host : *hosts)
      if (!host.empty() && !cluster.find_node(host).valid()) return host;
  return {};
}

JobState state_of(WikiState state) {
  switch (state) {
    case WikiState::starting:
      return JobState::starting;
    case WikiState::running:
      return JobState::running;
    case WikiState::suspended:
      return JobState::suspended;
    case WikiState::completed:
      return JobState::completed;
    case WikiState::removed:
      return JobState::removed;
    case WikiState::unknown:
      return JobState::not_queued;
    case WikiState::idle:
    case WikiState::hold:
    case WikiState::system_hold:
    case WikiState::both_holds:
      break;
  }
  return JobState::idle;
}

std::uint8_t holds_in(WikiState state) {
  std::uint8_t holds = 0;
  const bool both = state == WikiState::both_holds;
  put(holds, Hold::user, both || state == WikiState::hold);
  put(holds, Hold::system, both || state == WikiState::system_hold);
  return holds;
}

}  // namespace

/// Times in the future stay: they tell jobs and runs apart, and the scheduler knows whether its own
/// clock has been set back since.
void WikiView::note_future_times(const Job& times, Time now) {
  for (const Time time : {times.submitted, times.started, times.ended}) {
    if (time <= now + kRoundedUp || time == kForever) continue;
    note(fmt::format(
        "resource manager '{}' reports times in the future; they count as now, unless this "
        "machine's clock was set back since",
        name_));
  }
}

void WikiView::bound_suspension(WikiJob& job, const Job* here, Time now) {
  Job& told = job.report.job;
  const auto in_run =
      told_suspension(told, state_of(job.state.value_or(WikiState::idle)), here, now);
  if (!in_run) note(told_too_long(job.report.name));
  told.suspended_time = in_run.value_or(Seconds(0));
}

JobReport WikiView::report_of(WikiJob job, Time now) const {
  JobReport report = std::move(job.report);
  Job& own = report.job;
  const bool ran = job.active() || job.ended() || job.state == WikiState::suspended;
  if (job.use && ran && own.started < kForever) {
    own.use = *job.use;
    own.used_run =
        std::max(std::min(job.used_until, now) - own.started - own.suspended_time, Seconds(0));
  }
  own.resource_manager = name_;
  own.state = state_of(job.state.value_or(WikiState::unknown));
  own.holds = holds_in(job.state.value_or(WikiState::idle));
  report.task_list = std::move(job.task_list);
  own.ended = kForever;
  return report;
}

bool WikiView::take_jobs(const WikiRecords& answer, bool all, const Cluster& cluster, Time now,
                         Update& update, std::size_t& taken) {
  if (taken == 0) begin_jobs(answer, all);
  const std::size_t listed = answer.records.size(), every = listed + again_.size();
  for (std::size_t work = 0; taken < every && work < kAtOnce; ++taken)
    work += 1 + (taken < listed ? take_job(answer.records[taken], all, cluster, now, update)
                                : look_again(again_[taken - listed], cluster, now, update));
  if (taken < every) return false;
  std::erase(update.incomplete, name_);
  if (all && answer.problems.empty())
    miss_jobs(cluster, update);
  else
    update.incomplete.push_back(name_);
  return true;
}

/// A complete answer has all jobs that were ignored.
void WikiView::begin_jobs(const WikiRecords& answer, bool all) {
  for (const auto& problem : answer.problems) note("jobs: " + problem);
  for (auto& [id, known] : jobs_) known.seen = false;
  again_ = std::exchange(offered_, {});
  if (all) {
    again_.clear();
    ignored_.clear();
  }
  for (const auto& [name, record] : ignored_) again_.push_back(name);
}

/// The answer may have the job already.  Another manager's job may have got the name of one that
/// was reported as new.
std::size_t WikiView::look_again(const std::string& job, const Cluster& cluster, Time now,
                                 Update& update) {
  const auto known = jobs_.find(job);
  if (known == jobs_.end() || known->second.seen) return 0;
  if (const auto ignored = ignored_.find(job); ignored != ignored_.end())
    return take_job(SharedWikiRecord(ignored->second), false, cluster, now, update);
  const SharedWikiRecord offered = known->second.record;
  if (offered && !why_ignored(job, cluster).empty()) ignore(known->second, offered);
  return 0;
}

/// When the name is free, the job is reported as new.
void WikiView::ignore(KnownJob& known, const SharedWikiRecord& next) {
  ignored_[next->id] = next;
  known.record = known.taken = nullptr;
  known.ended = known.lost = false;
}

/// Returns why no job of that name may be reported; empty: it may.
std::string WikiView::why_ignored(const std::string& job, const Cluster& cluster) const {
  const JobId id = cluster.find_job(job);
  if (id.valid()) {
    const std::string& owner = cluster.job(id).resource_manager;
    return owner == name_ ? "" : fmt::format("already belongs to resource manager '{}'", owner);
  }
  const std::string* const owner = cluster.awaited_jobs.manager_of(job);
  if (owner == nullptr || *owner == name_) return {};
  return fmt::format(
      "belonged to resource manager '{}' when the checkpoint was written, and that has not listed "
      "its jobs since",
      *owner);
}

/// Some servers lose attributes of a job's request when a start is refused, and report them empty.
/// The earlier value counts until the server reports a new value or omits the attribute.
void WikiView::keep_what_was_lost(KnownJob& known, SharedWikiRecord& next) {
  const bool may_lose = std::exchange(known.may_lose, false);
  std::erase_if(known.attributes_kept, [&](const std::string& name) {
    const auto* value = next->find(name);
    return value == nullptr || !wiki_text(*value).empty();
  });
  if (!known.record || (!may_lose && known.attributes_kept.empty())) return;
  WikiRecord whole = *next;
  for (auto& [name, value] : whole.attributes) {
    const auto* before = wiki_text(value).empty() ? known.record->find(name) : nullptr;
    if (before == nullptr || wiki_text(*before).empty()) continue;
    if (may_lose) known.attributes_kept.insert(name);
    if (known.attributes_kept.contains(name)) value = *before;
  }
  next = shared(std::move(whole));
}

std::size_t WikiView::take_job(const SharedWikiRecord& reported, bool all, const Cluster& cluster,
                               Time now, Update& update) {
  KnownJob& known = jobs_[reported->id];
  if (std::exchange(known.seen, true)) {
    note(fmt::format("job '{}' is listed more than once: its first record counts", reported->id));
    return 0;
  }
  const auto ignored = ignored_.extract(reported->id);
  const SharedWikiRecord record =
      ignored.empty() ? reported : next_record(ignored.mapped(), reported, all);
  if (const auto why = why_ignored(record->id, cluster); !why.empty()) {
    note(fmt::format("job '{}' {}: ignored", record->id, why));
    ignore(known, next_record(known.record, record, all));
    return 0;
  }
  const JobId id = cluster.find_job(record->id);
  const Job* here = id.valid() ? &cluster.job(id) : nullptr;
  const bool first = known.record == nullptr;
  const bool repeated = all && repeats(record, known.record);
  auto next = known.record;
  if (repeated) {  // nothing was lost
    known.may_lose = false;
    known.attributes_kept.clear();
  } else {
    next = next_record(known.record, record, all);
    keep_what_was_lost(known, next);
  }
  const bool news = !repeated && (first || !same(*known.record, *next, Aspect::all));
  const bool host_is_known =
      !known.unknown_host.empty() && cluster.find_node(known.unknown_host).valid();
  // Without news, the job matters only if its state here differs, or its request has yet to count.
  if (!news && known.ended) return 0;
  const bool idles = here && here->active() && has_cpu_time_as_of_now(*record);
  const bool asks_anew = here && here->waiting() && known.taken && known.taken != known.record;
  if (!news && here && !known.lost && !idles && !host_is_known && !asks_anew &&
      state_of(known.state) == here->state)
    return 0;

  WikiNotes notes;
  constexpr std::size_t kAlways = 100;
  const auto nodes = cluster.nodes().size() + update.nodes.size();
  most_hosts_ = std::max(kAlways, nodes);
  auto job = read_wiki_job(*next, notes, most_hosts_);
  note(notes);
  const std::size_t hosts =
      job.report.host_list.size() + job.report.excluded_hosts.size() + job.task_list.size();
  const std::size_t work = hosts / kHostsOfAJob + record->length() / kLengthOfAJob;
  const auto before = std::exchange(known.record, std::move(next));
  note_missing(job);
  // A known job whose state is missing, unreadable or Unknown keeps its earlier state.
  const bool has_state = job.state.value_or(WikiState::unknown) != WikiState::unknown;
  if (!has_state && (here != nullptr || known.ended)) job.state = known.state;
  note_future_times(job.report.job, now);
  bound_suspension(job, here, now);
  const WikiState stood = std::exchange(known.state, job.state.value_or(WikiState::unknown));
  if (here && here->waiting() && job.active() && now < known.requeued_until &&
      (job.report.job.started == kForever || job.report.job.started <= known.given_back_run)) {
    known.record = before;  // the report is older than the requeue: the next one is news again
    known.state = stood;
    return work;
  }
  known.unknown_host = unknown_host(job.report, cluster);
  if (job.ended()) {
    if (here && !known.ended) {
      const bool ran = job.report.job.started < kForever || job.state == WikiState::completed;
      if (here->state == JobState::starting && ran) update.statuses.push_back(run_of(job));
      const Job& dated = job.report.job;
      // The scheduler knows whether the end of a run is dated by the clock as it stood before.
      auto end = end_of(job, end_by_our_clock(*here, dated.started, dated.ended, now),
                        here->active() ? kForever : here->began(), now);
      JobStatus last{.name = record->id, .suspended_time = longer_suspension(job, *here)};
      if (job.use) {
        last.use = job.use;
        last.used_until = std::min(job.used_until, end.when);
      }
      if (last.use || last.suspended_time) update.statuses.push_back(std::move(last));
      update.ended.push_back(std::move(end));
    }
    if (!here && first) {
      const Time started = job.report.job.started;
      auto end = end_of(job, job.report.job.ended, started > now ? kForever : started, now);
      update.past.push_back({whole_report(std::move(job), end.when), std::move(end)});
      offered_.push_back(record->id);
    }
    known.ended = true;
  } else if (here) {  // perhaps from a checkpoint, and never reported since
    known.ended = false;
    const bool held_news = first || holds_in(known.state) != holds_in(stood);
    if (!first && here->active() && state_of(known.state) == JobState::idle)
      report_failure(*before, job, here->state == JobState::starting, now, update);
    const bool state_news = has_state && (first || known.lost || known.state != stood ||
                                          state_of(known.state) != here->state);
    report_status(known, state_news, held_news, job, *here, update);
    const bool waits = here->waiting() && job.waits();
    const SharedWikiRecord earlier = waits && known.taken ? known.taken : before;
    const bool changed =
        first || host_is_known || (waits && job.report.problem != known.problem) ||
        !same(*earlier, *known.record, job.active() ? Aspect::limit : Aspect::request);
    if (waits || !known.taken) take_request(known, job);
    if (changed) update.changed.push_back(whole_report(std::move(job), now));
  } else if (job.active() || now < known.gone_since || now - known.gone_since >= known.gone_for) {
    known.ended = known.lost = false;
    take_request(known, job);
    update.arrived.push_back(whole_report(std::move(job), now));
    offered_.push_back(record->id);
  }
  return work;
}

/// The end is neither before `started`, if that is known, nor in the future, except by rounding.
JobEnd WikiView::end_of(const WikiJob& job, Time ended, Time started, Time now) const {
  const Job& dated = job.report.job;
  const Time least = started == kForever ? Time(0) : std::min(started, now);
  if (ended > now + kRoundedUp) ended = now;
  return {job.report.name, state_of(*job.state), std::max(ended, least),
          job.exit_code,   dated.started,        dated.ended};
}

/// Returns for how long the active job was suspended, if that is longer than is known here.
std::optional<Seconds> WikiView::longer_suspension(const WikiJob& job, const Job& here) {
  const Seconds reported = job.report.job.suspended_time;
  const bool is_news = here.active() && reported > here.suspensions();
  return is_news ? std::optional(reported) : std::nullopt;
}

JobStatus WikiView::run_of(const WikiJob& job) {
  JobStatus status{job.report.name, JobState::running};
  status.started = job.report.job.started;
  return status;
}

void WikiView::report_status(KnownJob& known, bool state_news, bool held_news, const WikiJob& job,
                             const Job& here, Update& update) const {
  JobStatus status{job.report.name};
  if (held_news) status.holds = holds_in(known.state);
  if (state_news) {
    status.state = state_of(known.state);
    status.task_list = job.task_list;
    status.started = job.report.job.started;
  }
  const bool found = std::exchange(known.lost, false);
  if (here.active()) {
    status.use = job.use;
    status.used_until = job.used_until;
    status.suspended_time = longer_suspension(job, here);
  }
  if (job.report.waits_for != here.waits_for) status.waits_for = job.report.waits_for;
  if (found || status.state || status.holds || status.use || status.waits_for ||
      status.suspended_time)
    update.statuses.push_back(std::move(status));
}

// A job that was reported as running may be idle for other reasons: only the count is proof.
void WikiView::report_failure(const WikiRecord& before, const WikiJob& job, bool starting, Time now,
                              Update& update) const {
  const auto* text = before.find("REJCOUNT");
  const auto count = text == nullptr ? 0 : parse_integer<int>(wiki_text(*text)).value_or(0);
  const auto* words = before.find("REJMESSAGE");
  const auto& why = job.message;
  // Some servers do not count, and report a reason once.  For a held job, that reason explains the
  // hold; a job with a later earliest start has run, unnoticed, and was requeued.
  const bool rests = job.report.job.earliest_start > now;
  const bool new_words = starting && job.rejections == 0 && !job.held() && !rests && !why.empty() &&
                         (words == nullptr || wiki_text(*words) != why);
  if (job.rejections <= count && !new_words) return;
  update.failed_starts.push_back(
      {job.report.name, why.empty() ? "no reason was given" : why, obstacle_of(job.reject_code)});
}

JobReport WikiView::whole_report(WikiJob job, Time now) const {
  JobReport report = report_of(std::move(job), now);
  auto& tasks = report.request.requirements.front().tasks;
  tasks = std::max(1, tasks);
  return report;
}

void WikiView::note_missing(WikiJob& job) {
  const auto missing = missing_in(job);
  JobReport& report = job.report;
  if (missing.empty() || !report.problem.empty()) return;
  if (!job.ended())
    note(fmt::format("job '{}' cannot be scheduled: {} missing", report.name, missing));
  report.problem = fmt::format("the resource manager does not report {}", missing);
}

void WikiView::take_request(KnownJob& known, const WikiJob& job) {
  known.taken = known.record;
  known.problem = job.report.problem;
}

void WikiView::miss_jobs(const Cluster& cluster, Update& update) {
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    auto& [name, known] = *at;
    const JobId id = known.seen ? JobId() : cluster.find_job(name);
    const bool ours = id.valid() && cluster.job(id).resource_manager == name_;
    if (ours && !known.lost) {
      known.lost = true;
      update.lost.push_back(name);
    }
    at = known.seen || ours ? std::next(at) : jobs_.erase(at);
  }
}

}  // namespace maui
