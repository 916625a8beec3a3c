#include "sched/query/relief.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/job_extensions.h"
#include "model/sharing.h"
#include "sched/priority/fairshare.h"

namespace maui {
namespace {

std::string hold_words(const Job& job) {
  if ((job.holds & job.holds_reported) != 0)
    return fmt::format("resource manager '{}' releases its hold", job.resource_manager);
  if (job.holds == static_cast<std::uint8_t>(Hold::defer)) return "its deferral ends";
  if (job.holds == static_cast<std::uint8_t>(Hold::user))
    return "its owner or an administrator releases the hold";
  if (has(job.holds, Hold::batch) && !job.hold_reason->empty())
    return "its cause is fixed and an administrator releases the hold";
  return "an administrator releases the hold";
}

std::string dependency_words(const Job& job) {
  std::string open;
  for (const Dependency& dependency : job.dependencies) {
    if (dependency.state == DependencyState::never)
      return fmt::format("nothing: {} can never be met", dependency_text(dependency));
    if (dependency.state == DependencyState::open)
      open += (open.empty() ? "" : ", ") + dependency_text(dependency);
  }
  return fmt::format("{} is met", open);
}

/// Returns "job 'a' ends", covering all jobs and reservations that end then on these nodes.
std::string ends_then(const Cluster& cluster, const Forecast& start) {
  std::vector<std::string> ends;
  for (const Active& line : cluster.active())
    if (line.ends == start.start && share_a_node(cluster.job(line.job).placement, start.placement))
      ends.push_back(fmt::format("job '{}'", cluster.job(line.job).name));
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    if (r.kind != ReservationKind::job && r.end == start.start &&
        share_a_node(r.nodes, start.placement))
      ends.push_back(fmt::format("reservation '{}'", r.name));
  }
  if (ends.empty()) return "the resources that it requests become free";
  if (ends.size() == 1) return ends.front() + " ends";
  if (ends.size() == 2) return fmt::format("{} and {} end", ends[0], ends[1]);
  return fmt::format("{} and {} others end", ends[0], ends.size() - 1);
}

/// True if the job would exceed the limit even if nothing else counted for it.
bool exceeds_alone(const Job& job, const Violation& limit, Time start) {
  if (limit.single_job) return true;
  if (limit.asked <= limit.limit + kLimitRounding) return false;
  // In another partition or another shape, the job may keep to its limits: the forecast knows.
  const bool may_avoid_it = limit.subject.partition.valid() || !job.alternatives.empty();
  return !may_avoid_it || start >= kForever;
}

Relief relief_of_limit(Time now, const Job& job, const Explanation& why, Time start) {
  if (why.limit && exceeds_alone(job, *why.limit, start))
    return {"the limit is raised or the job requests less: it exceeds the limit by itself"};
  return {"jobs that count for the limit end", start > now ? start : kForever};
}

}  // namespace

bool awaits_room(Reason reason) {
  switch (reason) {
    case Reason::policy:
    case Reason::reserved_later:
    case Reason::reservations_block:
    case Reason::idle_procs:
    case Reason::requirements:
    case Reason::confined:
    case Reason::node_set:
      return true;
    default:
      return false;
  }
}

Relief relief_of(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
                 const Explanation& why, const std::optional<Forecast>& earliest) {
  const Time start = earliest ? earliest->start : kForever;
  switch (why.reason) {
    case Reason::none:
    case Reason::state:
    case Reason::next_iteration:
      return {};
    case Reason::hold:
      return {hold_words(job), job.holds == static_cast<std::uint8_t>(Hold::defer)
                                   ? job.failures.deferred_until
                                   : kForever};
    case Reason::start_date:
      return {"its start date is reached", job.earliest_start};
    case Reason::completion_date:
      return {"its completion date is moved: it cannot end in time"};
    case Reason::dependency:
      return {dependency_words(job)};
    case Reason::resource_manager:
      return {"its resource manager accepts its start"};
    case Reason::policy:
      return relief_of_limit(now, job, why, start);
    case Reason::fairshare_cap:
      return {FairshareStanding(cluster, settings).what_unblocks(cluster, job.credentials)};
    case Reason::only_looking:
      return {"SERVERMODE is NORMAL, or the loss of a checkpoint is accepted"};
    case Reason::local_fairness:
      return {"the site's own policy allows it"};
    case Reason::negative_priority:
      return {"its priority is no longer below zero"};
    case Reason::nodes_down:
      return {"enough nodes are up again"};
    case Reason::never:
      return {"suitable nodes are added, or it requests less"};
    case Reason::not_reached:
    case Reason::backfill_depth:
    case Reason::chunk:
    case Reason::passed_over:
      return {"jobs before it in the queue start"};
    case Reason::reserved_later:
    case Reason::reservations_block:
    case Reason::idle_procs:
    case Reason::requirements:
    case Reason::confined:
    case Reason::node_set:
      break;
  }
  if (start >= kForever) return {"nodes or reservations change"};
  if (start <= now)
    return {why.reason == Reason::reservations_block
                ? "jobs with earlier reservations start, or its limit is shortened"
                : "jobs before it in the queue start"};
  return {ends_then(cluster, *earliest), start};
}

}  // namespace maui
