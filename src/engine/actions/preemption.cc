// Jobs give up their nodes, and get them back (guide 8.4, 11.3, 11.4).
//
// Nothing moves in the cluster before the resource manager has agreed: until
// then the job has its nodes.
#include <fmt/format.h>

#include <algorithm>

#include "engine/state.h"

namespace maui {
namespace {

// A job that is to leave its nodes may need its time, such as the half minute of Slurm's KillWait.
// Until then a refusal to start whoever is to have them says nothing of that job.
constexpr Seconds kLeaving{60};

std::string_view done_to(Preemption how) {
  return how == Preemption::requeue   ? "requeued"
         : how == Preemption::suspend ? "suspended"
                                      : "checkpointed";
}

}  // namespace

void Engine::State::preempt(JobId id, Preemption how, ResourceManager::Answer reply) {
  const Job& job = cluster.job(id);
  auto answer = [this, id, how, reply, arrival = job.arrival](Status status) {
    if (!cluster.still(id, arrival)) return reply(Done{});  // it has ended, which will do as well
    const Job& known = cluster.job(id);
    if (!known.active() && !known.suspended()) return reply(Done{});
    if (!status && how == Preemption::checkpoint) {
      log(1, "fRM", [&] {
        return fmt::format("job '{}' cannot be checkpointed, so it is requeued: {}", known.name,
                           status.error().what);
      });
      return preempt(id, Preemption::requeue, reply);
    }
    if (status) preempted(id, how);
    // Its answer may have been lost, and not the request.
    if (!status && how == Preemption::suspend) perhaps_suspended.emplace_back(id, arrival);
    reply(std::move(status));
  };
  switch (how) {
    case Preemption::requeue:
      return asked().requeue(job, now(), std::move(answer));
    case Preemption::suspend:
      return asked().suspend(job, now(), std::move(answer));
    case Preemption::checkpoint:
      return asked().checkpoint(job, now(), std::move(answer));
  }
}

void Engine::State::preempted(JobId id, Preemption how) {
  const Job& job = cluster.job(id);
  const Time until = job.suspended() ? job.suspended_since : now();
  const Seconds run = job.run_so_far(now());
  log(2, "fSCHED", [&] {
    return fmt::format("job '{}' {} after {} seconds", job.name, done_to(how), run.raw());
  });
  ++statistics.preemptions;
  fairshare.settle(cluster, settings.fairshare, id, now());
  if (how != Preemption::suspend)
    allocations.settle(job, run, now(), how == Preemption::checkpoint);
  if (how != Preemption::suspend) statistics.account_lost_run(cluster, id, until);
  switch (how) {
    case Preemption::requeue:
      statistics.preempted_proc_seconds +=
          static_cast<double>(run.raw()) * cluster.request_of(id).total_procs();
      cluster.requeue_job(id, now());
      return learning.returned(cluster, id);
    case Preemption::suspend:
      return cluster.suspend_job(id, now());
    case Preemption::checkpoint:
      cluster.checkpoint_job(id, now(), run);
      return learning.returned(cluster, id);
  }
}

void Engine::State::carry_out(const PreemptJob& victim) {
  const Job& job = cluster.job(victim.job);
  if (!job.active()) return;
  ++answers_due;
  progress.preemption_asked();
  if (victim.preemptor.valid())
    failed_starts.keep_turn(victim.preemptor,
                            now() + std::max(kLeaving, settings.reservation_retry));
  preempt(victim.job, victim.how,
          [this, preemptor = victim.preemptor, name = job.name](Status status) {
            if (!status) {
              progress.note_refused(preemptor);
              log_refusal("preempt job", name, status.error().what);
            }
            if (progress.preemption_answered() && !carrying_out) carry_on();
            answered();
          });
}

void Engine::State::carry_out(const ResumeJob& suspended) {
  const Job& job = cluster.job(suspended.job);
  if (!job.suspended()) return;
  ++answers_due;
  resume(suspended.job, [this](Status) { answered(); });
}

/// Its nodes are taken at once, so that whatever follows sees it; a refusal takes it off them.
void Engine::State::resume(JobId id, ResourceManager::Answer reply) {
  const Job& job = cluster.job(id);
  cluster.resume_job(id, now());
  log(2, "fSCHED", [&] { return fmt::format("job '{}' resumed", job.name); });
  asked().resume(job, now(), [this, id, reply, arrival = job.arrival](Status status) {
    if (!status) resume_failed(id, arrival, status.error().what);
    reply(std::move(status));
  });
}

void Engine::State::resume_failed(JobId id, std::uint64_t arrival, const std::string& why) {
  if (!cluster.still(id, arrival) || !cluster.job(id).active()) return;
  log_refusal("resume job", cluster.job(id).name, why);
  cluster.suspend_job(id, now());
}

}  // namespace maui
