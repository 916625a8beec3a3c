// Jobs that the resource manager runs and that nobody here started: it was told
// to by others, or by this scheduler before it was started anew.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/reports/entitle.h"
#include "engine/reports/in_use.h"
#include "engine/reports/report.h"
#include "engine/state.h"

namespace maui {
Placement placement_of(const Cluster& cluster, const Request& request,
                       const std::vector<std::string>& task_list) {
  std::vector<NodeTasks> shares;
  std::unordered_map<NodeId, std::size_t> known;  // where each stands
  std::uint32_t requirement = 0;
  int more = request.requirements.front().tasks;  // tasks of it
  for (const std::string& name : task_list) {
    const NodeId node = cluster.find_node(name);
    if (more-- == 0 && requirement + 1 < request.requirements.size()) {
      more = request.requirements[++requirement].tasks - 1;
      known.clear();
    }
    const auto [at, added] = known.emplace(node, shares.size());
    if (added)
      shares.push_back({node, 1, requirement});
    else
      ++shares[at->second].tasks;
  }
  return {shares.begin(), shares.end()};
}

bool Engine::State::adopt_running(JobId id, const ReportedRun& run) {
  if (run.task_list.empty() || !cluster.job(id).waiting()) return false;
  for (const std::string& node : run.task_list) reported_nodes.know_of(node);
  forget_in_plan(plan, id);
  // One that began before the clock was set back has a later time than now, and less than no
  // suspension.
  const Seconds set_back = std::max(Seconds(0), Seconds(0) - run.suspended_time);
  cluster.start_job(id, placement_of(cluster, cluster.request_of(id), run.task_list),
                    std::min(run.started, now() + set_back));
  learning.started(cluster, settings, id);
  if (run.suspended_time != Seconds(0)) cluster.set_suspended_time(id, run.suspended_time);
  if (run.state == JobState::starting) cluster.set_starting(id);
  if (run.state == JobState::suspended) {
    cluster.suspend_job(id, std::min(run.suspended_since, now()));
    if (run.stays_suspended) cluster.keep_suspended(id);
  }
  dependencies.started(cluster, id);
  trust_state(id);
  log(2, "fRM", [&] {
    return fmt::format("job '{}' runs already, on {} nodes", cluster.job(id).name,
                       cluster.job(id).placement.size());
  });
  return true;
}

/// A server that keeps the waiting tasks of an array as one job starts one of them under a name of
/// its own, where that job was told to start: the others wait again.
void Engine::State::resolve_split(const Job& runs, const ReportedRun& run) {
  auto nodes = run.task_list;
  std::sort(nodes.begin(), nodes.end());
  const auto is_it = [&](const DoubtedJob& doubted) {
    const Job& job = cluster.job(doubted.job);
    if (doubted.reported != JobState::idle || !cluster.still(doubted.job, doubted.arrival) ||
        job.state != JobState::starting || job.resource_manager != runs.resource_manager ||
        job.credentials.user != runs.credentials.user)
      return false;
    std::vector<std::string> assigned;
    for (const NodeTasks& share : job.placement)
      assigned.insert(assigned.end(), static_cast<std::size_t>(share.tasks),
                      cluster.node(share.node).name);
    std::sort(assigned.begin(), assigned.end());
    return assigned == nodes;
  };
  if (DoubtedJob rest; unexpected.take_first(is_it, rest)) believe(rest.job, JobState::idle);
  forgive_split(runs, run);
}

void Engine::State::forgive_split(const Job& runs, const ReportedRun& run) {
  if (run.task_list.empty()) return;
  std::vector<NodeId> nodes;
  for (const std::string& name : run.task_list) nodes.push_back(cluster.find_node(name));
  refused_starts.forgive_task(cluster, runs, nodes);
}

void Engine::State::sync_running(JobId id, const ReportedRun& run) {
  const Job& job = cluster.job(id);
  resolve_split(job, run);
  if (!adopt_running(id, run) && job.waiting()) doubt_state(id, "where is not reported");
}

void Engine::State::doubt_state(JobId id, std::string_view why) {
  const Job& job = cluster.job(id);
  const bool held = has(job.holds, Hold::batch) && job.hold_reason->cause == HoldCause::may_run;
  if (!held) holds.place(id, Hold::batch, state_problem(why));
}

void Engine::State::trust_state(JobId id) {
  if (cluster.job(id).hold_reason->cause == HoldCause::may_run) cluster.lift_hold(id, Hold::batch);
}

void Engine::State::revise(JobId id, const Job& reported) {
  const auto before = cluster.job(id).dependencies;
  cluster.revise_job(id, reported);
  const Job& job = cluster.job(id);
  if (job.earliest_start > now()) start_dates.add(job.earliest_start);
  if (job.dependencies != before) dependencies.revised(cluster, id);
}

void Engine::State::change(const JobReport& report) {
  const JobId id = cluster.find_job(report.name);
  if (!id.valid()) return;
  const Job& job = cluster.job(id);
  Submission made = job_of(report, settings, cluster, now(), classes_in_use(cluster));
  if (job.waiting()) {
    revise(id, made.job);
    refused_starts.revised(id);
    auto asked = entitle(job, std::move(made.request), settings, cluster).request;
    if (asked != cluster.request_of(id)) entitlements.set_request(id, std::move(asked));
    entitlements.renew(id);
    const bool had = job.hold_reason->cause == HoldCause::unusable_report;
    const bool has_one = made.job.hold_reason->cause == HoldCause::unusable_report;
    if (had && made.job.hold_reason->empty()) cluster.lift_hold(id, Hold::batch);
    if (has_one && job.hold_reason != made.job.hold_reason)
      holds.place(id, Hold::batch, made.job.hold_reason);
  } else {
    if (made.request.limit != cluster.request_of(id).limit)
      entitlements.set_limit(id, made.request.limit);
    if (unexpected.holds(job)) {
      std::erase_if(put_off, [&](const JobReport& other) { return other.name == report.name; });
      put_off.push_back(report);
    }
  }
  log(3, "fRM", [&] { return fmt::format("job '{}' asks for something else now", report.name); });
}

}  // namespace maui
