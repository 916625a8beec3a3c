#include "engine/accounts/given_back_runs.h"

#include "engine/accounts/allocations.h"
#include "engine/accounts/closed_run.h"
#include "engine/engine_observer.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"

namespace maui {

GivenBackRuns::GivenBackRuns(const EngineTools& tools, Entitlements& entitlements,
                             Allocations& allocations)
    : tools_(tools),
      entitlements_(entitlements),
      allocations_(allocations),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      statistics_(tools.known.statistics),
      fairshare_(tools.known.fairshare),
      learning_(tools.known.learning) {}

void GivenBackRuns::requeue(JobId id, Time until) {
  settle(id, until, false);
  cluster_.requeue_job(id, tools_.now());
  learning_.returned(cluster_, id);
  entitlements_.renew(id);
}

void GivenBackRuns::checkpoint(JobId id, Time until) {
  const Seconds run = settle(id, until, true);
  cluster_.checkpoint_job(id, tools_.now(), run);
  learning_.returned(cluster_, id);
  entitlements_.renew(id);
}

/// Returns how long the job has run.  A start that was not confirmed counts as no run.
Seconds GivenBackRuns::settle(JobId id, Time until, bool successful) {
  const Job& job = cluster_.job(id);
  if (job.state == JobState::starting) {
    until = job.started;
    successful = false;
  } else {
    until = close_run(tools_, id, until);
    cluster_.set_accounted_until(id, until);
    tools_.observer.run_accounted(job);
  }
  const Seconds run = job.run_so_far(until);
  allocations_.settle(job, run, until, successful);
  fairshare_.settle(cluster_, settings_.fairshare, id, until);
  fairshare_.forget(id);  // if the clock is set back, the next run may have the same start
  statistics_.account_lost_run(cluster_, id, job.suspended() ? job.suspended_since : until);
  tools_.observer.checkpoint_outdated();
  return run;
}

}  // namespace maui
