// The machine's clock was set.
//
// Moments are those of the clock as it stands: reservations, windows of fairshare, what a resource
// manager reports.  Intervals are not: what the step seems to add to them, or to take, is none of
// anybody's run, wait or patience.
#include <fmt/format.h>

#include <algorithm>

#include "engine/state.h"

namespace maui {
namespace {

/// Keeps the run times of jobs as they are: the step counts as time in which they were suspended.
void shift_runs(EngineKnowledge& known, Seconds by) {
  std::vector<JobId> running;
  for (const Active& row : known.cluster.active())
    if (known.cluster.job(row.job).state != JobState::starting) running.push_back(row.job);
  for (const JobId id : running)
    known.cluster.set_suspended_time(id, known.cluster.job(id).suspended_time + by);
  known.accounted = known.accounted + by;
  known.idle_charged = known.idle_charged + by;
  known.reservation_uses.shift(by);
}

/// From the end at which they gather: each moves past those that have not.
void shift_queue(EngineKnowledge& known, Seconds by) {
  std::vector<JobId> queue;
  for (const Waiting& line : known.cluster.waiting()) queue.push_back(line.job);
  if (by < Seconds(0)) std::reverse(queue.begin(), queue.end());
  for (const JobId id : queue) {
    known.cluster.set_queued(id, known.cluster.job(id).queued + by);
    known.cluster.set_eligible_since(id, known.cluster.job(id).eligible_since + by);
  }
  known.queue_times_as_of = known.queue_times_as_of + by;
}

void shift_patience(EngineKnowledge& known, Seconds by) {
  known.deferrals.shift(by);
  known.refused_starts.shift(by);
  for (const JobId id : known.cluster.jobs()) {
    JobFailures failures = known.cluster.job(id).failures;
    for (Time* when : {&failures.deferred_until, &failures.retry_until})
      if (*when > Time(0) && *when < kForever) *when = *when + by;
    if (failures != known.cluster.job(id).failures) known.cluster.set_failures(id, failures);
    if (known.cluster.run_times.of(id).promised < kForever) {
      Time& promised = known.cluster.run_times.at(id).promised;
      promised = promised + by;
    }
  }
  known.unexpected.shift(by);
  known.lost.shift(by);
  // A job that ends now ends, by the clock, before the last answers came.
  if (by < Seconds(0)) known.managers.shift(by);
  known.node_sync.shift(by);
  known.last_activity = known.last_activity + by;
}

}  // namespace

void Engine::clock_stepped(Seconds by) { state_->clock_stepped(by); }

void Engine::State::clock_stepped(Seconds by) {
  note_step(by);
  shift_runs(*this, by);
  shift_queue(*this, by);
  shift_patience(*this, by);
}

void Engine::State::note_step(Seconds by) {
  const bool far = std::max(by, Seconds(0) - by) > settings.server.clock_step;
  log(0, "fCORE", [&] {
    return fmt::format("{}: the machine's clock was set {} by {} seconds{}",
                       far ? "ALERT" : "WARNING", by > Seconds(0) ? "forward" : "back",
                       std::max(by, Seconds(0) - by).raw(),
                       far ? "; limits of time are not enforced until every resource manager has "
                             "answered (CLOCKSTEP)"
                           : "");
  });
  clock_steps.note(now(), far);
}

bool Engine::State::enforces_limits() {
  if (!clock_steps.paused()) return true;
  if (!managers.silent().empty()) return false;
  clock_steps.confirm();
  log(0, "fCORE", [] { return "limits of time are enforced again from the next iteration on"; });
  return false;
}

}  // namespace maui
