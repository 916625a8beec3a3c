#include "engine/actions/dependencies.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/job_extensions.h"

namespace maui {
namespace {

constexpr std::size_t kMostOutcomes = 100000;  // ended jobs whose outcome is kept

}  // namespace

DependencyState Dependencies::state_of(const Cluster& cluster, const Dependency& dependency) const {
  if (dependency.state != DependencyState::open) return dependency.state;
  const JobId id = cluster.find_job(dependency.job);
  const auto past = outcomes_.find(dependency.job);
  const bool over = past != outcomes_.end();
  if (dependency.theirs) {
    const bool started = id.valid() && cluster.job(id).start_count > 0;
    const bool waits =
        id.valid() && !over && !(dependency.kind == DependencyKind::after && started);
    return waits ? DependencyState::open : DependencyState::met;
  }
  if (dependency.kind == DependencyKind::after) {
    if (id.valid() && cluster.job(id).start_count > 0) return DependencyState::met;
    if (!over) return DependencyState::open;
    return past->second.started ? DependencyState::met : DependencyState::never;
  }
  if (!over) return DependencyState::open;
  const bool met = dependency.kind == DependencyKind::after_any ||
                   past->second.ok == (dependency.kind == DependencyKind::after_ok);
  return met ? DependencyState::met : DependencyState::never;
}

void Dependencies::judge(Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  auto all = job.dependencies;
  for (Dependency& dependency : all) dependency.state = state_of(cluster, dependency);
  if (all == job.dependencies) return;
  const auto lost = std::find_if(all.begin(), all.end(), [](const Dependency& dependency) {
    return dependency.state == DependencyState::never;
  });
  if (lost != all.end() && job.holds == 0)
    cluster.set_own_holds(
        id, static_cast<std::uint8_t>(Hold::batch),
        {"dependency can never be met: " + dependency_text(*lost), HoldCause::lost_dependency});
  cluster.set_dependencies(id, std::move(all));
}

void Dependencies::arrived(Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  // The name belongs to a new job: the outcome of an earlier job of that name no longer counts.
  if (outcomes_.erase(job.name) > 0) std::erase(order_, job.name);
  await(cluster, id);
}

void Dependencies::revised(Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  if (job.hold_reason->cause == HoldCause::lost_dependency) cluster.lift_hold(id, Hold::batch);
  await(cluster, id);
}

void Dependencies::await(Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  for (const Dependency& dependency : job.dependencies)
    dependents_[dependency.job].push_back(job.name);
  if (!job.dependencies.empty()) judge(cluster, id);
}

void Dependencies::judge_dependents(Cluster& cluster, const std::string& name) {
  const auto found = dependents_.find(name);
  if (found == dependents_.end()) return;
  std::erase_if(found->second, [&](const std::string& dependent) {
    const JobId id = cluster.find_job(dependent);
    if (id.valid()) judge(cluster, id);
    return !id.valid() || cluster.job(id).dependencies_met();
  });
  if (found->second.empty()) dependents_.erase(found);
}

void Dependencies::started(Cluster& cluster, JobId id) {
  if (!dependents_.empty()) judge_dependents(cluster, cluster.job(id).name);
}

void Dependencies::ended(Cluster& cluster, JobId id, bool ok) {
  const Job& job = cluster.job(id);
  outcomes_[job.name] = {job.start_count > 0, ok};
  order_.push_back(job.name);
  if (order_.size() > kMostOutcomes) {
    outcomes_.erase(order_.front());
    order_.pop_front();
  }
  if (!dependents_.empty()) judge_dependents(cluster, std::string(job.name));
}

}  // namespace maui
