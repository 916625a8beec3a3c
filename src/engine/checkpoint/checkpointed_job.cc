#include "engine/checkpoint/checkpointed_job.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/knowledge.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

bool nothing_promised(const RunTimes::OfJob& job) {
  return job.promised >= kForever && job.fair_wait >= kUnlimited;
}

/// True if the job was moved to BANKFALLBACKACCOUNT.
bool on_fallback(const EngineKnowledge& known, const Job& job) {
  const auto& fallback = known.settings.allocations.fallback_account;
  return !fallback.empty() && job.credentials.account == known.cluster.accounts.find(fallback);
}

/// True if the job keeps its priority reservation until it starts.
bool keeps_place(const EngineKnowledge& known, const Job& job) {
  return job.waiting() && job.reservation.valid() && keeps_reservations(known.settings);
}

/// Returns how this scheduler may have suspended the job, or nullptr if it has not.
const PerhapsSuspended* perhaps_suspended(const EngineKnowledge& known, const Job& job) {
  for (const PerhapsSuspended& suspended : known.perhaps_suspended)
    if (suspended.about(job.id, job.arrival)) return &suspended;
  return nullptr;
}

/// The next scheduler believes the first report: the job has been reported so since then.
void note_doubt(const DoubtedJob& doubted, const PerhapsSuspended* by_us, CheckpointedJob& saved) {
  if (doubted.reported == JobState::idle) saved.seen = std::min(saved.seen, doubted.last_known);
  const auto run = saved.run ? doubted_run(doubted, saved.run->job) : std::nullopt;
  if (!run) return;
  JobReport report = *saved.run;
  Job& job = report.job;
  const bool suspended = run->state == JobState::suspended;
  job.state = run->state;
  job.suspended_time = run->suspended_time;
  job.suspended_since = suspended ? run->since : kForever;
  if (!suspended)
    job.suspension_reason.clear();
  else
    job.suspension_reason =
        by_us != nullptr ? by_us->reason : SuspensionReason{SuspensionCause::by_hand};
  saved.run = std::make_shared<const JobReport>(std::move(report));
}

}  // namespace

bool nothing_to_checkpoint(const EngineKnowledge& known, const Job& job) {
  const bool untouched = job.own_holds == 0 && job.failures == JobFailures{} &&
                         job.system_priority == SystemPriority{} && !job.qos_set &&
                         !job.request_excused;
  const bool never_ran = job.waiting() && job.start_count == 0 && job.kept_run == Seconds(0) &&
                         job.accounted_until == Time(0);
  const bool dependencies_open = std::none_of(
      job.dependencies.begin(), job.dependencies.end(),
      [](const Dependency& dependency) { return dependency.state == DependencyState::met; });
  return untouched && never_ran && dependencies_open && !known.requests.has(job) &&
         known.cluster.bypasses(job.id) == 0 && job.queued == job.submitted &&
         job.eligible_since - job.submitted <= known.settings.poll_interval &&
         !on_fallback(known, job) && known.site_words.of(job.name).empty() &&
         !keeps_place(known, job) && nothing_promised(known.cluster.run_times.of(job.id));
}

CheckpointedJob checkpointed(const EngineKnowledge& known, const Job& job, Time now) {
  CheckpointedJob saved = checkpointed(known.cluster, job, now);
  // The job may have ended while its resource manager was silent.
  if (const auto answered = known.managers.answered(job.resource_manager); saved.run && answered) {
    const Time changed = job.suspended() ? job.suspended_since : job.began();
    saved.seen = std::min(saved.seen, std::max(changed, *answered));
  }
  // The job has not been reported since then.
  if (const DoubtedJob* const missing = known.lost.find(job))
    saved.seen = std::min(saved.seen, missing->last_known);
  if (const DoubtedJob* const doubted = known.unexpected.find(job))
    note_doubt(*doubted, perhaps_suspended(known, job), saved);
  if (saved.run) {
    const auto charged = known.fairshare.charged(job);
    saved.charged = charged.run;
    saved.charged_cpu = charged.cpu_seconds;
  }
  for (const LastingRequest& request : known.requests.of(job))
    if (request.kind == RequestKind::cancel) {
      saved.being_cancelled = true;
      saved.past_limit = request.why == CancelCause::past_limit;
    } else {
      saved.requests.push_back(request);
    }
  saved.requeue_asked =
      lost_request_for(JobState::idle, saved.requests).value_or(known.requeues.since(job));
  saved.promised = known.cluster.run_times.of(job.id).promised;
  saved.promised_last = known.cluster.run_times.of(job.id).promised_last;
  saved.fair_wait = known.cluster.run_times.of(job.id).fair_wait;
  if (on_fallback(known, job)) saved.account = known.settings.allocations.fallback_account;
  saved.site_words = known.site_words.of(job.name);
  if (keeps_place(known, job)) {
    const Reservation& kept = known.cluster.reservation(job.reservation);
    saved.reserved = kept.start;
    saved.reserved_on = shares_of(known.cluster, kept);
  }
  return saved;
}

}  // namespace maui
