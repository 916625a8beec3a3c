#include "engine/accounts/unseen_runs.h"

#include <algorithm>
#include <map>

#include "sched/reservations/standing_nodes.h"

namespace maui {
namespace {

/// Changes of the use of one node, by time.
using Changes = std::map<Time, UsedProcs>;

void change(Changes& changes, Time at, UsedProcs by, int sign) {
  changes[at].all += sign * by.all;
  changes[at].inside += sign * by.inside;
}

/// Returns the idle processor-seconds beyond those with the present use, on one node.
double more_idle_on(const Cluster& cluster, const JobFlags& flags, const Reservation& reservation,
                    const NodeTasks& share, const Changes& changes) {
  const UsedProcs now = used_procs(cluster, flags, reservation, cluster.occupancy(share.node));
  const int idle_now = idle_procs(cluster, reservation, share, now);
  UsedProcs then = now;
  double sum = 0;
  for (auto at = changes.begin(); at != changes.end(); ++at) {
    then.all += at->second.all;
    then.inside += at->second.inside;
    const auto next = std::next(at);
    if (next == changes.end()) break;  // from here on, the use is as now
    const int more = idle_procs(cluster, reservation, share, then) - idle_now;
    sum += static_cast<double>(more) * static_cast<double>((next->first - at->first).raw());
  }
  return sum;
}

}  // namespace

void UnseenRuns::add(const Cluster& cluster, const JobFlags& flags, const Job& job, Time from,
                     Time until) {
  note(cluster, flags, job, {{}, from, until, {1, 1}});
}

void UnseenRuns::add_absence(const Cluster& cluster, const JobFlags& flags, const Job& job,
                             Time from, Time until) {
  note(cluster, flags, job, {{}, from, until, {-1, -1}});
}

/// Notes the use of each chargeable reservation; `use` is that by one processor.
void UnseenRuns::note(const Cluster& cluster, const JobFlags& flags, const Job& job, Use use) {
  if (use.from >= use.until) return;
  const auto& requirements = cluster.request(job.request).requirements;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    if (payer_of(reservation).empty()) continue;
    const bool inside = admission(reservation, applicant_of(cluster, flags, job)).admitted;
    auto& uses = uses_[reservation.serial];
    for (const NodeTasks& share : job.placement) {
      const int procs = share.tasks * requirements[share.requirement].per_task.procs();
      uses.push_back({share.node,
                      use.from,
                      use.until,
                      {use.procs.all * procs, inside ? use.procs.inside * procs : 0}});
    }
  }
}

double UnseenRuns::more_idle(const Cluster& cluster, const JobFlags& flags,
                             const Reservation& reservation, Time from, Time until) const {
  const auto known = uses_.find(reservation.serial);
  if (known == uses_.end()) return 0;
  std::map<NodeId, Changes> changes;
  for (const Use& use : known->second) {
    const Time begin = std::max(from, use.from), end = std::min(until, use.until);
    if (begin >= end) continue;
    change(changes[use.node], begin, use.procs, 1);
    change(changes[use.node], end, use.procs, -1);
  }
  double sum = 0;
  if (changes.empty()) return sum;
  for (const NodeTasks& share : reservation.nodes)
    if (const auto at = changes.find(share.node); at != changes.end())
      sum += more_idle_on(cluster, flags, reservation, share, at->second);
  return sum;
}

}  // namespace maui
