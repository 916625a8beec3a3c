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
    return past->second.outcome.started ? DependencyState::met : DependencyState::never;
  }
  if (!over) return DependencyState::open;
  const bool met = dependency.kind == DependencyKind::after_any ||
                   past->second.outcome.ok == (dependency.kind == DependencyKind::after_ok);
  return met ? DependencyState::met : DependencyState::never;
}

void Dependencies::judge_one(Cluster& cluster, JobId id) {
  auto all = cluster.job(id).dependencies;
  for (Dependency& dependency : all) dependency.state = state_of(cluster, dependency);
  await(id, all);
  if (all != cluster.job(id).dependencies) take(cluster, id, std::move(all));
}

void Dependencies::take(Cluster& cluster, JobId id, std::vector<Dependency> all) {
  const auto lost = std::find_if(all.begin(), all.end(), [](const Dependency& dependency) {
    return dependency.state == DependencyState::never;
  });
  std::optional<HoldReason> reason;
  if (lost != all.end())
    reason = {"dependency can never be met: " + dependency_text(*lost), HoldCause::lost_dependency};
  cluster.set_dependencies(id, std::move(all));
  const Job& job = cluster.job(id);
  if (job.dependencies_met()) met_since_plan_ = true;
  // The reason of another batch hold stays: revised() releases only a hold for this reason.
  if (reason && !has(job.own_holds, Hold::batch)) place_hold_(id, *reason);
}

void Dependencies::await(JobId id, const std::vector<Dependency>& all) {
  std::size_t open = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].state == DependencyState::open) {
      std::set<Edge>& dependents = dependents_[all[i].job];
      dependents.emplace_hint(dependents.end(), id, i);  // new jobs mostly have the highest id
      ++open;
    }
  if (open > 0) waiters_[id] = {open, {}};
}

void Dependencies::forget(JobId id, const std::vector<Dependency>& all) {
  if (waiters_.erase(id) == 0) return;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (const auto others = dependents_.find(all[i].job);
        others != dependents_.end() && others->second.erase({id, i}) > 0 && others->second.empty())
      dependents_.erase(others);
}

void Dependencies::arrived(const Cluster& cluster, JobId id) {
  const Job& job = cluster.job(id);
  // The name belongs to a new job: the outcome of an earlier job of that name no longer counts.
  outcomes_.erase(job.name);
  if (!job.dependencies.empty()) new_.emplace_back(id, job.arrival);
}

void Dependencies::revised(Cluster& cluster, JobId id, const std::vector<Dependency>& before) {
  forget(id, before);
  const Job& job = cluster.job(id);
  if (job.hold_reason->cause == HoldCause::lost_dependency) cluster.lift_hold(id, Hold::batch);
  new_.emplace_back(id, job.arrival);
}

bool Dependencies::judge(Cluster& cluster, const Due& due, std::size_t most) {
  std::size_t work = 0;
  for (; !new_.empty() && work < most; new_.pop_front()) {
    const auto [id, arrival] = new_.front();
    ++work;
    if (!cluster.still(id, arrival)) continue;
    if (!due(cluster.job(id))) {
      put_off_.emplace_back(id, arrival);
      continue;
    }
    work += cluster.job(id).dependencies.size();
    forget(id, cluster.job(id).dependencies);  // it may have been revised twice
    judge_one(cluster, id);
  }
  for (; new_.empty() && !outdated_.empty() && work < most; outdated_.pop_front()) {
    const JobId id = outdated_.front();
    ++work;
    if (!waiters_.contains(id)) continue;
    work += cluster.job(id).dependencies.size();
    bring_up_to_date(cluster, id);
  }
  if (!new_.empty() || !outdated_.empty()) return false;
  new_.assign(put_off_.begin(), put_off_.end());
  put_off_.clear();
  return true;
}

void Dependencies::judge_dependents(Cluster& cluster, const std::string& name) {
  const auto found = dependents_.find(name);
  if (found == dependents_.end()) return;
  std::vector<std::pair<Edge, DependencyState>> closed;
  std::erase_if(found->second, [&](const Edge& edge) {
    const DependencyState state =
        state_of(cluster, cluster.job(edge.first).dependencies[edge.second]);
    if (state != DependencyState::open) closed.emplace_back(edge, state);
    return state != DependencyState::open;
  });
  if (found->second.empty()) dependents_.erase(found);
  for (const auto& [edge, state] : closed) close(cluster, edge, state);
}

void Dependencies::close(Cluster& cluster, const Edge& edge, DependencyState state) {
  const auto [id, place] = edge;
  const auto at = waiters_.find(id);
  if (at == waiters_.end()) return;
  Waiter& waiter = at->second;
  if (waiter.closed.empty()) outdated_.push_back(id);
  waiter.closed.emplace_back(place, state);
  if (--waiter.open == 0 || state == DependencyState::never) bring_up_to_date(cluster, id);
}

void Dependencies::bring_up_to_date(Cluster& cluster, JobId id) {
  const auto at = waiters_.find(id);
  if (at == waiters_.end() || at->second.closed.empty()) return;
  auto all = cluster.job(id).dependencies;
  for (const auto& [place, state] : at->second.closed) all[place].state = state;
  at->second.closed.clear();
  if (at->second.open == 0) waiters_.erase(at);
  take(cluster, id, std::move(all));
}

void Dependencies::started(Cluster& cluster, JobId id) {
  if (!dependents_.empty()) judge_dependents(cluster, cluster.job(id).name);
}

void Dependencies::ended(Cluster& cluster, JobId id, bool ok) {
  const Job& job = cluster.job(id);
  note(job.name, {job.start_count > 0, ok});
  forget(id, job.dependencies);
  if (!dependents_.empty()) judge_dependents(cluster, std::string(job.name));
}

void Dependencies::note(const std::string& job, Outcome outcome) {
  outcomes_[job] = {outcome, ++ends_};
  order_.emplace_back(job, ends_);
  if (order_.size() <= kMostOutcomes) return;
  const auto oldest = outcomes_.find(order_.front().first);
  if (oldest != outcomes_.end() && oldest->second.number == order_.front().second)
    outcomes_.erase(oldest);
  order_.pop_front();
}

}  // namespace maui
