#include "engine/checkpoint/missed_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/accounts/job_ends.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/clock_steps.h"
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

/// True if the record is of a job that was given up, and that has run on: it was no longer
/// reported.
bool was_given_up(const RunOnFile& recorded, const PastJob& reported) {
  return !recorded.completed && reported.end.state == JobState::completed &&
         reported_end(reported) > recorded.ended;
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
  const auto recorded = take_recorded(past);
  const bool follows = !account_recorded(past.report).empty();
  if (recorded) return account_recorded(past, *recorded);
  if (!follows && saved_of(past) == nullptr && was_accounted(past)) return;
  give_up_others(past.report);
  take(past);
}

/// Returns by the steady clock what is dated by the machine's, as that stood then.
Time MissedEnds::steady(Time dated) const {
  const ClockSteps& steps = tools_.known.clock_steps;
  return dated < kForever ? steps.steady(steps.as_it_stands(dated, tools_.now())) : dated;
}

/// Returns by how much the clock was set since the run was recorded.
Seconds MissedEnds::set_since(const RunOnFile& run) const {
  return tools_.known.clock_steps.sum() - run.clock_sum;
}

/// Returns by how much the clock was set since the reported start of the run.
Seconds MissedEnds::set_since_start(const RunOnFile& run) const {
  return run.began + tools_.known.clock_steps.sum() - run.reported_start;
}

/// Returns the times of the reported run, until it is over by any clock.
RunSpan MissedEnds::span_of(const PastJob& past) const {
  return {steady(past.report.job.started), steady(reported_end(past)) + kClocks};
}

/// True if the reported run is the recorded one.  A run that ended after its job was recorded
/// without one is another.
bool MissedEnds::is_same_run(const RunOnFile& recorded, const PastJob& reported) const {
  if (reported.report.job.started == recorded.reported_start) return true;
  if (recorded.started == kForever) return reported.end.when <= recorded.ended + kClockAdjusted;
  const RunSpan span = span_of(reported), known = recorded.identity().span;
  return span.began == kForever ? known.began < span.ended : known.same_run(span);
}

/// Returns what the checkpoint has of the job; nullptr: nothing.
const CheckpointedJob* MissedEnds::saved_of(const PastJob& past) const {
  return saved_state(pending_restore_, past.report, tools_.manager_of(past.report.job));
}

/// `record`: of the run; nullptr: it has none.
void MissedEnds::take(PastJob past, const RunOnFile* record, Known end) {
  const std::string& name = past.report.name;
  const auto known = find_saved(pending_restore_, past.report, tools_.manager_of(past.report.job));
  const bool is_pending = known != pending_restore_.jobs.end();
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
  if (is_pending && !placed && known->second.run) {
    // Its record has no run; the saved one is over, and is settled unless that has been done.
    auto over = pending_restore_.jobs.extract(known);
    CheckpointedJob& saved = over.mapped();
    if (record == nullptr || saved.run->job.state == JobState::starting)
      saved.requeue_asked = seen;
    else
      saved.run.reset();
    pending_restore_.jobs.insert(std::move(over));
  }
  arrivals_.submit(report);
  const JobId id = cluster_.find_job(name);
  // The report lacks the nodes of the run, but has its duration and size.
  const bool unplaced = !placed && report.problem.empty() && report.job.started < kForever &&
                        (record != nullptr || past.end.state == JobState::completed ||
                         report.job.started < past.end.when);
  if (unplaced) {
    const Time accounted_until = cluster_.job(id).accounted_until;
    Time began = report.job.started;
    Seconds step = record == nullptr ? running_jobs_.set_forward_since(id, began) : Seconds(0);
    if (began + step < accounted_until) {
      began = accounted_until;
      step = Seconds(0);
    }
    cluster_.start_job(id, {}, std::min(began, tools_.now()));
    if (step > Seconds(0)) {
      cluster_.set_clock_set(id, step);
      cluster_.set_suspended_time(id, step);
    }
    learning_.started(cluster_, settings_, id);
    tools_.known.statistics.note_run_before(cluster_.job(id));
    running_jobs_.note_use(id, report.job.use, report.job.used_run);
  }
  if (placed && !is_pending && record == nullptr)
    doubts_.resolve_split(cluster_.job(id), past.report.task_list);
  arrivals_.excuse(id);
  if (record == nullptr) {
    past.end.when = end_of(past);
    return job_ends_.end_as_reported(id, past.end, seen);
  }
  if (const Job& job = cluster_.job(id); job.active()) {
    if (job.started == record->reported_start) cluster_.set_clock_set(id, set_since_start(*record));
    const Seconds run = std::max(record->ended - record->started - record->suspended, Seconds(0));
    cluster_.set_suspended_time(id, past.end.when - job.started - run);
  }
  // A record alone does not tell whether its job was removed or given up.
  job_ends_.end_recorded(id, past.end.state, past.end.when, past.end.exit_code,
                         end == Known::by_record && past.end.state == JobState::removed);
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
/// the job was given up before its end.  Another job of the same name, which came within the
/// difference of clocks, has other dates.
bool MissedEnds::was_accounted(const PastJob& past) const {
  const std::string manager = tools_.manager_of(past.report.job);
  const Time submitted = past.report.job.submitted, started = past.report.job.started;
  const auto* ended = job_ends_.accounted(past.report.name, manager, past.report.user, submitted);
  const bool ran = started < kForever;
  if (ended != nullptr && ended->given_up && ran) return past.end.when <= ended->ran_until;
  if (ended != nullptr && ran && submitted != ended->submitted &&
      tools_.known.clock_steps.as_it_stands(started, tools_.now()) >= ended->ran_until)
    ended = nullptr;
  const auto [first, last] = pending_restore_.counted.equal_range(past.report.name);
  if (std::any_of(first, last, [&](const auto& entry) {
        return may_be_of(pending_restore_, entry.second.manager, manager) &&
               about(entry.second.submitted, submitted) && is_same_run(entry.second, past);
      }))
    return true;
  const auto heard = managers_.heard(manager), before = managers_.heard_before(manager);
  const Time dated = reported_end(past);
  const Time ended_at =
      std::max(past.end.when, tools_.known.clock_steps.as_it_stands(dated, tools_.now()));
  if (!heard || ended_at <= *heard - kClocks) return true;
  // An end in the future is dated by the clock as it stood before it was set back.
  const bool since_then =
      tools_.known.clock_steps.when_dated(dated, *heard, tools_.now()).has_value();
  if (before && dated > tools_.now() && dated <= *before - kClocks && !since_then) return true;
  return ended != nullptr;
}

/// Removes and returns the record of the job that is reported to have ended.
std::optional<RunOnFile> MissedEnds::take_recorded(const PastJob& past) {
  auto& recorded = pending_restore_.recorded;
  const std::string manager = tools_.manager_of(past.report.job);
  const auto [first, last] = recorded.equal_range(past.report.name);
  auto found = last;
  for (auto at = first; at != last; ++at) {
    const RunOnFile& run = at->second;
    const bool may_be = run.started < kForever || past.report.job.started == kForever;
    if (may_be && is_of(run, past.report, manager) && is_same_run(run, past) &&
        !was_given_up(run, past) && (found == last || found->second.began < run.began))
      found = at;
  }
  return found == last ? std::nullopt : std::optional(std::move(recorded.extract(found).mapped()));
}

/// Removes and returns the recorded runs of that name, in their order; of those whose jobs their
/// records do not tell, only those of the reported job.
std::vector<RunOnFile> MissedEnds::take_recorded(const std::string& name, const JobReport* report) {
  std::vector<RunOnFile> runs;
  auto& recorded = pending_restore_.recorded;
  const auto [first, last] = recorded.equal_range(name);
  for (auto at = first; at != last;) {
    RunOnFile& run = at->second;
    const bool is_reported =
        report != nullptr && is_of(run, *report, tools_.manager_of(report->job));
    const bool taken = run.job != nullptr || is_reported;
    if (taken && run.started < kForever) runs.push_back(std::move(run));
    at = taken ? recorded.erase(at) : std::next(at);
  }
  std::sort(runs.begin(), runs.end(),
            [](const RunOnFile& a, const RunOnFile& b) { return a.began < b.began; });
  return runs;
}

/// True if the recorded run may be of the job that `manager` reports.
bool MissedEnds::is_of(const RunOnFile& run, const JobReport& report,
                       const std::string& manager) const {
  if (run.manager == manager || run.manager.empty())
    return about(run.submitted, report.job.submitted);
  return !pending_restore_.managers.contains(run.manager) && run.submitted == report.job.submitted;
}

void MissedEnds::account_recorded(const std::string& name) {
  for (const RunOnFile& run : take_recorded(name, nullptr)) account_by_record(run);
}

/// Returns the runs of the reported job among those that it has accounted.
std::vector<RunOnFile> MissedEnds::account_recorded(const JobReport& report) {
  if (pending_restore_.recorded.empty()) return {};
  auto runs = take_recorded(report.name, &report);
  for (const RunOnFile& run : runs)
    run.job ? account_by_record(run) : account_recorded(earlier_run(report), run);
  std::erase_if(runs, [&](const RunOnFile& run) {
    return !is_of(run, report, tools_.manager_of(report.job));
  });
  return runs;
}

void MissedEnds::account_before(JobReport& report) {
  if (cluster_.find_job(report.name).valid()) return;
  const auto runs = account_recorded(report);
  give_up_others(report);
  if (runs.empty()) return;
  // A run that began before the end of the recorded one is that one, and goes on from there.
  const RunOnFile& last = runs.back();
  Time& started = report.job.started;
  if (started == last.reported_start || steady(started) < last.identity().span.ended)
    started = last.started + set_since(last);
}

/// Forgets what was saved of other jobs of that name, unless their resource managers have yet to
/// list their jobs.  Their runs ended when they were last known.
void MissedEnds::give_up_others(const JobReport& report) {
  auto& jobs = pending_restore_.jobs;
  const std::string manager = tools_.manager_of(report.job);
  const auto same = find_saved(pending_restore_, report, manager);
  std::vector<CheckpointedJob> runs;
  const auto [first, last] = jobs.equal_range(report.name);
  for (auto at = first; at != last;) {
    const CheckpointedJob& saved = at->second;
    const bool awaited = saved.manager != manager &&
                         pending_restore_.managers.contains(saved.manager) &&
                         !managers_.has_listed(saved.manager);
    if (at == same || awaited) {
      ++at;
      continue;
    }
    if (saved.run) runs.push_back(saved);
    at = saved.run ? std::next(at) : jobs.erase(at);
  }
  forget_name(pending_restore_, report.name, cluster_);
  for (const CheckpointedJob& saved : runs) {
    take_up_lost(saved);
    doubts_.give_up(cluster_.find_job(saved.name));
  }
}

/// Anything that happened before the clock was set is dated as if it had stood then as it does now,
/// except the start, by which the run is known.
void MissedEnds::account_recorded(PastJob past, const RunOnFile& run, Known end) {
  // Its resource manager may have got another name since the run was charged.
  if (!run.manager.empty()) past.report.job.resource_manager = run.manager;
  past.end.name = run.name;
  past.end.state = run.completed ? JobState::completed : JobState::removed;
  past.end.when = std::min(run.ended + set_since(run), tools_.now());
  Job& job = past.report.job;
  job.started = run.reported_start;
  job.clock_set = job.suspended_time = Seconds(0);
  if (run.started < kForever) {
    // Else what is saved tells by how much the clock was set.
    if (saved_of(past) == nullptr) job.clock_set = set_since_start(run);
    job.suspended_time = job.clock_set + run.suspensions();
  }
  take(std::move(past), &run, end);
}

/// Leaves alone whatever is saved of other jobs of that name, even later ones of the same manager.
void MissedEnds::account_by_record(const RunOnFile& run) {
  auto& jobs = pending_restore_.jobs;
  std::vector<PendingRestore::Jobs::node_type> others;
  const auto [first, last] = jobs.equal_range(run.name);
  for (auto at = first; at != last;) {
    const auto known = at++;
    if (known->second.manager != run.manager || known->second.submitted != run.submitted)
      others.push_back(jobs.extract(known));
  }
  account_recorded(earlier_run(*run.job->run), run, Known::by_record);
  for (auto& other : others) jobs.insert(std::move(other));
}

/// True if the saved run counts as lost unless it is reported: its resource manager has answered,
/// or, if that is not configured any more, all others have, since it may have got another name.
bool MissedEnds::may_be_lost(const CheckpointedJob& saved) const {
  const bool configured =
      saved.manager.empty() || pending_restore_.managers.contains(saved.manager);
  return configured ? !managers_.silent(tools_.manager_of(saved.run->job))
                    : managers_.silent().empty();
}

void MissedEnds::take_up_lost(const CheckpointedJob& saved) {
  tools_.log(1, "fRM", [&] {
    return fmt::format("job '{}' ran when the checkpoint was written, but is not reported",
                       saved.name);
  });
  JobReport report = *saved.run;
  const Time known = last_known(pending_restore_, saved);
  arrivals_.submit(report);
  doubts_.note_lost(cluster_.find_job(saved.name), known, /*restored=*/true);
}

void MissedEnds::restore_lost_runs() {
  std::set<std::string> recorded;
  for (const auto& [name, run] : pending_restore_.recorded)
    if (run.job && !managers_.silent(run.manager)) recorded.insert(name);
  for (const std::string& name : recorded) account_recorded(name);
  std::vector<CheckpointedJob> gone;
  for (const auto& [name, saved] : pending_restore_.jobs)
    if (saved.run && may_be_lost(saved)) gone.push_back(saved);
  std::sort(gone.begin(), gone.end(),
            [](const CheckpointedJob& a, const CheckpointedJob& b) { return a.name < b.name; });
  for (const CheckpointedJob& saved : gone) {
    if (cluster_.find_job(saved.name).valid()) continue;
    account_recorded(*saved.run);
    if (saved_state(pending_restore_, *saved.run, saved.manager) != nullptr) take_up_lost(saved);
  }
  // Only now, since usually all resource managers answer at once, and nothing has been planned yet.
  if (std::exchange(pending_restore_.limits_count, true) || pending_restore_.jobs.empty()) return;
  cluster_.set_unconfirmed_runs(
      unconfirmed_runs(pending_restore_, tools_.known.clock_steps, cluster_));
}

void MissedEnds::forget_unreported() {
  constexpr std::size_t kMostUnreported = 10'000;
  if (managers_.all_list_all_jobs()) {
    pending_restore_.recorded.clear();
    pending_restore_.counted.clear();
  }
  auto& unreported = pending_restore_.jobs;
  if (unreported.size() <= kMostUnreported || !managers_.all_list_all_jobs()) return;
  std::vector<std::tuple<Time, std::string, PendingRestore::Jobs::const_iterator>> by_age;
  for (auto at = unreported.cbegin(); at != unreported.cend(); ++at)
    by_age.emplace_back(at->second.seen, at->first, at);
  std::sort(by_age.begin(), by_age.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  by_age.resize(by_age.size() - kMostUnreported);
  for (const auto& [seen, name, at] : by_age) {
    unreported.erase(at);
    cluster_.forget_unconfirmed_run(name);
  }
  tools_.log(1, "fCKPT", [&] {
    return fmt::format("the state of {} is forgotten, since no resource manager reports {}",
                       counted(by_age.size(), "job"), by_number(by_age.size(), "it", "them"));
  });
}

}  // namespace maui
