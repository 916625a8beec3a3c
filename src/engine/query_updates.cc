// Values that are not kept up to date while nobody looks.
//
// Bypass counts and priorities change for most of the queue in every iteration,
// and node use with every second.  Writing them into the jobs and nodes each
// time would cost more than planning; so they are gathered, and written when a
// command looks at the cluster, when the priority formula needs them, or when
// the job leaves the queue.
#include <algorithm>

#include "engine/state.h"

namespace maui {

/// Each job that backfill started bypassed every job that stood before it and still waits.
void Engine::State::gather_bypasses() {
  if (plan.backfilled.empty()) return;
  bypasses.resize(std::max(bypasses.size(), cluster.job_slots()));
  std::vector<std::uint32_t>& started = plan.backfilled;
  std::sort(started.begin(), started.end());
  auto next = started.begin();
  for (std::uint32_t i = 0; next != started.end(); ++i) {
    if (i == *next) {
      ++next;
    } else if (plan.reasons[i] != Reason::none) {
      bypasses[plan.order[i].job.index()] += static_cast<std::int32_t>(started.end() - next);
    }
  }
  bypasses_gathered = true;
  if (settings.priority.bypass.weight == 0) return;
  for (const Waiting& line : cluster.waiting()) settle_bypass(line.job);
  bypasses_gathered = false;
}

void Engine::State::settle_bypass(JobId id) {
  if (id.index() >= bypasses.size() || bypasses[id.index()] == 0) return;
  cluster.add_bypass(id, std::exchange(bypasses[id.index()], 0));
}

void Engine::State::update_for_queries() {
  if (bypasses_gathered)
    for (const Waiting& line : cluster.waiting()) settle_bypass(line.job);
  bypasses_gathered = false;
  if (priorities_stale)
    for (const Plan::Ranked& one : plan.order)
      if (cluster.job(one.job).id.valid()) cluster.set_priority(one.job, one.priority);
  priorities_stale = false;
  if (use_settled == now()) return;
  use_settled = now();
  cluster.settle_node_use(now());
}

/// A job ends between two iterations: the plan shall not name what is no longer known.
void Engine::State::forget_in_plan(JobId id) {
  plan.decisions.clear();
  plan.backfilled.clear();
  const auto at = std::find_if(plan.order.begin(), plan.order.end(),
                               [id](const Plan::Ranked& one) { return one.job == id; });
  if (at == plan.order.end()) return;
  plan.reasons.erase(plan.reasons.begin() + (at - plan.order.begin()));
  plan.order.erase(at);
}

}  // namespace maui
