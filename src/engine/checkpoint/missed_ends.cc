#include "engine/checkpoint/missed_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/accounts/job_ends.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/knowledge.h"
#include "engine/reports/arrivals.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/running_jobs.h"
#include "engine/tools.h"
#include "maui/clock.h"
#include "model/job_dates.h"

namespace maui {
namespace {

/// Returns the end as the resource manager dates it, perhaps by the clock as it stood before it was
/// set back; if it does not date it, the end that counts.
Time reported_end(const PastJob& past) {
  return past.end.dated < kForever ? past.end.dated : past.end.when;
}

/// Returns an earlier run of a reported job.
PastJob earlier_run(const JobReport& report) {
  PastJob past{report, {}};
  past.report.job.suspended_since = kForever;
  past.report.job.use = JobUse{};  // the report tells what it has used by now
  past.report.job.used_run = Seconds(0);
  return past;
}

/// True if the reported run is the recorded one, although the resource manager may date it
/// otherwise by now: the runs of a job follow each other, so a run that began before the end of the
/// recorded one is no later run.  A run that ended after its job was recorded without one is.
bool is_same_run(const RunOnFile& recorded, const PastJob& reported) {
  const Time started = reported.report.job.started;
  if (started == recorded.reported_start) return true;
  if (recorded.started == kForever) return reported.end.when <= recorded.ended + kClockAdjusted;
  return (started == kForever || started < recorded.ended) &&
         recorded.started < reported_end(reported) + kClocks;
}

}  // namespace

MissedEnds::MissedEnds(const EngineTools& tools, JobEnds& job_ends, JobDoubts& doubts,
                       RunningJobs& running_jobs, Arrivals& arrivals)
    : tools_(tools),
      job_ends_(job_ends),
      doubts_(doubts),
      running_jobs_(running_jobs),
      arrivals_(arrivals),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      pending_restore_(tools.known.pending_restore),
      managers_(tools.known.managers),
      learning_(tools.known.learning) {}

void MissedEnds::account(const PastJob& past) {
  if (cluster_.find_job(past.report.name).valid()) return;
  if (saved_of(past) == nullptr && was_accounted(past)) return;
  auto runs = take_recorded(past.report);
  const auto last =
      !runs.empty() && is_same_run(runs.back(), past) ? std::optional(runs.back()) : std::nullopt;
  if (last) runs.pop_back();
  for (const RunOnFile& run : runs) account_recorded(earlier_run(past.report), run);
  if (last) return account_recorded(past, *last);
  take(past);
}

/// Returns what the checkpoint has of the job; nullptr: nothing.
const CheckpointedJob* MissedEnds::saved_of(const PastJob& past) const {
  return saved_state(pending_restore_, past.report.name, tools_.manager_of(past.report.job),
                     past.report.job.submitted);
}

/// `run_time`: how long the job ran, if that is known from its record.
void MissedEnds::take(PastJob past, std::optional<Seconds> run_time) {
  const std::string& name = past.report.name;
  const auto known = pending_restore_.jobs.find(name);
  const bool is_pending = saved_of(past) != nullptr;
  const Time seen = is_pending ? last_known(pending_restore_, known->second) : Time(0);
  // A job that was requeued and then removed while it waited has no run in its record.
  const bool run_reported = past.report.job.started < kForever || !past.report.task_list.empty();
  const bool ran_then =
      is_pending && known->second.run && (run_reported || past.end.state == JobState::completed);
  JobReport report = past.report;
  if (ran_then && report.task_list.empty()) report.task_list = known->second.run->task_list;
  if (ran_then && report.job.used_run == Seconds(0)) {
    report.job.use = known->second.run->job.use;
    report.job.used_run = known->second.run->job.used_run;
  }
  if (!report.problem.empty()) {
    if (!ran_then) return;
    report = *known->second.run;
  }
  const bool placed = ran_then || (report.job.started < kForever && !report.task_list.empty());
  report.job.state = placed ? JobState::running : JobState::idle;
  report.job.ended = past.end.when;
  if (is_pending && !placed) known->second.run.reset();
  arrivals_.submit(report);
  const JobId id = cluster_.find_job(name);
  // The report lacks the nodes of the run, but has its duration and size.
  const bool unplaced =
      !placed && report.problem.empty() && report.job.started < kForever &&
      (run_time || past.end.state == JobState::completed || report.job.started < past.end.when);
  if (unplaced) {
    const Time began = std::max(report.job.started, cluster_.job(id).accounted_until);
    cluster_.start_job(id, {}, std::min(began, tools_.now()));
    learning_.started(cluster_, settings_, id);
    tools_.known.statistics.note_run_before(cluster_.job(id));
    running_jobs_.note_use(id, report.job.use, report.job.used_run);
  }
  if (placed && !is_pending) doubts_.resolve_split(cluster_.job(id), past.report.task_list);
  arrivals_.excuse(id);
  if (!run_time) {
    past.end.when = end_of(past);
    return job_ends_.end_as_reported(id, past.end, seen);
  }
  if (const Job& job = cluster_.job(id); job.active())
    cluster_.set_suspended_time(id, past.end.when - job.started - *run_time);
  job_ends_.end(id, past.end.state, past.end.when, past.end.exit_code);
}

/// Returns its reported end by our clock, which is not in the future.
Time MissedEnds::end_of(const PastJob& past) const {
  const Job& job = cluster_.job(cluster_.find_job(past.report.name));
  if (job.started >= kForever) return past.end.when;
  const Time ended =
      end_by_our_clock(job, past.report.job.started, reported_end(past), tools_.now());
  return std::min(ended, std::max(past.end.when, tools_.now()));
}

/// A run that has a record was accounted, whatever clock its resource manager dates it by, unless
/// the job was given up before its end.
bool MissedEnds::was_accounted(const PastJob& past) const {
  const std::string manager = tools_.manager_of(past.report.job);
  const auto* ended = job_ends_.accounted(past.report.name, manager, past.report.job.submitted);
  const bool may_have_run_on =
      ended != nullptr && ended->given_up && past.report.job.started < kForever;
  if (may_have_run_on) return past.end.when <= ended->ran_until;
  const auto [first, last] = pending_restore_.counted.equal_range(past.report.name);
  if (std::any_of(first, last, [&](const auto& entry) {
        return may_be_of(pending_restore_, entry.second.manager, manager) &&
               about(entry.second.submitted, past.report.job.submitted) &&
               is_same_run(entry.second, past);
      }))
    return true;
  const auto heard = managers_.heard(manager), before = managers_.heard_before(manager);
  if (!heard || past.end.when <= *heard - kClocks) return true;
  // An end in the future is dated by the clock as it stood before it was set back.
  const Time dated = reported_end(past);
  if (before && dated > tools_.now() && dated <= *before - kClocks) return true;
  return ended != nullptr;
}

/// Removes and returns the recorded runs of a job that are not accounted, in their order.
std::vector<RunOnFile> MissedEnds::take_recorded(const JobReport& report) {
  std::vector<RunOnFile> runs;
  auto& recorded = pending_restore_.recorded;
  const std::string manager = tools_.manager_of(report.job);
  const auto [first, last] = recorded.equal_range(report.name);
  for (auto at = first; at != last;) {
    RunOnFile& run = at->second;
    const auto next = std::next(at);
    if (may_be_of(pending_restore_, run.manager, manager)) {
      if (run.started < kForever && about(run.submitted, report.job.submitted))
        runs.push_back(std::move(run));
      recorded.erase(at);
    }
    at = next;
  }
  std::sort(runs.begin(), runs.end(),
            [](const RunOnFile& a, const RunOnFile& b) { return a.started < b.started; });
  return runs;
}

void MissedEnds::account_recorded(JobReport& report) {
  if (pending_restore_.recorded.empty() || cluster_.find_job(report.name).valid()) return;
  const auto runs = take_recorded(report);
  for (const RunOnFile& run : runs) account_recorded(earlier_run(report), run);
  if (runs.empty()) return;
  // A run that began before the end of the recorded one is that one, and goes on from there.
  const RunOnFile& last = runs.back();
  Time& started = report.job.started;
  if (started == last.reported_start || started < last.ended)
    started = last.started + last.clock_set;
}

/// Anything that happened before the clock was set is dated as if it had stood then as it does now,
/// except the start, by which the run is known.
void MissedEnds::account_recorded(PastJob past, const RunOnFile& run) {
  past.end.name = run.name;
  past.end.state = run.completed ? JobState::completed : JobState::removed;
  past.end.when = std::min(run.ended + run.clock_set, tools_.now());
  past.report.job.started = run.reported_start;
  past.report.job.suspended_time = past.report.job.clock_set =
      saved_of(past) == nullptr ? run.clock_set + (run.started - run.reported_start) : Seconds(0);
  take(std::move(past), std::max(run.ended - run.started - run.suspended, Seconds(0)));
}

void MissedEnds::restore_lost_runs() {
  std::vector<CheckpointedJob> gone;
  for (const auto& [name, saved] : pending_restore_.jobs) {
    if (!saved.run) continue;
    if (!managers_.silent(tools_.manager_of(saved.run->job))) gone.push_back(saved);
  }
  std::sort(gone.begin(), gone.end(),
            [](const CheckpointedJob& a, const CheckpointedJob& b) { return a.name < b.name; });
  for (CheckpointedJob& saved : gone) {
    tools_.log(1, "fRM", [&] {
      return fmt::format("job '{}' ran when the checkpoint was written, but is not reported",
                         saved.name);
    });
    JobReport report = *saved.run;
    account_recorded(report);
    if (!pending_restore_.jobs.contains(saved.name)) continue;  // it ended, and that is recorded
    arrivals_.submit(report);
    const JobId id = cluster_.find_job(saved.name);
    doubts_.note_lost(id, last_known(pending_restore_, saved), /*restored=*/true);
  }
  // Only now, since usually all resource managers answer at once, and nothing has been planned yet.
  if (std::exchange(pending_restore_.limits_count, true) || pending_restore_.jobs.empty()) return;
  cluster_.set_unconfirmed_runs(unconfirmed_runs(pending_restore_, cluster_));
}

void MissedEnds::forget_unreported() {
  constexpr std::size_t kMostUnreported = 10'000;
  if (managers_.all_list_all_jobs()) {
    pending_restore_.recorded.clear();
    pending_restore_.counted.clear();
  }
  auto& unreported = pending_restore_.jobs;
  if (unreported.size() <= kMostUnreported || !managers_.all_list_all_jobs()) return;
  std::vector<std::pair<Time, std::string>> by_age;
  for (const auto& [name, saved] : unreported) by_age.emplace_back(saved.seen, name);
  std::sort(by_age.begin(), by_age.end());
  by_age.resize(by_age.size() - kMostUnreported);
  for (const auto& [seen, name] : by_age) {
    unreported.erase(name);
    cluster_.forget_unconfirmed_run(name);
  }
  tools_.log(1, "fCKPT", [&] {
    return fmt::format("the state of {} is forgotten, since no resource manager reports {}",
                       counted(by_age.size(), "job"), by_number(by_age.size(), "it", "them"));
  });
}

}  // namespace maui
