#include "engine/actions/failed_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/accounts/allocations.h"
#include "engine/actions/holds.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"
#include "model/placement.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

constexpr Seconds kLeastTimeSpared{300};

}  // namespace

FailedStarts::FailedStarts(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
                           Allocations& allocations)
    : tools_(tools),
      holds_(holds),
      entitlements_(entitlements),
      allocations_(allocations),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      rm_record_(tools.known.rm_record),
      refused_starts_(tools.known.refused_starts),
      preemptors_(tools.known.preemptors),
      fairshare_(tools.known.fairshare) {}

void FailedStarts::refused(JobId id, const std::string& why, Obstacle obstacle, bool reserved) {
  rm_record_.start_failed(tools_.now(), why);
  const Job& job = cluster_.job(id);
  if (!job.active()) return;  // it has ended before the answer
  auto nodes = nodes_of(job.placement);
  undo(id);
  count(id, why, obstacle, std::move(nodes), reserved);
}

void FailedStarts::count(JobId id, const std::string& why, Obstacle obstacle,
                         std::vector<NodeId> nodes, bool reserved) {
  const Job& job = cluster_.job(id);
  if (preemptors_.may_meet_victims(job, obstacle, tools_.known.iteration, tools_.now())) {
    tools_.log_of_job(id, 1, "fRM", [&] {
      return fmt::format(
          "job '{}' cannot start yet, perhaps because of the jobs that it preempted: {}", job.name,
          why);
    });
    return preemptors_.put_off(job, tools_.now());
  }
  spare_victims(id);
  if (obstacle != Obstacle::unknown && obstacle != Obstacle::stays) {
    tools_.log_of_job(id, 1, "fRM",
                      [&] { return fmt::format("job '{}' cannot start yet: {}", job.name, why); });
    refused_starts_.add(cluster_, id, why, std::move(nodes), obstacle, tools_.now(),
                        entitlements_.request_setter());
    return;
  }
  tools_.log_refusal("start job", tools_.label(job), Error{why});
  const HoldReason reason{
      fmt::format("RMReject: the resource manager refused to start it: {}", why)};
  cluster_.set_own_holds(id, job.own_holds, reason);
  if (obstacle == Obstacle::stays) return holds_.place(id, Hold::batch, reason);
  JobFailures failures = job.failures;
  if (reserved && failures.retry_until == Time(0))
    keep_turn(id, tools_.now() + retry_time(cluster_, settings_, job));
  if (tools_.now() < job.failures.retry_until) return;
  ++failures.starts;
  failures.retry_until = Time(0);
  cluster_.set_failures(id, failures);
  tools_.observer.checkpoint_outdated();
  if (failures.starts >= settings_.jobs.defer_start_count) holds_.defer(id, reason);
}

/// Each attempt costs another job its work, so they are as rare as deferrals are long.
void FailedStarts::spare_victims(JobId id) {
  if (!preemptors_.forget(cluster_.job(id))) return;
  JobFailures failures = cluster_.job(id).failures;
  const Seconds time = std::max(settings_.jobs.defer_time, kLeastTimeSpared);
  failures.preempts_from = tools_.now() + time;
  cluster_.set_failures(id, failures);
  tools_.observer.checkpoint_outdated();
  tools_.log_of_job(id, 2, "fSCHED", [&] {
    return fmt::format("job '{}' preempts no job for {}: it could not start after it had done so",
                       cluster_.job(id).name, counted(time.raw(), "second"));
  });
}

void FailedStarts::undo(JobId id) {
  allocations_.settle(cluster_.job(id), Seconds(0), tools_.now(), false);
  requeue(id, {});
}

void FailedStarts::requeue(JobId id, const HoldReason& reason) {
  const Job& job = cluster_.job(id);
  // It did not run.
  fairshare_.settle(cluster_, settings_.fairshare, id, job.counted_start());
  cluster_.undo_start(id, tools_.now());
  cluster_.set_own_holds(id, job.own_holds, reason);
  entitlements_.renew(id);
  tools_.observer.checkpoint_outdated();
}

void FailedStarts::keep_turn(JobId id, Time until) {
  JobFailures failures = cluster_.job(id).failures;
  if (failures.retry_until == until) return;
  failures.retry_until = until;
  cluster_.set_failures(id, failures);
}

}  // namespace maui
