#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/reports/manager_contact.h"
#include "maui/clock.h"
#include "model/credentials.h"
#include "model/job_extensions.h"
#include "model/placement.h"

namespace maui {
namespace {

JobReport run_of(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request_of(job.id);
  JobReport run;
  run.name = job.name;
  fill_names(cluster, job.credentials, run);
  run.job.resource_manager = job.resource_manager;
  run.job.submitted = job.submitted;
  run.job.state = job.state;
  run.job.started = job.started;
  run.job.suspended_time = job.suspended_time;
  run.job.clock_set = job.clock_set;
  run.job.clock_ahead = job.clock_ahead;
  run.job.suspended_since = job.suspended_since;
  run.job.suspension_reason = job.suspension_reason;
  run.job.priority = job.priority;
  run.job.use = job.use;
  run.job.used_run = job.used_run;
  run.request.limit = request.limit;
  run.request.requirements.resize(request.requirements.size());
  for (std::size_t i = 0; i < request.requirements.size(); ++i) {
    Requirement& saved = run.request.requirements[i];
    saved.per_task = request.requirements[i].per_task;
    saved.tasks = 0;
    for (const NodeTasks& share : job.placement) {
      if (share.requirement != i) continue;
      saved.tasks += share.tasks;
      run.task_list.insert(run.task_list.end(), static_cast<std::size_t>(share.tasks),
                           cluster.node(share.node).name);
    }
  }
  return run;
}

/// Returns what CheckpointedJob::partition is for a run on these nodes.
std::string partition_name(const Cluster& cluster, const Placement& nodes) {
  if (!in_one_partition(cluster, nodes)) return std::string(kSeveralPartitions);
  const PartitionId partition = partition_of(cluster, nodes);
  return partition.index() == 0 ? std::string() : cluster.partitions[partition];
}

}  // namespace

CheckpointedJob checkpointed(const Cluster& cluster, const Job& job, Time now) {
  CheckpointedJob saved;
  saved.name = job.name;
  saved.manager = job.resource_manager;
  saved.submitted = job.submitted;
  saved.seen = now;
  saved.holds = job.own_holds;
  saved.hold_reason = job.hold_reason;
  saved.request_excused = job.request_excused;
  saved.failures = job.failures;
  saved.priority = job.system_priority;
  if (job.qos_set) saved.qos = cluster.qos[job.credentials.qos];
  saved.queued = job.queued;
  saved.eligible_since = job.eligible_since;
  saved.bypass = cluster.bypasses(job.id);
  // A job that runs is counted as started again when it is reported as running.
  saved.start_count = job.start_count - (job.active() || job.suspended() ? 1 : 0);
  saved.kept_run = job.kept_run;
  saved.accounted_until = job.accounted_until;
  saved.backfilled = has(job.flags, JobFlag::backfill);
  for (const Dependency& dependency : job.dependencies)
    if (dependency.state == DependencyState::met)
      saved.met_dependencies.push_back(dependency_text(dependency));
  if (job.active() || job.suspended()) {
    saved.run = std::make_shared<const JobReport>(run_of(cluster, job));
    saved.access = cluster.request_of(job.id).access;
    saved.partition = partition_name(cluster, job.placement);
  }
  return saved;
}

void restore(const CheckpointedJob& saved, Job& job) {
  job.submitted = saved.submitted;
  job.own_holds = static_cast<std::uint8_t>(job.own_holds | saved.holds);
  job.holds = static_cast<std::uint8_t>(job.holds | saved.holds);
  if (!saved.hold_reason.empty()) job.hold_reason = saved.hold_reason;
  job.request_excused = saved.request_excused;
  job.failures = saved.failures;
  job.system_priority = saved.priority;
  job.queued = saved.queued;
  job.eligible_since = saved.eligible_since;
  job.start_count = saved.start_count;
  job.kept_run = saved.kept_run;
  job.accounted_until = std::max(job.accounted_until, saved.accounted_until);
  put(job.flags, JobFlag::backfill, saved.backfilled);
  if (saved.met_dependencies.empty()) return;
  const std::unordered_set<std::string> met(saved.met_dependencies.begin(),
                                            saved.met_dependencies.end());
  for (Dependency& dependency : job.dependencies)
    if (met.contains(dependency_text(dependency))) dependency.state = DependencyState::met;
}

void add_later(Checkpoint& checkpoint, std::vector<CheckpointedJob> jobs) {
  std::unordered_multimap<std::string, std::size_t> index;
  for (std::size_t i = 0; i < checkpoint.jobs.size(); ++i)
    index.emplace(checkpoint.jobs[i].name, i);
  for (CheckpointedJob& job : jobs) {
    const auto [first, last] = index.equal_range(job.name);
    auto at = std::find_if(first, last, [&](const auto& entry) {
      const CheckpointedJob& known = checkpoint.jobs[entry.second];
      return known.submitted == job.submitted &&
             (known.manager == job.manager || known.manager.empty());
    });
    if (at == last) {
      at = index.emplace(job.name, checkpoint.jobs.size());
      checkpoint.jobs.emplace_back();
    }
    CheckpointedJob& known = checkpoint.jobs[at->second];
    // Fairshare is as of the checkpoint, and so is what it includes of the run.
    const bool same_run = known.run && job.run && known.run->job.started == job.run->job.started;
    job.charged = same_run ? known.charged : Seconds(0);
    job.charged_cpu = same_run ? known.charged_cpu : std::nullopt;
    known = std::move(job);
  }
}

bool need_checkpoint(const std::vector<CheckpointedJob>& jobs,
                     const std::set<std::string>& accounted) {
  return std::any_of(jobs.begin(), jobs.end(),
                     [&](const CheckpointedJob& job) { return accounted.contains(job.name); });
}

Seconds clock_set_between(const ClockReference& before, const ClockReference& now) {
  if (now.boot.empty() || now.boot != before.boot) return Seconds(0);
  return step_of(now.ahead - before.ahead);
}

void shift(Checkpoint::Ended& ended, Seconds by) {
  if (ended.ran_until > Time(0)) ended.ran_until = ended.ran_until + by;
}

// Points in time stay: when a job was submitted or started.
void shift(CheckpointedJob& saved, Seconds by) {
  if (by == Seconds(0)) return;
  // If the clock was set back, ends and starts before that have later times than now.
  if (by > Seconds(0)) saved.seen = saved.seen + by;
  if (saved.accounted_until > Time(0)) saved.accounted_until = saved.accounted_until + by;
  saved.queued = saved.queued + by;
  saved.eligible_since = saved.eligible_since + by;
  for (Time* when : {&saved.failures.deferred_until, &saved.failures.retry_until,
                     &saved.failures.preempts_from, &saved.promised, &saved.requeue_asked})
    if (*when > Time(0) && *when < kForever) *when = *when + by;
  for (LastingRequest& request : saved.requests) request.asked = request.asked + by;
  if (!saved.run) return;
  auto run = std::make_shared<JobReport>(*saved.run);
  run->job.suspended_time = run->job.suspended_time + by;
  run->job.clock_set = run->job.clock_set + by;
  if (run->job.suspended()) run->job.suspended_since = run->job.suspended_since + by;
  saved.run = std::move(run);
}

void shift(Checkpoint& checkpoint, Seconds by) {
  checkpoint.when = checkpoint.when + by;
  checkpoint.statistics.since = checkpoint.statistics.since + by;
  for (CheckpointedJob& saved : checkpoint.jobs) {
    const Seconds sum = std::exchange(saved.clock_sum, {}).value_or(checkpoint.clock_sum);
    shift(saved, checkpoint.clock_sum + by - sum);
  }
  for (Checkpoint::Ended& ended : checkpoint.ended) shift(ended, by);
  if (by < Seconds(0)) set_back(checkpoint.heard, checkpoint.heard_before, by);
  if (checkpoint.fairshare)
    checkpoint.fairshare->complete_until = checkpoint.fairshare->complete_until + by;
}

std::vector<NamedShare> shares_of(const Cluster& cluster, const Reservation& reservation) {
  std::vector<NamedShare> shares;
  for (const NodeTasks& share : reservation.nodes)
    shares.push_back({cluster.node(share.node).name, share.tasks, share.requirement});
  return shares;
}

CheckpointedReservation checkpointed(const Cluster& cluster, const Reservation& reservation) {
  CheckpointedReservation saved{reservation, shares_of(cluster, reservation), {}};
  saved.terms.nodes.clear();
  return saved;
}

}  // namespace maui
