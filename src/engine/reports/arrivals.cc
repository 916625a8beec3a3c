#include "engine/reports/arrivals.h"

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "base/text.h"
#include "engine/accounts/job_ends.h"
#include "engine/actions/forget_in_plan.h"
#include "engine/actions/holds.h"
#include "engine/actions/site_attributes.h"
#include "engine/checkpoint/restored_jobs.h"
#include "engine/knowledge.h"
#include "engine/reports/in_use.h"
#include "engine/reports/job_changes.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/job_slices.h"
#include "engine/reports/report.h"
#include "engine/reports/running_jobs.h"
#include "engine/tools.h"
#include "model/credentials.h"

namespace maui {
namespace {

/// Returns the report with the credentials under which the saved run began: a run keeps them.
/// `reported`: the job according to the report.  Returns nothing if these are the same.
std::optional<JobReport> with_owner_of_run(const std::optional<CheckpointedJob>& saved,
                                           const Job& reported, const JobReport& report,
                                           const Cluster& cluster) {
  if (!saved || !saved->run) return std::nullopt;
  const JobReport& run = *saved->run;
  JobReport names;
  fill_names(cluster, reported.credentials, names);
  std::vector<std::string JobReport::*> changed = {&JobReport::user, &JobReport::group,
                                                   &JobReport::job_class};
  if (saved->account.empty()) changed.push_back(&JobReport::account);
  std::erase_if(changed, [&](auto name) { return names.*name == run.*name; });
  const bool same_qos = names.qos == run.qos || run.qos.empty() || !saved->qos.empty();
  if (changed.empty() && same_qos) return std::nullopt;
  JobReport as_begun = report;
  for (const auto name : changed) as_begun.*name = run.*name;
  return as_begun;
}

/// Removes a hold because of the report.
void lift(std::uint8_t& holds, HoldReason& reason) {
  put(holds, Hold::batch, false);
  reason = {};
}

/// Adds what is known of a job to what is reported of it.  The present report decides whether the
/// job is refused what it asks for, unless somebody has released such a hold; if it got another QOS
/// or account meanwhile, that decides, once it has it again.
void restore_state(const CheckpointedJob& saved, Job& reported) {
  HoldReason reason = reported.hold_reason;
  const bool owner_decides = !saved.qos.empty() || !saved.account.empty();
  if (saved.request_excused || (reason.cause == HoldCause::refused && owner_decides)) {
    lift(reported.own_holds, reason);
    reported.holds = static_cast<std::uint8_t>(reported.own_holds | reported.holds_reported);
  }
  maui::restore(saved, reported);
  if (by_report(reason) || saved.hold_reason.empty()) reported.hold_reason = std::move(reason);
}

/// True if the saved run began with other tasks than the job now requests.
bool began_with_others(const std::optional<CheckpointedJob>& saved, const Request& requested) {
  return saved && saved->run && with_tasks_of(saved->run->request, requested) != requested;
}

/// Completes the request of a job, if its report cannot be read whole, by what is known of its run.
void complete(Request& request, const JobReport& report,
              const std::optional<CheckpointedJob>& saved) {
  const Request* const began = saved && saved->run ? &saved->run->request : nullptr;
  if (began != nullptr && !report.problem.empty())
    request = with_tasks_of(*began, std::move(request));
  // A default limit must not end a job that runs, or may run.
  const bool unreadable = limit_is_unreadable(report);
  if (began != nullptr && unreadable)
    request.limit = began->limit;
  else if (report.job.state != JobState::idle && unreadable)
    request.limit = kUnlimited;
  else if (saved && !(began != nullptr && began->limit == request.limit))
    less_kept(request, saved->kept_run);
}

}  // namespace

Arrivals::Arrivals(const EngineTools& tools, Holds& holds, JobEnds& job_ends, JobDoubts& doubts,
                   RunningJobs& running_jobs, RestoredJobs& restored_jobs, JobChanges& changes)
    : tools_(tools),
      holds_(holds),
      job_ends_(job_ends),
      doubts_(doubts),
      running_jobs_(running_jobs),
      restored_jobs_(restored_jobs),
      changes_(changes),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      plan_(tools.known.plan),
      partition_masks_(tools.known.partition_masks),
      start_dates_(tools.known.start_dates),
      pending_restore_(tools.known.pending_restore),
      learning_(tools.known.learning),
      dependencies_(tools.known.dependencies),
      no_queue_(tools.known.no_queue) {}

void Arrivals::apply(Update& update, std::function<void(JobReport&)> before,
                     std::function<void()> next) {
  if (update.arrived.empty()) return next();
  auto step = [this, &update, before = std::move(before), with_classes = classes_in_use(cluster_),
               done = std::size_t{0}]() mutable {
    const std::size_t listed = update.arrived.size(), all = listed + update.more.count;
    for (std::size_t work = 0; done < all && work < kJobsAtOnce; ++done) {
      JobReport later;
      if (done >= listed) later = update.more.next();
      JobReport& report = done < listed ? update.arrived[done] : later;
      work += work_of(report);
      before(report);
      submit(report, with_classes);
    }
    return done == all;
  };
  tools_.in_slices(std::move(step), std::move(next));
}

void Arrivals::submit(JobReport& report) { submit(report, classes_in_use(cluster_)); }

void Arrivals::submit(JobReport& report, bool with_classes) {
  if (cluster_.find_job(report.name).valid()) {
    tools_.log_report(report.job.resource_manager, 1, "fRM", [&] {
      return fmt::format("ERROR: resource manager '{}' reports a second job named '{}'; ignored",
                         tools_.manager_of(report.job), report.name);
    });
    return;
  }
  auto saved = restored_jobs_.take(report);
  const bool held_before = saved && by_report(saved->hold_reason);
  if (held_before) lift(saved->holds, saved->hold_reason);
  // JOBATTRIBUTEPROGRAM is asked about waiting jobs; a run keeps what it has begun with.
  if (saved && !report.job.waiting())
    give_site_words(tools_, saved->site_words, report, tools_.known.site_words.arriving);
  Submission made = job_of(report, settings_, cluster_, tools_.now(), with_classes);
  const auto as_begun = with_owner_of_run(saved, made.job, report, cluster_);
  if (as_begun) made = job_of(*as_begun, settings_, cluster_, tools_.now(), with_classes);
  if (!made.mask_of_classes && !partitions_in_use(cluster_)) note_masks(report);
  made.job.resource_manager = tools_.manager_of(made.job);
  if (const auto* ended = job_ends_.accounted(report.name, made.job.resource_manager, report.user,
                                              made.job.submitted)) {
    if (report.job.state == JobState::not_queued) return;  // nothing tells that it has come back
    made.job.accounted_until = ended->ran_until;           // reports have omitted it meanwhile
  }
  if (made.job.earliest_start > tools_.now()) start_dates_.add(made.job.earliest_start);
  complete(made.request, report, saved);
  if (saved)
    restore_state(*saved, made.job);
  else if (pending_restore_.when && made.job.submitted <= *pending_restore_.when)
    made.job.eligible_since = made.job.submitted;
  const bool resized = began_with_others(saved, made.request);
  const JobId id = cluster_.add_job(std::move(made.job), std::move(made.request));
  tools_.known.site_words.note_arrival(report.name);
  tools_.log(6, "fSTRUCT", [&] {
    const auto waiting = cluster_.waiting().size();
    return fmt::format("new job '{}', {} {} waiting", cluster_.job(id).name,
                       counted(waiting, "job"), by_number(waiting, "is", "are"));
  });
  tools_.journal.job(id);
  learning_.arrived(cluster_, id);
  if (saved) restored_jobs_.restore_in_queue(*saved, id);
  dependencies_.arrived(cluster_, id);
  const std::optional<JobReport> changed =
      as_begun || resized ? std::optional(report) : std::nullopt;
  if (changed && saved->qos.empty() && !saved->run->qos.empty())
    cluster_.set_qos(id, cluster_.qos.intern(saved->run->qos));
  const Time started = report.job.started;
  report.job.suspension_reason.clear();
  if (saved) restored_jobs_.restore_run(*saved, id, report);
  // A job that the scheduler has known by this name is no task of an array.
  const bool runs = report.job.state != JobState::idle && report.job.state != JobState::not_queued;
  if (!saved && runs) doubts_.resolve_split(cluster_.job(id), report.task_list);
  const bool another_run = cluster_.job(id).waiting() && cluster_.job(id).attempts > 0;
  if (changed && another_run) changes_.keep_for_next_run(id, *changed);
  take_state(id, report);
  if (changed && !another_run) changes_.keep_for_next_run(id, *changed);
  if (saved) {
    restored_jobs_.restore_access(*saved, id, started);
    restored_jobs_.restore_requests(*saved, id, started);
  }
  if (!saved && report.job.state == JobState::idle &&
      has(cluster_.job(id).flags, JobFlag::no_queue))
    no_queue_.emplace_back(id, cluster_.job(id).arrival);
  tools_.log_of_job(id, 4, "fRM", [&] {
    const Job& job = cluster_.job(id);
    return fmt::format("job '{}' of user {} queued: {} for {}", job.name,
                       cluster_.users[job.credentials.user],
                       counted(cluster_.request_of(id).total_procs(), "proc"),
                       counted(cluster_.request_of(id).limit.raw(), "second"));
  });
  const Job& job = cluster_.job(id);
  if (!held_before && by_report(job.hold_reason) && job.waiting()) holds_.notify(id, Hold::batch);
}

void Arrivals::take_state(JobId id, const JobReport& report) {
  const Job& reported = report.job;
  if (reported.state == JobState::idle)
    doubts_.trust(id);
  else if (reported.state == JobState::not_queued)
    doubts_.doubt(id, report.problem.empty() ? "its state is unknown" : report.problem);
  else
    running_jobs_.sync(id, run_in(report));
}

/// PARTITIONMASK of a job has no meaning if no node is in a partition.
void Arrivals::note_masks(const JobReport& report) {
  const auto differ = partition_masks_.note(report.partition_mask);
  if (!differ) return;
  tools_.log(0, "fRM", [&] {
    return fmt::format(
        "WARNING: jobs request different partitions ('{}', '{}'), but no node is in a "
        "partition: they may run anywhere; set NODECFG[] PARTITION= to assign nodes",
        differ->first, differ->second);
  });
}

/// A dependency on a job that is not known, or of which an earlier scheduler saw an end, may turn
/// out to be on a job that is yet to be reported.
void Arrivals::judge_dependencies(std::function<void()> next) {
  const ManagerContact& managers = tools_.known.managers;
  const bool waited = tools_.now() - tools_.known.started_at >= settings_.jobs.sync_time;
  // A trace may name any resource managers, but all of its jobs come from the simulator.
  const bool only_one = tools_.rm.records().empty();
  const bool it_has = only_one && managers.has_listed(std::string(tools_.rm.name()));
  const auto due = [&managers, listed = waited || it_has](const Job& job) {
    return listed || managers.has_listed(job.resource_manager);
  };
  tools_.in_slices([this, due] { return dependencies_.judge(cluster_, due); }, std::move(next));
}

void Arrivals::refuse_unstarted() {
  if (settings_.server.mode == ServerMode::test) no_queue_.clear();
  for (const auto& [id, arrival] : no_queue_) {
    // It may have been cancelled while the resource manager was asked to start others.
    if (!cluster_.still(id, arrival) || !cluster_.job(id).waiting()) continue;
    tools_.asked().cancel(cluster_.job(id), CancelCause::asked, tools_.now(), [](Status) {});
    forget_in_plan(plan_, id);
    job_ends_.end(id, JobState::removed, tools_.now());
  }
  no_queue_.clear();
}

void Arrivals::excuse(JobId id) {
  if (!no_queue_.empty() && no_queue_.back().first == id) no_queue_.pop_back();
}

}  // namespace maui
