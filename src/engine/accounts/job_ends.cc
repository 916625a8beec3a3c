#include "engine/accounts/job_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/accounts/allocations.h"
#include "engine/accounts/closed_run.h"
#include "engine/actions/forget_in_plan.h"
#include "engine/actions/reservations.h"
#include "engine/actions/resource_rules.h"
#include "engine/knowledge.h"
#include "engine/reports/doubted_jobs.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"
#include "model/job_dates.h"

namespace maui {
namespace {

/// True unless a node of the job was lost; ends by limit or by command count, too.
bool ended_by_itself(const Cluster& cluster, const Job& job) {
  if (cluster.counts().available_nodes == std::ssize(cluster.nodes())) return true;
  return std::all_of(job.placement.begin(), job.placement.end(), [&](const NodeTasks& share) {
    const NodeState state = cluster.node(share.node).reported;
    return state != NodeState::down && state != NodeState::unknown;
  });
}

}  // namespace

JobEnds::JobEnds(const EngineTools& tools, Reservations& reservations, Entitlements& entitlements,
                 Allocations& allocations)
    : tools_(tools),
      reservations_(reservations),
      entitlements_(entitlements),
      allocations_(allocations),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      plan_(tools.known.plan),
      clock_steps_(tools.known.clock_steps),
      managers_(tools.known.managers),
      statistics_(tools.known.statistics),
      fairshare_(tools.known.fairshare),
      learning_(tools.known.learning),
      refused_starts_(tools.known.refused_starts),
      dependencies_(tools.known.dependencies),
      unreported_use_(tools.known.unreported_use) {}

void JobEnds::end(JobId id, JobState final_state, Time when, int exit_code) {
  end(id, final_state, when, exit_code, Account::due);
}

void JobEnds::end_recorded(JobId id, JobState final_state, Time when, int exit_code,
                           bool given_up) {
  end(id, final_state, when, exit_code, Account::on_file);
  if (given_up) accounted_.note_given_up();
}

std::string JobEnds::user_of(const Job& job) const {
  const UserId user = job.credentials.user;
  return user.valid() ? cluster_.users[user] : std::string();
}

/// True if this end of the job has been accounted: its resource manager has reported the job from
/// older knowledge since then.
bool JobEnds::was_accounted(const Job& job, Time when) const {
  const auto* const before = accounted(job.name, job.resource_manager, user_of(job), job.submitted);
  return before != nullptr && before->submitted == job.submitted && when <= before->ran_until;
}

void JobEnds::end(JobId id, JobState final_state, Time when, int exit_code, Account account) {
  const bool ran = cluster_.job(id).active() || cluster_.job(id).suspended();
  if (ran) when = close_run(tools_, id, when);
  if (account == Account::due && was_accounted(cluster_.job(id), when)) account = Account::done;
  const bool done = account == Account::done;
  if (ran) reservations_.release_single_use(cluster_.job(id), when);
  if (ran) warn_of_unreported_use(cluster_.job(id), when);
  if (ran || cluster_.job(id).waiting()) cluster_.end_job(id, final_state, when);
  if (ran) {
    this->account(id, when, account);
    tools_.observer.run_accounted(cluster_.job(id));
  }
  tools_.log_of_job(id, 3, "fSCHED", [&] {
    return fmt::format("job '{}' {}", cluster_.job(id).name,
                       final_state == JobState::completed ? "completed" : "removed");
  });
  const auto lesson = learning_.ended(cluster_, settings_, id,
                                      ran && !done && ended_by_itself(cluster_, cluster_.job(id)));
  if (lesson.totals.jobs > 0)
    statistics_.account_forecasts(cluster_.job(id).credentials, lesson.totals);
  std::string cancelled = take_cancellation(cluster_.job(id).run_key());
  if (final_state == JobState::completed && exit_code == 0) cancelled.clear();
  if (!done)
    of_late_.add(cluster_, cluster_.job(id), exit_code, lesson.shorter, std::move(cancelled));
  if (account == Account::due)
    tools_.observer.job_ended(cluster_, id, exit_code);
  else
    tools_.observer.job_has_record(cluster_, id);
  if (ran) charge(id, final_state, when);
  const Job& job = cluster_.job(id);
  accounted_.add({.accounted = tools_.now(),
                  .name = job.name,
                  .submitted = job.submitted,
                  .manager = job.resource_manager,
                  .ran_until = ran ? job.ended : Time(0),
                  .user = user_of(job)});
  of_late_.forget(settings_.jobs.purge_time, tools_.now());
  dependencies_.ended(cluster_, id, final_state == JobState::completed && exit_code == 0);
  tools_.log(6, "fSTRUCT",
             [&] { return fmt::format("job '{}' is purged", cluster_.job(id).name); });
  cluster_.local_words.forget(id);
  tools_.known.site_words.known.erase(cluster_.job(id).name);
  cluster_.forget_job(id);
}

void JobEnds::end_as_reported(JobId id, const JobEnd& ended) {
  end_as_reported(id, ended, last_known(cluster_.job(id)));
}

void JobEnds::end_as_reported(JobId id, const JobEnd& ended, Time seen) {
  const bool runs = cluster_.job(id).active();
  const Time when = runs ? end_of_run(id, ended, seen) : ended.when;
  end(id, ended.state, when, ended.exit_code);
}

void JobEnds::give_up(JobId id, Time when) {
  end(id, JobState::removed, when);
  accounted_.note_given_up();
  tools_.observer.checkpoint_outdated();
}

void JobEnds::end_in_queue(JobId id) {
  if (!cluster_.job(id).waiting()) return;
  forget_in_plan(plan_, id);
  end(id, JobState::removed, tools_.now());
}

void JobEnds::note_cancellation(const RunKey& run, std::string why) {
  Cancellation& known = cancelled_[run.job];
  if (known.run != run) known = {run, std::move(why)};
}

void JobEnds::forget_cancellation(const RunKey& run) {
  const auto known = cancelled_.find(run.job);
  if (known != cancelled_.end() && known->second.run == run) cancelled_.erase(known);
}

/// Returns why the run was cancelled, and forgets all runs of the job.
std::string JobEnds::take_cancellation(const RunKey& run) {
  const auto known = cancelled_.extract(run.job);
  return known.empty() || known.mapped().run != run ? std::string() : std::move(known.mapped().why);
}

void JobEnds::account(JobId id, Time when, Account account) {
  if (account != Account::done) statistics_.account_completion(cluster_, settings_, id);
  fairshare_.settle(cluster_, settings_.fairshare, id, when);
  fairshare_.forget(id);
  refused_starts_.note_room(cluster_, cluster_.job(id), entitlements_.request_setter());
}

void JobEnds::charge(JobId id, JobState final_state, Time when) {
  const Job& job = cluster_.job(id);
  const Seconds run = job.ended - job.started - job.suspended_time;
  // A job that is ended because of its limit has had what it requested (guide 6.4).
  allocations_.settle(job, run, when,
                      final_state == JobState::completed || run >= cluster_.limit_of(job));
}

/// Returns when the running job was last known to run, by the clock as it now stands.
Time JobEnds::last_known(const Job& job) const {
  const DoubtedJob* const lost = tools_.known.lost.find(job);
  if (lost != nullptr && lost->restored) return lost->last_known;
  const bool reported = lost == nullptr && !tools_.known.unexpected.holds(job);
  return reported ? managers_.answered(job.resource_manager).value_or(job.began()) : job.began();
}

/// Returns the end of the run by the clock as it now stands.  If the clock was set during the run,
/// the end may be dated by the clock as it stood at any time since the run was last known to go on.
Time JobEnds::end_of_run(JobId id, const JobEnd& ended, Time seen) {
  const Job& job = cluster_.job(id);
  const bool set_meanwhile = clock_steps_.followed(job.began());
  const Time since = std::max(std::min(seen, tools_.now()), job.began());
  if (set_meanwhile) {
    const Time dated =
        ended.dated < kForever ? by_our_clock(job, ended.dated_start, ended.dated) : ended.when;
    if (const auto when = clock_steps_.when_dated(dated, since, tools_.now())) return *when;
  }
  believe_clock(id, ended);
  if (ended.when >= job.counted_start()) return ended.when;
  // If no step that is known explains the date, nobody is charged for what is not known.
  if (set_meanwhile) return since;
  cluster_.set_clock_set(id, std::min(job.clock_set, Seconds(0)));
  if (ended.when < job.counted_start()) cluster_.set_suspended_time(id, job.clock_set);
  return ended.when;
}

/// The end may be dated by the clock as it stood before it was set: the job ended before that, or
/// its resource manager has another clock.  The run is then not corrected for the step.
void JobEnds::believe_clock(JobId id, const JobEnd& ended) {
  const Job& job = cluster_.job(id);
  if (job.clock_step() == Seconds(0)) believe_length(id, ended);
  const Time when = ended.when;
  const Time heard = managers_.heard(job.resource_manager).value_or(Time(0));
  const Seconds by = clock_steps_.by(), forward = std::max(by, Seconds(0));
  if (clock_steps_.predates(when, heard, tools_.now()) &&
      clock_steps_.followed(job.started + job.clock_set) &&
      when >= job.started + (job.suspended_time - by))
    cluster_.set_clock_set(id, job.clock_set - by);
  else if (job.clock_step() > Seconds(0) &&
           is_by_another_clock(job, when, clock_steps_.followed(heard) ? heard + forward : heard))
    cluster_.set_clock_set(id, Seconds(0) - job.clock_ahead);
}

/// If start and end are dated by a clock that is further ahead than its dates have shown so far,
/// the run began as much earlier: it is as long as its resource manager reports.
void JobEnds::believe_length(JobId id, const JobEnd& ended) {
  const Seconds ahead = ended.dated - ended.when;
  const bool by_that_clock =
      ended.dated < kForever && ended.dated_start == cluster_.job(id).started;
  if (by_that_clock && ahead > Seconds(0) && ahead <= kClocks) cluster_.set_clock_ahead(id, ahead);
}

/// True if the end of the running job is dated as if the clock had not been set during its run:
/// before the last answer of its resource manager, which had the job running.
bool JobEnds::is_by_another_clock(const Job& job, Time when, Time heard) const {
  return when < heard - kClockAdjusted && when + job.clock_step() <= tools_.now() + kClockAdjusted;
}

/// Warns, once per resource manager, that policies on use have no effect if use is not reported.
void JobEnds::warn_of_unreported_use(const Job& job, Time ended) {
  constexpr Seconds kLong{300};  // a short run may end before use is measured
  if (job.recorded || job.used_run > Seconds(0) || ended - job.started < kLong) return;
  const auto parameters = parameters_on_use(settings_);
  if (parameters.empty() || !unreported_use_.insert(job.resource_manager).second) return;
  tools_.log(0, "fRM", [&] {
    return fmt::format(
        "WARNING: resource manager '{}' has not reported what job '{}' used: {} cannot act on its "
        "jobs",
        job.resource_manager, job.name, parameters);
  });
}

const std::deque<EndedJob>& JobEnds::of_late() {
  of_late_.forget(settings_.jobs.purge_time, tools_.now());
  return of_late_.all();
}

const Checkpoint::Ended* JobEnds::accounted(const std::string& name, const std::string& manager,
                                            const std::string& user, Time submitted) const {
  const auto* const known = accounted_.find(name, manager, submitted);
  return known != nullptr ? known
                          : accounted_.find_renamed(name, user, submitted,
                                                    tools_.known.pending_restore.managers);
}

void JobEnds::forget_accounted() { accounted_.forget(managers_, tools_.now()); }

void JobEnds::restore(std::vector<Checkpoint::Ended> ended, std::vector<EndedJob> shown) {
  for (Checkpoint::Ended& job : ended) {
    job.accounted = tools_.now();  // its end may be reported again from now on
    accounted_.add(std::move(job));
  }
  for (EndedJob& job : shown) of_late_.add(std::move(job));
}

}  // namespace maui
