// Jobs that arrive, and what they are entitled to.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "engine/reports/in_use.h"
#include "engine/reports/job_slices.h"
#include "engine/reports/report.h"
#include "engine/state.h"

namespace maui {

void Engine::State::submit_jobs(std::shared_ptr<Update> update, std::function<void()> next) {
  if (update->arrived.empty()) return next();
  const auto step = [this, update, with_classes = classes_in_use(cluster),
                     done = std::size_t{0}]() mutable {
    const std::size_t listed = update->arrived.size(), all = listed + update->more.count;
    for (std::size_t work = 0; done < all && work < kJobsAtOnce; ++done) {
      JobReport later;
      if (done >= listed) later = update->more.next();
      JobReport& report = done < listed ? update->arrived[done] : later;
      work += work_of(report);
      submit(report, with_classes);
    }
    return done == all;
  };
  in_slices(step, std::move(next));
}

/// PARTITIONMASK of a job means nothing where no node is in a partition.
void Engine::State::note_masks(const JobReport& report) {
  const auto differ = partition_masks.note(report.partition_mask);
  if (!differ) return;
  log(0, "fRM", [&] {
    return fmt::format(
        "WARNING: jobs ask for different partitions ('{}', '{}'), but no node is said to be in "
        "one: they may run anywhere; NODECFG[] PARTITION= says where nodes are",
        differ->first, differ->second);
  });
}

void Engine::State::submit(JobReport& report, bool classes_in_use) {
  if (cluster.find_job(report.name).valid()) {
    log(1, "fRM", [&] {
      const std::string& manager = report.job.resource_manager;
      return fmt::format("ERROR: resource manager '{}' reports a second job named '{}'; ignored",
                         manager.empty() ? rm->name() : manager, report.name);
    });
    return;
  }
  Submission made = job_of(report, settings, cluster, now(), classes_in_use);
  if (!made.mask_of_classes && !partitions_in_use(cluster)) note_masks(report);
  if (made.job.resource_manager.empty()) made.job.resource_manager = rm->name();
  if (made.job.earliest_start > now()) start_dates.add(made.job.earliest_start);
  const auto saved = take_checkpointed(report);
  if (saved)
    maui::restore(*saved, made.job);
  else if (pending_restore.when && made.job.submitted <= *pending_restore.when)
    made.job.eligible_since = made.job.submitted;
  const JobId id = cluster.add_job(std::move(made.job), std::move(made.request));
  log(6, "fSTRUCT", [&] {
    return fmt::format("job '{}' is known now, as one of {} that wait", cluster.job(id).name,
                       cluster.waiting().size());
  });
  journal.job(id);
  learning.arrived(cluster, id);
  if (saved) restore_in_queue(*saved, id);
  if (saved && saved->run && pending_restore.charges)
    fairshare.restore(id, saved->run->job.started, saved->charged);
  dependencies.arrived(cluster, id);
  report.job.stays_suspended = false;
  if (saved) restore_run(*saved, id, report);
  const Job& reported = report.job;
  if (reported.state == JobState::idle)
    job_doubts.trust(id);
  else if (reported.state == JobState::not_queued)
    job_doubts.doubt(id, "its state is not known");
  else
    running_jobs.sync(id,
                      {reported.state, report.task_list, reported.started, reported.suspended_time,
                       reported.suspended_since, reported.stays_suspended});
  if (has(cluster.job(id).flags, JobFlag::no_queue)) no_queue.push_back(id);
  log(4, "fRM", [&] {
    const Job& job = cluster.job(id);
    return fmt::format("job '{}' of user {} queued: {} procs for {} seconds", job.name,
                       cluster.users[job.credentials.user], cluster.request_of(id).total_procs(),
                       cluster.request_of(id).limit.raw());
  });
  const Job& job = cluster.job(id);
  const HoldCause cause = job.hold_reason->cause;
  const bool by_report = cause == HoldCause::unusable_report || cause == HoldCause::refused;
  if (!saved && by_report && job.waiting()) holds.notify(id, Hold::batch);
}

}  // namespace maui
