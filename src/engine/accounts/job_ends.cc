// A job's end: it is accounted, charged, learned from, reported to whoever wants to know, and
// forgotten.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/state.h"

namespace maui {
namespace {

/// Or for its limit, or since somebody cancelled it: not because one of its nodes was lost.
bool ended_by_itself(const Cluster& cluster, const Job& job) {
  if (cluster.counts().available_nodes == std::ssize(cluster.nodes())) return true;
  return std::all_of(job.placement.begin(), job.placement.end(), [&](const NodeTasks& share) {
    const NodeState state = cluster.node(share.node).reported;
    return state != NodeState::down && state != NodeState::unknown;
  });
}

}  // namespace

void Engine::State::end(JobId id, JobState final_state, Time when, int exit_code) {
  const bool ran = cluster.job(id).active() || cluster.job(id).suspended();
  if (ran) believe_end(id, when);
  if (ran) reservations.release_single_use(cluster.job(id), when);
  if (ran) warn_of_unreported_use(cluster.job(id), when);
  if (ran || cluster.job(id).waiting()) cluster.end_job(id, final_state, when);
  if (ran) {
    statistics.account_completion(cluster, settings, id);
    fairshare.settle(cluster, settings.fairshare, id, when);
    fairshare.forget(id);
    const Job& job = cluster.job(id);
    refused_starts.note_room(cluster, job, entitlements.request_setter());
    const Seconds run = job.ended - job.started - job.suspended_time;
    // One that is ended for its limit has had what it asked for (guide 6.4).
    const Seconds limit = cluster.limit_on(cluster.request(job.request), job.placement);
    allocations.settle(job, run, when, final_state == JobState::completed || run >= limit);
  }
  log(3, "fSCHED", [&] {
    return fmt::format("job '{}' {}", cluster.job(id).name,
                       final_state == JobState::completed ? "completed" : "removed");
  });
  const auto lesson =
      learning.ended(cluster, settings, id, ran && ended_by_itself(cluster, cluster.job(id)));
  if (lesson.totals.jobs > 0)
    statistics.account_forecasts(cluster.job(id).credentials, lesson.totals);
  ended_jobs.add(cluster, cluster.job(id), exit_code, lesson.shorter);
  observer.job_ended(cluster, id, exit_code);
  note_end(cluster.job(id));
  ended_jobs.forget(settings.jobs.purge_time, now());
  dependencies.ended(cluster, id, final_state == JobState::completed && exit_code == 0);
  log(6, "fSTRUCT", [&] { return fmt::format("job '{}' is forgotten", cluster.job(id).name); });
  cluster.local_words.forget(id);
  cluster.forget_job(id);
}

}  // namespace maui
