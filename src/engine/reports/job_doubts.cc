#include "engine/reports/job_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "engine/accounts/given_back_runs.h"
#include "engine/accounts/job_ends.h"
#include "engine/actions/failed_starts.h"
#include "engine/actions/forget_in_plan.h"
#include "engine/actions/holds.h"
#include "engine/actions/launches.h"
#include "engine/actions/preemptions.h"
#include "engine/knowledge.h"
#include "engine/reports/job_slices.h"
#include "engine/reports/report.h"
#include "engine/tools.h"

namespace maui {
namespace {

/// True if the job is gone, or in the state that was reported.
bool settled(const Cluster& cluster, const DoubtedJob& doubted) {
  return !cluster.still(doubted.job, doubted.arrival) ||
         cluster.job(doubted.job).state == doubted.reported;
}

}  // namespace

JobDoubts::JobDoubts(const EngineTools& tools, Holds& holds, GivenBackRuns& given_back,
                     FailedStarts& failed_starts, Launches& launches, JobEnds& job_ends,
                     Preemptions& preemptions)
    : tools_(tools),
      holds_(holds),
      given_back_(given_back),
      failed_starts_(failed_starts),
      launches_(launches),
      job_ends_(job_ends),
      preemptions_(preemptions),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      plan_(tools.known.plan),
      managers_(tools.known.managers),
      clock_steps_(tools.known.clock_steps),
      refused_starts_(tools.known.refused_starts),
      unexpected_(tools.known.unexpected),
      lost_(tools.known.lost),
      requests_(tools.known.requests) {}

bool JobDoubts::is_certain(const Job& job) const {
  return !launches_.any_unasked() && managers_.certain(job.resource_manager);
}

void JobDoubts::doubt(JobId id, std::string_view why) {
  const Job& job = cluster_.job(id);
  const bool held = has(job.holds, Hold::batch) && job.hold_reason->cause == HoldCause::may_run;
  if (!held) holds_.place(id, Hold::batch, state_problem(why));
}

void JobDoubts::trust(JobId id) {
  if (cluster_.job(id).hold_reason->cause == HoldCause::may_run)
    cluster_.lift_hold(id, Hold::batch);
}

void JobDoubts::note_unexpected(JobId id, JobState reported) {
  const Job& job = cluster_.job(id);
  if (unexpected_.note_again(job, tools_.now())) return;
  // A requested start is settled by the first answer that can include its effect.
  const bool asked = job.state == JobState::starting && reported == JobState::idle;
  const Time took_effect = lost_request_for(reported, requests_.of(job)).value_or(tools_.now());
  const Time since =
      asked ? clock_steps_.counted_from(std::min(job.began(), tools_.now()), tools_.now())
            : std::min(took_effect, tools_.now());
  const Time last_known = std::min(since, managers_.last_known(job.resource_manager, tools_.now()));
  unexpected_.add({id, job.arrival, reported, since, last_known, job.suspensions()});
  const auto text = [&] {
    return fmt::format("job '{}' is reported in an unexpected state", job.name);
  };
  // The reports do not show the recent request yet.
  if (asked) return;
  if (reported != JobState::idle) tools_.observer.checkpoint_outdated();  // since when it is so
  tools_.log_of_job(id, 1, "fRM", text);
  tools_.journal.notify_of(tools_.journal.user_of(id), EventType::job_corruption,
                           [&] { return std::vector<std::string>{text()}; });
}

void JobDoubts::note_restored(JobId id, Time since) {
  unexpected_.add({id, cluster_.job(id).arrival, JobState::idle, since, since});
}

bool JobDoubts::end_earlier_run(JobId id, Time started) {
  const Job& job = cluster_.job(id);
  if (job.state != JobState::running || started == kForever || started <= job.started) return false;
  const DoubtedJob* const doubted = unexpected_.find(job);
  if (doubted == nullptr || doubted->reported != JobState::idle) return false;
  const Time ran_until = doubted->last_known;
  unexpected_.erase(job);
  given_back_.requeue(id, std::max(job.started, std::min(ran_until, started)));
  tools_.observer.checkpoint_outdated();
  tools_.log_of_job(id, 1, "fRM", [&] {
    return fmt::format("job '{}' was requeued and runs again", cluster_.job(id).name);
  });
  return true;
}

void JobDoubts::note_state(JobId id, JobState reported) {
  const Job& job = cluster_.job(id);
  const DoubtedJob* const doubted = unexpected_.find(job);
  if (doubted == nullptr || doubted->reported == reported) return;
  believe_until(*doubted, doubted->latest);
  unexpected_.erase(job);
}

void JobDoubts::resolve_split(const Job& runs, const std::vector<std::string>& task_list) {
  auto nodes = task_list;
  std::sort(nodes.begin(), nodes.end());
  const auto is_it = [&](const DoubtedJob& doubted) {
    const Job& job = cluster_.job(doubted.job);
    if (doubted.reported != JobState::idle || !cluster_.still(doubted.job, doubted.arrival) ||
        job.state != JobState::starting || job.resource_manager != runs.resource_manager ||
        job.credentials.user != runs.credentials.user)
      return false;
    std::vector<std::string> assigned;
    for (const NodeTasks& share : job.placement)
      assigned.insert(assigned.end(), static_cast<std::size_t>(share.tasks),
                      cluster_.node(share.node).name);
    std::sort(assigned.begin(), assigned.end());
    return assigned == nodes;
  };
  if (DoubtedJob rest; unexpected_.take_first(is_it, rest)) believe_idle(rest.job, rest.since);
  forgive_split(runs, task_list);
}

void JobDoubts::forgive_split(const Job& runs, const std::vector<std::string>& task_list) {
  if (task_list.empty()) return;
  std::vector<NodeId> nodes;
  for (const std::string& name : task_list) nodes.push_back(cluster_.find_node(name));
  refused_starts_.forgive_task(cluster_, runs, nodes);
}

void JobDoubts::resolve_unexpected() {
  const auto due = unexpected_.take([this](const DoubtedJob& doubted) {
    return settled(cluster_, doubted) || is_certain(cluster_.job(doubted.job)) ||
           tools_.now() - doubted.since >= settings_.jobs.sync_time;
  });
  for (const DoubtedJob& doubted : due)
    if (!settled(cluster_, doubted)) believe(doubted);
}

void JobDoubts::believe_idle(JobId id, Time since) {
  believe({id, cluster_.job(id).arrival, JobState::idle, since, since});
}

void JobDoubts::believe(const DoubtedJob& doubted) {
  const JobId id = doubted.job;
  const Job& job = cluster_.job(id);
  const bool has_run = job.active() || job.suspended();
  if (doubted.reported == JobState::idle && job.state == JobState::starting) {
    failed_starts_.undo(id);
  } else if (doubted.reported == JobState::idle && has_run) {
    given_back_.requeue(id, std::max(doubted.last_known, job.counted_start()));
  } else if (const auto run = doubted_run(doubted, job)) {
    run->state == JobState::suspended ? suspend(id, *run) : cluster_.resume_job(id, run->since);
  } else {
    return holds_.place(id, Hold::batch, state_problem("the reported state is impossible"));
  }
  tools_.observer.checkpoint_outdated();
  tools_.log_of_job(id, 1, "fRM", [&] {
    return fmt::format("job '{}' now has the state that its resource manager reports", job.name);
  });
}

void JobDoubts::suspend(JobId id, const DoubtedRun& run) {
  cluster_.set_suspended_time(id, run.suspended_time);
  const auto by_us = preemptions_.take_perhaps_suspended(cluster_.job(id));
  cluster_.suspend_job(id, run.since, by_us.value_or(SuspensionReason{SuspensionCause::by_hand}));
}

void JobDoubts::believe_last(JobId id, Time ended) {
  const Job& job = cluster_.job(id);
  const DoubtedJob* const doubted = unexpected_.find(job);
  if (doubted != nullptr) return believe_until(*doubted, ended);
  const auto asked = lost_suspension(requests_.of(job));
  if (asked && job.active())
    believe_until({.job = id,
                   .arrival = job.arrival,
                   .reported = JobState::suspended,
                   .since = std::min(*asked, tools_.now()),
                   .suspended = job.suspensions()},
                  ended);
}

/// Believes that the job was in the reported state until then, but not that it still is.
void JobDoubts::believe_until(const DoubtedJob& doubted, Time until) {
  const Job& job = cluster_.job(doubted.job);
  const auto run = doubted_run(doubted, job);
  if (!run) return;
  const Seconds lasted = std::max(until - run->since, Seconds(0));
  cluster_.set_suspended_time(job.id,
                              run->state == JobState::suspended
                                  ? std::max(job.suspended_time, run->suspended_time + lasted)
                                  : job.suspended_time - lasted);
}

/// Since a suspension of which the answer was lost, it is not known that the job ran.
void JobDoubts::note_lost(JobId id, Time last_known, bool restored) {
  const Job& job = cluster_.job(id);
  lost_.add(
      {.job = id,
       .arrival = job.arrival,
       .reported = JobState::not_queued,
       .since = tools_.now(),
       .last_known = std::min(last_known, lost_suspension(requests_.of(job)).value_or(last_known)),
       .restored = restored});
}

/// Nothing has been asked for since the scheduler began, so that the first report of a run counts.
void JobDoubts::note_found(JobId id, std::optional<JobState> reported) {
  const Job& job = cluster_.job(id);
  const DoubtedJob* const lost = lost_.find(job);
  if (lost == nullptr) return;
  const bool is_first = lost->restored;
  lost_.erase(job);
  const bool differs = (reported == JobState::suspended && job.active()) ||
                       (reported == JobState::running && job.suspended());
  if (!is_first || !differs) return;
  // Either an unanswered request took effect, or it was taken for granted and had none.
  const auto asked = last_suspension_or_resumption(requests_.of(job));
  believe({.job = id,
           .arrival = job.arrival,
           .reported = *reported,
           .since = asked ? std::min(asked->asked, tools_.now()) : tools_.now(),
           .suspended = job.suspensions()});
}

void JobDoubts::resolve_lost(std::function<void()> next) {
  if (lost_.empty()) return next();
  const auto is_gone = [this](const DoubtedJob& missing) {
    return !cluster_.still(missing.job, missing.arrival);
  };
  // A list that is incomplete says nothing about the jobs that it omits.
  const auto is_unlisted = [this, is_gone](const DoubtedJob& missing) {
    return !is_gone(missing) &&
           !managers_.lists_all_jobs(cluster_.job(missing.job).resource_manager);
  };
  lost_.begin_anew(is_unlisted, tools_.now());
  auto due =
      std::make_shared<const std::vector<DoubtedJob>>(lost_.take([&](const DoubtedJob& missing) {
        return is_gone(missing) || (!is_unlisted(missing) &&
                                    (is_certain(cluster_.job(missing.job)) ||
                                     tools_.now() - missing.since >= settings_.jobs.purge_time));
      }));
  end_in_slices(
      tools_, std::move(due), [this](const DoubtedJob& missing) { end_lost(missing); },
      std::move(next));
}

void JobDoubts::give_up(JobId id) {
  const Job& job = cluster_.job(id);
  const DoubtedJob missing = *lost_.find(job);
  lost_.erase(job);
  end_lost(missing);
}

void JobDoubts::end_lost(const DoubtedJob& missing) {
  if (!cluster_.still(missing.job, missing.arrival)) return;
  tools_.log_of_job(missing.job, 1, "fRM", [&] {
    return fmt::format("job '{}' is no longer reported: removed", cluster_.job(missing.job).name);
  });
  forget_in_plan(plan_, missing.job);
  if (cluster_.job(missing.job).state == JobState::starting) failed_starts_.undo(missing.job);
  const Job& job = cluster_.job(missing.job);
  job_ends_.give_up(missing.job, job.suspended() ? std::max(missing.last_known, job.suspended_since)
                                                 : missing.last_known);
}

}  // namespace maui
