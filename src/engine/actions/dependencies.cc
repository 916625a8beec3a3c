#include "engine/actions/dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

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
  std::optional<HoldReason> reason;
  if (lost != all.end())
    reason = {"dependency can never be met: " + dependency_text(*lost), HoldCause::lost_dependency};
  cluster.set_dependencies(id, std::move(all));
  if (job.dependencies_met()) met_since_plan_ = true;
  // The reason of another batch hold stays: revised() releases only a hold for this reason.
  if (reason && !has(job.own_holds, Hold::batch)) place_hold_(id, *reason);
}

void Dependencies::arrived(const Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  // The name belongs to a new job: the outcome of an earlier job of that name no longer counts.
  if (outcomes_.erase(job.name) > 0) std::erase(order_, job.name);
  if (!job.dependencies.empty()) new_.emplace_back(id, job.arrival);
}

void Dependencies::revised(Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  if (job.hold_reason->cause == HoldCause::lost_dependency) cluster.lift_hold(id, Hold::batch);
  new_.emplace_back(id, job.arrival);
}

void Dependencies::judge_new(Cluster& cluster, const Due& due) {
  auto put_off = std::exchange(new_, {});
  std::erase_if(put_off, [&](const auto& entry) {
    const auto& [id, arrival] = entry;
    const bool known = cluster.still(id, arrival);
    if (known && !due(cluster.job(id))) return false;
    if (known) await(cluster, id);
    return true;
  });
  new_.insert(new_.end(), put_off.begin(), put_off.end());
}

void Dependencies::await(Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  judge(cluster, id);
  for (const Dependency& dependency : job.dependencies)
    if (dependency.state == DependencyState::open) dependents_[dependency.job].insert(job.name);
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
  note(job.name, {job.start_count > 0, ok});
  for (const Dependency& dependency : job.dependencies)
    if (const auto others = dependents_.find(dependency.job);
        others != dependents_.end() && others->second.erase(job.name) > 0 && others->second.empty())
      dependents_.erase(others);
  if (!dependents_.empty()) judge_dependents(cluster, std::string(job.name));
}

void Dependencies::note(const std::string& job, Outcome outcome) {
  if (outcomes_.insert_or_assign(job, outcome).second) order_.push_back(job);
  if (order_.size() <= kMostOutcomes) return;
  outcomes_.erase(order_.front());
  order_.pop_front();
}

}  // namespace maui
