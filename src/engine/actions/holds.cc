#include "engine/actions/holds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/text.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {

Holds::Holds(const EngineTools& tools)
    : tools_(tools),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      deferrals_(tools.known.deferrals),
      last_activity_(tools.known.last_activity) {}

void Holds::place(JobId id, Hold hold, const HoldReason& reason) {
  std::uint8_t holds = cluster_.job(id).own_holds;
  put(holds, hold);
  cluster_.set_own_holds(id, holds, reason);
  tools_.observer.checkpoint_outdated();
  notify(id, hold);
}

void Holds::notify(JobId id, Hold hold) const {
  const Job& job = cluster_.job(id);
  const HoldReason& reason = job.hold_reason;
  tools_.log_of_job(id, 2, "fSCHED", [&] {
    return fmt::format("job '{}' {}: {}", job.name,
                       hold == Hold::defer
                           ? "deferred for " + counted(settings_.jobs.defer_time.raw(), "second")
                           : std::string("held"),
                       reason.text);
  });
  tools_.journal.notify_of(tools_.journal.user_of(id), EventType::job_hold, [&] {
    return std::vector{fmt::format("job '{}' {}: {}", job.name,
                                   hold == Hold::defer ? "deferred" : "held", reason.text)};
  });
}

void Holds::defer(JobId id, const HoldReason& reason) {
  if (settings_.jobs.defer_time > Seconds(0)) note_failure(id, reason);
}

void Holds::note_failure(JobId id, const HoldReason& reason) {
  const Seconds time = settings_.jobs.defer_time;
  JobFailures failures = cluster_.job(id).failures;
  failures.starts = 0;
  const bool for_good = failures.deferrals >= settings_.jobs.defer_count;
  const bool for_a_time = !for_good && time > Seconds(0);
  if (!for_good) ++failures.deferrals;
  if (for_a_time) {
    failures.deferred_until = tools_.now() + time;
    deferrals_.add(failures.deferred_until, id);
  }
  cluster_.set_failures(id, failures);
  if (for_good || for_a_time) place(id, for_good ? Hold::batch : Hold::defer, reason);
}

void Holds::restore_deferral(JobId id, Time until) { deferrals_.add(until, id); }

void Holds::release_deferred() {
  for (const JobId id : deferrals_.take_over(cluster_, tools_.now()))
    if (has(cluster_.job(id).holds, Hold::defer)) end_deferral(id);
  for (const JobId id : deferrals_.take_feasible(cluster_))
    if (has(cluster_.job(id).holds, Hold::defer)) end_deferral(id);
}

JobId Holds::deferred_for_bank() const {
  return deferrals_.first_of(cluster_, HoldCause::bank_failure);
}

void Holds::release_deferred_for_bank() {
  for (const JobId id : deferrals_.take_those_of(cluster_, HoldCause::bank_failure)) {
    JobFailures failures = cluster_.job(id).failures;
    failures.deferrals = std::max(failures.deferrals - 1, 0);
    cluster_.set_failures(id, failures);
    end_deferral(id);
  }
}

Time Holds::next_release() { return deferrals_.next(cluster_, tools_.now()); }

void Holds::end_deferral(JobId id) {
  last_activity_ = tools_.now();
  const Job& job = cluster_.job(id);
  std::uint8_t holds = job.own_holds;
  put(holds, Hold::defer, false);
  JobFailures failures = job.failures;
  failures.deferred_until = kForever;
  cluster_.set_failures(id, failures);
  cluster_.set_own_holds(id, holds, holds == 0 ? HoldReason() : *job.hold_reason);
  if (job.holds == 0) cluster_.set_eligible_since(id, tools_.now());
  tools_.log_of_job(id, 2, "fSCHED",
                    [&] { return fmt::format("job '{}' is no longer deferred", job.name); });
}

}  // namespace maui
