#include "engine/actions/deferrals.h"

#include <algorithm>

#include "sched/placement/feasibility.h"

namespace maui {

void Deferrals::add(Time until, JobId job) {
  const Deferral deferral(until, job);
  const auto later = [](const Deferral& a, const Deferral& b) { return a.first > b.first; };
  all_.insert(std::lower_bound(all_.begin(), all_.end(), deferral, later), deferral);
}

void Deferrals::shift(Seconds by) {
  for (auto& [when, job] : all_) when = when + by;
}

bool Deferrals::stands(const Cluster& cluster, const Deferral& deferral) {
  const Job& job = cluster.job(deferral.second);
  return job.id.valid() && has(job.holds, Hold::defer) &&
         job.failures.deferred_until == deferral.first;
}

std::vector<JobId> Deferrals::take_over(const Cluster& cluster, Time now) {
  std::vector<JobId> over;
  for (; !all_.empty() && all_.back().first <= now; all_.pop_back())
    if (stands(cluster, all_.back())) over.push_back(all_.back().second);
  return over;
}

std::vector<JobId> Deferrals::take_feasible(const Cluster& cluster) {
  std::vector<JobId> feasible;
  if (std::exchange(nodes_as_of_, cluster.node_changes()) == cluster.node_changes())
    return feasible;
  std::erase_if(all_, [&](const Deferral& deferral) {
    if (!stands(cluster, deferral)) return true;
    const Job& job = cluster.job(deferral.second);
    if (job.hold_reason->cause != HoldCause::no_resources ||
        !ever_feasible(cluster, job, cluster.request(job.request)))
      return false;
    feasible.push_back(job.id);
    return true;
  });
  return feasible;
}

Time Deferrals::next(const Cluster& cluster, Time now) {
  while (!all_.empty() && all_.back().first <= now && !stands(cluster, all_.back()))
    all_.pop_back();
  return all_.empty() ? kForever : std::max(all_.back().first, now + Seconds(1));
}

}  // namespace maui
