#include "engine/actions/preemptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "engine/accounts/given_back_runs.h"
#include "engine/actions/kept_requests.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {
namespace {

RequestKind kind_of(Preemption how) {
  return how == Preemption::requeue      ? RequestKind::requeue
         : how == Preemption::checkpoint ? RequestKind::checkpoint
                                         : RequestKind::suspend;
}

std::string_view done_to(Preemption how) {
  return how == Preemption::requeue   ? "requeued"
         : how == Preemption::suspend ? "suspended"
                                      : "checkpointed";
}

}  // namespace

Preemptions::Preemptions(const EngineTools& tools, GivenBackRuns& given_back,
                         KeptRequests& requests)
    : tools_(tools),
      given_back_(given_back),
      requests_(requests),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      statistics_(tools.known.statistics),
      fairshare_(tools.known.fairshare),
      requeues_(tools.known.requeues),
      unanswered_(tools.known.requests),
      perhaps_suspended_(tools.known.perhaps_suspended) {}

void Preemptions::preempt(JobId id, Preemption how, const Terms& terms,
                          ResourceManager::Answer reply) {
  const RunKey run = cluster_.job(id).run_key();
  const bool own = terms.reason.cause != SuspensionCause::by_hand;
  const auto number = unanswered_.asked(
      run, {.kind = kind_of(how),
            .asked = tools_.now(),
            .own = own,
            .reason = how == Preemption::suspend ? terms.reason : SuspensionReason()});
  ask(run, how, [this, how, terms, reply = std::move(reply), run, number](Status status) {
    note_answer(run, number, status);
    answered(run, how, terms, std::move(status), reply);
  });
  // The observer keeps requeues apart.
  if (unanswered_.waits(run, number) && !(own && how == Preemption::requeue))
    tools_.observer.checkpoint_outdated();
}

void Preemptions::ask(const RunKey& run, Preemption how, ResourceManager::Answer answer) {
  const Job& job = cluster_.job(run.job);
  switch (how) {
    case Preemption::requeue:
      requeues_.asked(job, tools_.now());
      return requests_.add(run, [this, run, answer = std::move(answer)] {
        if (!cluster_.is_latest(run)) return answer(Done{});
        tools_.asked().requeue(cluster_.job(run.job), tools_.now(), answer);
      });
    case Preemption::suspend:
      return tools_.asked().suspend(job, tools_.now(), std::move(answer));
    case Preemption::checkpoint:
      return tools_.asked().checkpoint(job, tools_.now(), std::move(answer));
  }
}

/// If no answer will come, the next report of the job tells whether the request took effect.
/// Otherwise nothing is to be asked again.
void Preemptions::note_answer(const RunKey& run, std::uint64_t number, const Status& status) {
  if (!status && status.error().unanswered && cluster_.is_latest(run)) {
    unanswered_.lost(run, number);
    tools_.observer.checkpoint_outdated();
  } else if (unanswered_.answered(run, number)) {
    tools_.observer.checkpoint_outdated();
  }
}

void Preemptions::answered(const RunKey& run, Preemption how, const Terms& terms, Status status,
                           const ResourceManager::Answer& reply) {
  const JobId id = run.job;
  if (how == Preemption::requeue) {
    requeues_.answered(run.arrival);
    if (!status) tools_.observer.checkpoint_outdated();  // the run goes on
  }
  const bool by_hand = terms.reason.cause == SuspensionCause::by_hand;
  const bool over =
      !cluster_.is_latest(run) || (!cluster_.job(id).active() && !cluster_.job(id).suspended());
  // A run that has ended serves a preemptor as well; but a user wanted its job to run again.
  const bool as_wanted = !by_hand || cluster_.still(id, run.arrival);
  if (over) return reply(as_wanted ? Status(Done{}) : std::move(status));
  const Job& job = cluster_.job(id);
  if (job.suspended() && how == Preemption::suspend) {  // asked twice
    if (by_hand) cluster_.keep_suspended(id);
    return reply(Done{});
  }
  if (!status && how == Preemption::checkpoint && terms.or_requeue) {
    tools_.log_of_job(id, 1, "fRM", [&] {
      return fmt::format("job '{}' cannot be checkpointed, so it is requeued: {}", job.name,
                         status.error().what);
    });
    return preempt(id, Preemption::requeue, terms, reply);
  }
  if (status) preempted(id, how, terms);
  // The suspension may have succeeded, and only its answer been lost.
  if (!status && how == Preemption::suspend) note_perhaps_suspended(job, terms.reason);
  reply(std::move(status));
}

void Preemptions::note_perhaps_suspended(const Job& job, const SuspensionReason& reason) {
  take_perhaps_suspended(job);
  perhaps_suspended_.push_back({job.id, job.arrival, reason});
}

std::optional<SuspensionReason> Preemptions::take_perhaps_suspended(const Job& job) {
  std::optional<SuspensionReason> found;
  std::erase_if(perhaps_suspended_, [&](const PerhapsSuspended& suspended) {
    const bool is_it = suspended.about(job.id, job.arrival);
    if (is_it) found = suspended.reason;
    return is_it || !cluster_.still(suspended.job, suspended.arrival);
  });
  return found;
}

void Preemptions::preempted(JobId id, Preemption how, const Terms& terms) {
  const Job& job = cluster_.job(id);
  const bool runs = job.state != JobState::starting;  // as far as is known
  const Seconds run = runs ? job.run_so_far(tools_.now()) : Seconds(0);
  tools_.log_of_job(id, 2, "fSCHED", [&] {
    return fmt::format("job '{}' {} after {}{}", job.name, done_to(how),
                       counted(run.raw(), "second"),
                       terms.reason.preemptor.empty()
                           ? std::string()
                           : fmt::format(": preempted by job '{}'", terms.reason.preemptor));
  });
  ++statistics_.preemptions;
  switch (how) {
    case Preemption::requeue:
      statistics_.preempted_proc_seconds +=
          static_cast<double>(run.raw()) * cluster_.request_of(id).total_procs();
      given_back_.requeue(id, tools_.now());
      return queue_victim(id, run, terms);
    case Preemption::suspend:
      fairshare_.settle(cluster_, settings_.fairshare, id, tools_.now());
      cluster_.suspend_job(id, tools_.now(), terms.reason);
      return tools_.observer.checkpoint_outdated();
    case Preemption::checkpoint:
      given_back_.checkpoint(id, tools_.now());
      return queue_victim(id, run, terms);
  }
}

/// A victim has not waited while it ran.  Otherwise it could precede jobs whose reservations kept
/// the preemptor from idle processors, and start on these at once.
void Preemptions::queue_victim(JobId id, Seconds run, const Terms& terms) {
  const bool victim = !terms.reason.preemptor.empty();
  if (!victim || settings_.throttling.accrual_policy() == QueueTimeAccrual::always) return;
  cluster_.set_queued(id, cluster_.job(id).queued + run);
}

void Preemptions::resume(JobId id, bool by_command, ResourceManager::Answer reply) {
  const Job& job = cluster_.job(id);
  const RunKey run = job.run_key();
  const Resumption asked{run, tools_.now(), job.suspended(), job.suspension_reason};
  // A person who resumes a job no longer wants it to stay suspended.
  const bool by_hand = asked.reason.cause == SuspensionCause::by_hand;
  const auto number =
      unanswered_.asked(run, {.kind = RequestKind::resume,
                              .asked = asked.when,
                              .own = !by_command,
                              .reason = by_hand ? SuspensionReason() : asked.reason});
  if (job.suspended()) cluster_.resume_job(id, tools_.now());
  tools_.observer.checkpoint_outdated();
  tools_.log_of_job(id, 2, "fSCHED", [&] { return fmt::format("job '{}' resumed", job.name); });
  tools_.asked().resume(job, tools_.now(), [this, asked, number, reply](Status status) {
    note_answer(asked.run, number, status);
    if (!status) resume_failed(asked, status.error());
    reply(std::move(status));
  });
  if (unanswered_.waits(run, number)) tools_.observer.checkpoint_outdated();
}

/// If nobody has answered, the job may run, and keeps its nodes until reports show that it does
/// not.  After a refusal, it has stayed suspended since it was to be resumed.
void Preemptions::resume_failed(const Resumption& asked, const Error& error) {
  const JobId id = asked.run.job;
  if (!cluster_.is_latest(asked.run) || !cluster_.job(id).active()) return;
  const Job& job = cluster_.job(id);
  tools_.log_refusal("resume job", tools_.label(job), error);
  if (!asked.was_suspended) return;
  if (error.unanswered) {
    note_perhaps_suspended(job, asked.reason);
    return;
  }
  cluster_.suspend_job(id, std::min(asked.when, tools_.now()), asked.reason);
  tools_.observer.checkpoint_outdated();
}

}  // namespace maui
