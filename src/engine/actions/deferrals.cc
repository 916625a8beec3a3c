#include "engine/actions/deferrals.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sched/placement/feasibility.h"

namespace maui {

void Deferrals::add(Time until, JobId job) { all_.emplace(until, job); }

void Deferrals::shift(Seconds by) {
  std::multimap<Time, JobId> shifted;
  for (const auto& [when, job] : all_) shifted.emplace_hint(shifted.end(), when + by, job);
  all_ = std::move(shifted);
}

bool Deferrals::stands(const Cluster& cluster, const Deferral& deferral) {
  const Job& job = cluster.job(deferral.second);
  return job.id.valid() && has(job.holds, Hold::defer) &&
         job.failures.deferred_until == deferral.first;
}

std::vector<JobId> Deferrals::take_over(const Cluster& cluster, Time now) {
  std::vector<JobId> over;
  for (; !all_.empty() && all_.begin()->first <= now; all_.erase(all_.begin()))
    if (stands(cluster, *all_.begin())) over.push_back(all_.begin()->second);
  return over;
}

template <class Wanted>
std::vector<JobId> Deferrals::take(const Cluster& cluster, const Wanted& wanted) {
  std::vector<JobId> taken;
  std::erase_if(all_, [&](const Deferral& deferral) {
    if (!stands(cluster, deferral)) return true;
    if (!wanted(cluster.job(deferral.second))) return false;
    taken.push_back(deferral.second);
    return true;
  });
  return taken;
}

std::vector<JobId> Deferrals::take_feasible(const Cluster& cluster) {
  if (std::exchange(nodes_as_of_, cluster.node_changes()) == cluster.node_changes()) return {};
  std::unordered_map<RequestId, bool> known;  // of jobs in one shape; many have the same request
  const auto has_become_feasible = [&](const Job& job) {
    if (!job.alternatives.empty()) return ever_feasible(cluster, job, cluster.request(job.request));
    const auto [answer, fresh] = known.try_emplace(job.request);
    if (fresh) answer->second = ever_feasible(cluster, cluster.request(job.request));
    return answer->second;
  };
  return take(cluster, [&](const Job& job) {
    return job.hold_reason->cause == HoldCause::no_resources && has_become_feasible(job);
  });
}

JobId Deferrals::first_of(const Cluster& cluster, HoldCause cause) const {
  for (const Deferral& deferral : all_)
    if (stands(cluster, deferral) && cluster.job(deferral.second).hold_reason->cause == cause)
      return deferral.second;
  return {};
}

std::vector<JobId> Deferrals::take_those_of(const Cluster& cluster, HoldCause cause) {
  return take(cluster, [cause](const Job& job) { return job.hold_reason->cause == cause; });
}

Time Deferrals::next(const Cluster& cluster, Time now) {
  while (!all_.empty() && all_.begin()->first <= now && !stands(cluster, *all_.begin()))
    all_.erase(all_.begin());
  return all_.empty() ? kForever : std::max(all_.begin()->first, now + Seconds(1));
}

}  // namespace maui
