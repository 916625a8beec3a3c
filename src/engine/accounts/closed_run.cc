#include "engine/accounts/closed_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/job_dates.h"

namespace maui {
namespace {

/// Makes the run until then at least 0 seconds.
void mend_run(Cluster& cluster, const Job& job, Time until) {
  const auto is_negative = [&] { return job.run_so_far(until) < Seconds(0); };
  if (is_negative())
    cluster.set_suspended_time(job.id, std::min(job.suspended_time, job.clock_set));
  if (is_negative()) cluster.set_suspended_time(job.id, job.suspended_time + job.run_so_far(until));
}

}  // namespace

Time close_run(const EngineTools& tools, JobId id, Time until) {
  const Job& job = tools.known.cluster.job(id);
  const Time heard = tools.known.managers.heard(job.resource_manager).value_or(Time(0));
  const Seconds told = job.run_so_far(until);
  const Seconds ahead = tools.known.clock_steps.set_back_since(until, heard, tools.now());
  Time last = until > tools.now() + kRoundedUp + ahead ? tools.now() + ahead : until;
  if (job.run_so_far(last) < Seconds(0)) last = std::max(last, job.began());
  mend_run(tools.known.cluster, job, last);
  const Seconds run = job.run_so_far(last);
  if (last != until || run != told)
    tools.log_of_job(id, 1, "fRM", [&] {
      return fmt::format("WARNING: job '{}' cannot have run for {} until {}: {} until {} {}",
                         job.name, counted(told.raw(), "second"), until.raw(),
                         counted(run.raw(), "second"), last.raw(),
                         run == Seconds(1) ? "counts" : "count");
    });
  return last;
}

}  // namespace maui
