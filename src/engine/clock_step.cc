#include "engine/clock_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {
namespace {

/// Preserves the run times of jobs, and the times for which they have been suspended.
void shift_runs(EngineKnowledge& known, Seconds by) {
  std::vector<JobId> running;
  for (const Active& row : known.cluster.active()) running.push_back(row.job);
  for (const JobId id : running) {
    const Job& job = known.cluster.job(id);
    if (job.state == JobState::starting)  // its start may yet be reported by the clock as it stood
      known.cluster.set_clock_set(id, job.clock_set + by);
    else
      known.cluster.shift_run(id, by);
  }
  for (const JobId id : known.cluster.suspended()) known.cluster.shift_run(id, by);
  known.started_at = known.started_at + by;
  known.accounted = known.accounted + by;
  known.idle_charged = known.idle_charged + by;
  known.statistics.since = known.statistics.since + by;
  known.reservation_uses.shift(by);
}

/// Starts at the end that jobs move away from: each passes the jobs that have not moved yet.
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
  known.preemptors.shift(by);
  for (const JobId id : known.cluster.jobs()) {
    if (const Time until = known.cluster.job(id).accounted_until; until > Time(0))
      known.cluster.set_accounted_until(id, until + by);
    JobFailures failures = known.cluster.job(id).failures;
    for (Time* when : {&failures.deferred_until, &failures.retry_until, &failures.preempts_from})
      if (*when > Time(0) && *when < kForever) *when = *when + by;
    if (failures != known.cluster.job(id).failures) known.cluster.set_failures(id, failures);
    if (known.cluster.run_times.of(id).promised < kForever) {
      Time& promised = known.cluster.run_times.at(id).promised;
      promised = promised + by;
    }
  }
  shift(known.pending_restore, by);
  if (!known.cluster.unconfirmed_runs().empty())
    known.cluster.set_unconfirmed_runs(
        unconfirmed_runs(known.pending_restore, known.clock_steps, known.cluster));
  known.unexpected.shift(by);
  known.lost.shift(by);
  known.requeues.shift(by);
  known.requests.shift(by);
  known.managers.clock_stepped(by);
  known.node_sync.shift(by);
  known.last_activity = known.last_activity + by;
}

}  // namespace

void step_clock(const EngineTools& tools, Seconds by) {
  // The clock is looked at when an iteration begins, if not more often.
  note_clock_step(tools, by, tools.known.accounted + by);
  shift_runs(tools.known, by);
  shift_queue(tools.known, by);
  shift_patience(tools.known, by);
  tools.known.fairshare.clock_stepped(tools.known.settings.fairshare, by);
}

void note_clock_step(const EngineTools& tools, Seconds by, Time since) {
  const bool far = std::max(by, Seconds(0) - by) > tools.known.settings.server.clock_step;
  tools.log(0, "fCORE", [&] {
    return fmt::format("{}: the machine's clock was set {} by {}{}", far ? "ALERT" : "WARNING",
                       by > Seconds(0) ? "forward" : "back",
                       counted(std::max(by, Seconds(0) - by).raw(), "second"),
                       far ? "; time limits are not enforced until every resource manager has "
                             "answered (CLOCKSTEP)"
                           : "");
  });
  tools.known.clock_steps.note(by, since, tools.now(), far);
}

bool enforces_limits(const EngineTools& tools) {
  ClockSteps& steps = tools.known.clock_steps;
  if (!steps.paused()) return true;
  // If several are slow, some have not answered in time whenever the others have.
  const ManagerContact& managers = tools.known.managers;
  for (const std::string& name : managers.silent())
    if (managers.heard(name).value_or(Time(0)) <= steps.last().at) return false;
  steps.confirm();
  tools.log(0, "fCORE", [] { return "time limits are enforced again from the next iteration"; });
  return false;
}

}  // namespace maui
