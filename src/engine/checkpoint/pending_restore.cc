#include "engine/checkpoint/pending_restore.h"

#include <algorithm>
#include <unordered_set>

namespace maui {
namespace {

template <class IdType>
IdType id_of(Names<IdType>& names, const std::string& name) {
  return name.empty() ? IdType() : names.intern(name);
}

bool is_same_job(const PendingRestore& pending, const CheckpointedJob& saved,
                 const JobReport& report, const std::string& manager) {
  const Time submitted = report.job.submitted;
  if (saved.manager == manager || saved.manager.empty())
    return submitted <= saved.seen || about(submitted, saved.submitted);
  return !pending.managers.contains(saved.manager) && submitted == saved.submitted &&
         (!saved.run || saved.run->user == report.user);
}

UnconfirmedRun unconfirmed_run(const CheckpointedJob& saved, ClusterNames& names) {
  const JobReport& was = *saved.run;
  UnconfirmedRun run;
  run.credentials = {id_of(names.users, was.user), id_of(names.groups, was.group),
                     id_of(names.accounts, was.account), id_of(names.classes, was.job_class),
                     id_of(names.qos, was.qos)};
  run.request = was.request;
  if (saved.partition != kSeveralPartitions)
    run.partition = names.partitions.intern(saved.partition.empty() ? "DEFAULT" : saved.partition);
  run.nodes = static_cast<int>(
      std::unordered_set<std::string_view>(was.task_list.begin(), was.task_list.end()).size());
  if (was.request.limit < kUnlimited) run.ends = was.job.counted_start() + was.request.limit;
  return run;
}

}  // namespace

void shift(PendingRestore& pending, Seconds by) {
  for (auto& [name, saved] : pending.jobs) shift(saved, by);
  for (auto* when : {&pending.when, &pending.unaccounted_since})
    if (*when) *when = **when + by;
  pending.set_back = pending.set_back + std::max(Seconds(0) - by, Seconds(0));
}

Time last_known(const PendingRestore& pending, const CheckpointedJob& saved) {
  return saved.seen - pending.set_back;
}

Placement take_known(const Cluster& cluster, std::vector<NamedShare>& shares) {
  Placement known;
  std::erase_if(shares, [&](const NamedShare& share) {
    const NodeId node = cluster.find_node(share.node);
    if (node.valid()) known.push_back({node, share.tasks, share.requirement});
    return node.valid();
  });
  return known;
}

bool is_same_reservation(const Reservation& a, const Reservation& b) {
  if (a.kind != b.kind) return false;
  return a.kind == ReservationKind::standing ? a.standing == b.standing && a.period == b.period
                                             : a.name == b.name;
}

UnconfirmedRuns unconfirmed_runs(const PendingRestore& pending, const ClockSteps& steps,
                                 ClusterNames& names) {
  UnconfirmedRuns runs;
  for (const auto& [name, saved] : pending.jobs)
    if (saved.run && saved.run->job.active() && !is_recorded(pending, steps, saved))
      runs.emplace(name, unconfirmed_run(saved, names));
  return runs;
}

bool may_be_of(const PendingRestore& pending, const std::string& saved_of,
               const std::string& reporter) {
  return saved_of == reporter || !pending.managers.contains(saved_of);
}

PendingRestore::Jobs::const_iterator find_saved(const PendingRestore& pending,
                                                const JobReport& report,
                                                const std::string& manager) {
  const auto [first, last] = pending.jobs.equal_range(report.name);
  const auto nearness = [&](const CheckpointedJob& saved) {
    if (!is_same_job(pending, saved, report, manager)) return 0;
    return 1 + (saved.manager == manager ? 2 : 0) + (saved.submitted == report.job.submitted);
  };
  auto found = pending.jobs.end();
  int nearest = 0;
  for (auto at = first; at != last; ++at)
    if (const int near = nearness(at->second); near > nearest) {
      found = at;
      nearest = near;
    }
  return found;
}

const CheckpointedJob* saved_state(const PendingRestore& pending, const JobReport& report,
                                   const std::string& manager) {
  const auto known = find_saved(pending, report, manager);
  return known == pending.jobs.end() ? nullptr : &known->second;
}

void forget_name(const PendingRestore& pending, const std::string& job, Cluster& cluster) {
  if (pending.jobs.contains(job)) return;
  cluster.forget_unconfirmed_run(job);
  cluster.awaited_jobs.drop_job(job);
}

// The runs of a job follow each other.
bool is_recorded(const PendingRestore& pending, const ClockSteps& steps,
                 const CheckpointedJob& saved) {
  const auto [first, last] = pending.recorded.equal_range(saved.name);
  return std::any_of(first, last, [&](const auto& entry) {
    const RunOnFile& run = entry.second;
    if (run.started == kForever || !may_be_of(pending, run.manager, saved.manager) ||
        !about(run.submitted, saved.submitted))
      return false;
    const RunSpan recorded = run.identity().span;
    const Time began = steady_start(steps, saved.run->job);
    return began < recorded.ended || began == recorded.began;
  });
}

}  // namespace maui
