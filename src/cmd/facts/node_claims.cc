#include "cmd/facts/node_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/duration.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/reservation_facts.h"
#include "sched/reservations/standing_nodes.h"

namespace maui {
namespace {

constexpr auto kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t end_of(const NodeReservation& claim) { return claim.end == -1 ? kNever : claim.end; }
std::int64_t raw_end(const Reservation& r) { return r.end >= kForever ? kNever : r.end.raw(); }

/// A job's claim, and the job that applies for access to reservations.
struct JobClaim {
  NodeReservation shown;
  JobId job;
};

/// True if the job runs inside the reservation: checks the whole access list, with time limits.
bool inside(const Context& context, const JobFlags& flags, const JobClaim& claim,
            const Reservation& r) {
  const Cluster& cluster = context.cluster();
  const auto terms = admission(r, applicant_of(cluster, flags, cluster.job(claim.job)));
  const auto overlap =
      std::min(end_of(claim.shown), raw_end(r)) - std::max(claim.shown.start, raw(r.start));
  return terms.admitted && (terms.overlap >= kUnlimited || overlap <= terms.overlap.raw());
}

std::vector<JobClaim> job_claims(const Cluster& cluster, const Node& node) {
  const Occupancy& here = cluster.occupancy(node.id);
  std::vector<JobClaim> claims;
  for (const Occupant& occupant : here.occupants) {
    const Job& job = cluster.job(occupant.job);
    claims.push_back({{job.name,
                       "Job",
                       occupant.tasks,
                       raw(job.counted_start()),
                       raw(occupant.ends),
                       {},
                       occupant.amount.procs()},
                      occupant.job});
  }
  return claims;
}

NodeReservation claim_of(const Cluster& cluster, const Node& node, const Reservation& r) {
  NodeReservation claim;
  claim.name = r.name;
  claim.type = type_of(r);
  claim.start = raw(r.start);
  claim.end = raw(r.end);
  for (const NodeTasks& share : r.nodes) {
    if (share.node != node.id) continue;
    claim.tasks += share.tasks;
    claim.procs += cluster.reserved_on(r, share).procs();
  }
  return claim;
}

/// Returns the processors that a reservation keeps from others, from its start or from `now` on, as
/// jobs inside it start and end.
std::vector<BlockedAmount> blocked_by(const NodeReservation& claim,
                                      const std::vector<const NodeReservation*>& inside,
                                      std::int64_t of, std::int64_t now) {
  const std::int64_t first = std::max(claim.start, now);
  std::set<std::int64_t> times{first};
  for (const auto* job : inside)
    for (const std::int64_t time : {job->start, end_of(*job)})
      if (time > first && time < end_of(claim)) times.insert(time);
  std::vector<BlockedAmount> steps;
  for (const std::int64_t time : times) {
    std::int64_t used = 0;
    for (const auto* job : inside)
      if (job->start <= time && time < end_of(*job)) used += job->procs;
    const std::int64_t left = std::max<std::int64_t>(claim.procs - used, 0);
    if (steps.empty() || steps.back().procs != left) steps.push_back({time, left, of});
  }
  return steps;
}

std::int64_t claimed(const NodeReservation& claim, std::int64_t time) {
  if (time < claim.start || time >= end_of(claim)) return 0;
  if (claim.blocked.empty()) return claim.procs;
  std::int64_t procs = 0;
  for (const BlockedAmount& step : claim.blocked)
    if (step.since <= time) procs = step.procs;
  return procs;
}

}  // namespace

std::vector<NodeReservation> reservations_on(const Context& context, const Node& node) {
  const Cluster& cluster = context.cluster();
  const JobFlags flags(cluster, context.settings());
  std::vector<JobClaim> jobs = job_claims(cluster, node);
  std::vector<NodeReservation> all;
  for (const ReservationId id : cluster.occupancy(node.id).reservations)
    if (const Reservation& r = cluster.reservation(id); r.kind == ReservationKind::job)
      jobs.push_back({claim_of(cluster, node, r), r.job});
  for (const JobClaim& job : jobs) all.push_back(job.shown);
  for (const ReservationId id : cluster.occupancy(node.id).reservations) {
    const Reservation& r = cluster.reservation(id);
    if (r.kind == ReservationKind::job) continue;
    all.push_back(claim_of(cluster, node, r));
    std::vector<const NodeReservation*> guests;
    for (const JobClaim& job : jobs)
      if (inside(context, flags, job, r)) guests.push_back(&job.shown);
    all.back().blocked =
        blocked_by(all.back(), guests, node.configured.procs(), context.now().raw());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  return all;
}

std::vector<std::string> overcommitments(const Node& node,
                                         const std::vector<NodeReservation>& claims, Time now) {
  std::set<std::int64_t> times{now.raw()};
  for (const NodeReservation& claim : claims) {
    for (const std::int64_t time : {claim.start, end_of(claim)})
      if (time > now.raw() && time != kNever) times.insert(time);
    for (const BlockedAmount& step : claim.blocked)
      if (step.since > now.raw()) times.insert(step.since);
  }
  std::vector<std::string> found;
  std::int64_t before = 0;
  for (const std::int64_t time : times) {
    std::int64_t left = node.configured.procs();
    for (const NodeReservation& claim : claims) left -= claimed(claim, time);
    if (left < 0 && left != before)
      found.push_back(fmt::format("node is overcommitted at time {} (P: {})",
                                  format_duration(Seconds(time - now.raw())), left));
    before = left;
  }
  return found;
}

}  // namespace maui
