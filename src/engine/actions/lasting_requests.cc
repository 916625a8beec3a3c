#include "engine/actions/lasting_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/accounts/job_ends.h"
#include "engine/actions/kept_requests.h"
#include "engine/actions/preemptions.h"
#include "engine/engine_observer.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"
#include "sched/suspended.h"

namespace maui {
namespace {

struct Words {
  std::string_view noun, action;
};
Words words_for(RequestKind kind) {
  switch (kind) {
    case RequestKind::cancel:
      return {"cancellation", "cancel job"};
    case RequestKind::requeue:
      return {"requeue", "requeue job"};
    case RequestKind::checkpoint:
      return {"checkpoint", "checkpoint job"};
    case RequestKind::suspend:
      return {"suspension", "suspend job"};
    case RequestKind::resume:
      return {"resumption", "resume job"};
    case RequestKind::set_limit:
      return {"new limit", "change job"};
  }
  return {};
}

Preemption preemption_of(RequestKind kind) {
  return kind == RequestKind::requeue      ? Preemption::requeue
         : kind == RequestKind::checkpoint ? Preemption::checkpoint
                                           : Preemption::suspend;
}

/// The limit of a job as its resource manager has it: with the run that checkpoints keep.
Seconds whole_limit(Seconds limit, const Job& job) {
  return limit < kUnlimited ? limit + job.kept_run : limit;
}

/// The reverse of whole_limit().
Seconds rest_of_limit(Seconds limit, const Job& job) {
  return limit < kUnlimited ? std::max(limit - job.kept_run, Seconds(1)) : limit;
}

/// True if that limit was set: resource managers may have limits in whole minutes.
bool was_set(Seconds limit, Seconds asked) {
  return limit == asked || limit.raw() == (asked.raw() + 59) / 60 * 60;
}

}  // namespace

LastingRequests::LastingRequests(const EngineTools& tools, Entitlements& entitlements,
                                 KeptRequests& kept, JobEnds& job_ends, Preemptions& preemptions)
    : tools_(tools),
      entitlements_(entitlements),
      kept_(kept),
      job_ends_(job_ends),
      preemptions_(preemptions),
      cluster_(tools.known.cluster),
      unexpected_(tools.known.unexpected),
      lost_(tools.known.lost),
      unanswered_(tools.known.requests) {}

void LastingRequests::cancel(JobId id, CancelCause cause, ResourceManager::Answer reply) {
  const Job& job = cluster_.job(id);
  const bool asked = unanswered_.is_being_cancelled(job);
  // In a dry run, the answer comes elsewhere.
  if (asked && !cancelling_.any(job.arrival)) return reply(Done{});
  cancelling_.wait(job.arrival, std::move(reply));
  if (asked) return;
  const RunKey run = job.run_key();
  const auto number = unanswered_.asked(run, {.asked = tools_.now(), .why = cause});
  tools_.asked().cancel(job, cause, tools_.now(), [this, run, number](const Status& status) {
    cancellation_answered(run, number, status);
  });
  if (unanswered_.waits(run, number)) tools_.observer.checkpoint_outdated();
}

void LastingRequests::cancellation_answered(const RunKey& run, std::uint64_t number,
                                            const Status& status) {
  unanswered_.answered(run, number);
  if (status && cluster_.still(run.job, run.arrival)) job_ends_.end_in_queue(run.job);
  if (!status) tools_.observer.checkpoint_outdated();  // nothing is to be asked again
  cancelling_.give(run.arrival, status);
}

void LastingRequests::cancel(JobId id, CancelCause cause, std::string why) {
  const RunKey run = cluster_.job(id).run_key();
  job_ends_.note_cancellation(run, std::move(why));
  cancel(id, cause, [this, run, label = tools_.label(cluster_.job(id))](const Status& status) {
    if (status) return;
    job_ends_.forget_cancellation(run);
    tools_.log_refusal(words_for(RequestKind::cancel).action, label, status.error());
  });
}

void LastingRequests::preempt(JobId id, Preemption how, ResourceManager::Answer reply) {
  const Preemptions::Terms by_hand{.reason = {SuspensionCause::by_hand}};
  if (how == Preemption::suspend) return preemptions_.preempt(id, how, by_hand, std::move(reply));
  const RunKey run = cluster_.job(id).run_key();
  const auto end = std::tuple(run.arrival, run.attempt, how);
  if (!taking_back_.wait(end, std::move(reply))) return;
  preemptions_.preempt(id, how, by_hand,
                       [this, end](const Status& status) { taking_back_.give(end, status); });
}

void LastingRequests::resume(JobId id, ResourceManager::Answer reply) {
  preemptions_.resume(id, /*by_command=*/true, std::move(reply));
}

void LastingRequests::set_limit(JobId id, Seconds limit, ResourceManager::Answer reply) {
  const Job& job = cluster_.job(id);
  const RunKey run = job.run_key();
  const Seconds before = cluster_.request_of(id).limit, all = whole_limit(limit, job);
  const auto number = unanswered_.asked(run, {RequestKind::set_limit, tools_.now(), all});
  entitlements_.set_limit(id, limit);
  tools_.asked().set_limit(job, all, tools_.now(),
                           [this, run, number, before, reply = std::move(reply)](Status status) {
                             answered(run, number);
                             if (!status && cluster_.still(run.job, run.arrival))
                               entitlements_.set_limit(run.job, before);
                             reply(std::move(status));
                           });
  if (unanswered_.waits(run, number)) tools_.observer.checkpoint_outdated();
}

/// Nothing is to be asked again.
void LastingRequests::answered(const RunKey& run, std::uint64_t number) {
  if (unanswered_.answered(run, number)) tools_.observer.checkpoint_outdated();
}

ResourceManager::Answer LastingRequests::refusal_to_log(JobId id, RequestKind kind) const {
  return [this, kind, label = tools_.label(cluster_.job(id))](const Status& status) {
    if (!status) tools_.log_refusal(words_for(kind).action, label, status.error());
  };
}

void LastingRequests::ask_again() {
  ending_.clear();
  const auto restored = unanswered_.take_restored();
  if (restored.empty()) return;
  kept_.gather();
  for (const auto& [run, request] : restored) {
    if (!cluster_.still(run.job, run.arrival)) continue;
    if (must_wait(run, request.kind))
      unanswered_.restore(run, request);
    else if (makes_sense(run, request))
      ask_again(run, request);
    else
      tools_.observer.checkpoint_outdated();
  }
  kept_.ask_gathered();
}

bool LastingRequests::asked_again_to_end(const RunKey& run) const {
  return std::find(ending_.begin(), ending_.end(), run) != ending_.end();
}

/// True until it is known whether the job runs.
bool LastingRequests::must_wait(const RunKey& run, RequestKind kind) const {
  const Job& job = cluster_.job(run.job);
  // A job that is reported again later may have begun anew: nothing is to end that run.
  if (lost_.holds(job)) return !ends_run(kind);
  return is_about_run(kind) && unexpected_.holds(job);
}

/// False if the request was lost or the scheduler's own, or its effect shows or can no longer come.
bool LastingRequests::makes_sense(const RunKey& run, const LastingRequest& request) const {
  if (request.lost || request.own) return false;
  const Job& job = cluster_.job(run.job);
  switch (request.kind) {
    case RequestKind::cancel:
      return true;
    case RequestKind::set_limit:
      return !was_set(whole_limit(cluster_.request_of(run.job).limit, job), request.limit);
    case RequestKind::suspend:
      return cluster_.is_latest(run) && job.active();
    case RequestKind::requeue:
    case RequestKind::checkpoint:
      return cluster_.is_latest(run) && (job.active() || job.suspended()) && !lost_.holds(job);
    case RequestKind::resume:
      return cluster_.is_latest(run) && job.suspended() && job.holds == 0;
  }
  return false;
}

void LastingRequests::ask_again(const RunKey& run, const LastingRequest& request) {
  const JobId id = run.job;
  const Job& job = cluster_.job(id);
  // By itself, it resumes later.
  const bool later = request.kind == RequestKind::resume && !can_resume(cluster_, job);
  tools_.log_of_job(id, 1, "fSCHED", [&] {
    return fmt::format("job '{}': its {} was not answered before the scheduler restarted: {}",
                       job.name, words_for(request.kind).noun,
                       later ? "its nodes are in use" : "asked again");
  });
  if (later) return tools_.observer.checkpoint_outdated();
  if (request.kind == RequestKind::cancel || ends_run(request.kind)) ending_.push_back(run);
  auto reply = refusal_to_log(id, request.kind);
  switch (request.kind) {
    case RequestKind::cancel:
      return cancel(id, request.why, std::move(reply));
    case RequestKind::requeue:
    case RequestKind::checkpoint:
    case RequestKind::suspend:
      return preempt(id, preemption_of(request.kind), std::move(reply));
    case RequestKind::resume:
      return resume(id, [](const Status&) {});  // logged
    case RequestKind::set_limit:
      return set_limit(id, rest_of_limit(request.limit, job), std::move(reply));
  }
}

}  // namespace maui
