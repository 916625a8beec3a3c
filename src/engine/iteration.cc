// One iteration (guide 3.3.1): poll, apply, decide, carry out, account.
//
// Answers of the resource manager may come at once or later.  The iteration is
// done when the poll and every start have been answered; answers_due counts
// them, and one more for the carrying out itself.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <iterator>
#include <memory>
#include <new>

#include "base/date.h"
#include "engine/entitle.h"
#include "engine/in_use.h"
#include "engine/node_loads.h"
#include "engine/report.h"
#include "engine/state.h"
#include "sched/priority/fairshare.h"
#include "sched/promises.h"

namespace maui {
namespace {

// Reports of nodes that are applied before others have their turn; they take some milliseconds.
constexpr std::size_t kNodesAtOnce = 500;

}  // namespace

void Engine::State::iterate(std::function<void()> when_done) {
  assert(!iterating);
  iterating = true;
  done = std::move(when_done);
  if (charges) charges->retry();
  account_reservations(now());
  if (now() > accounted) {
    statistics.account_interval(cluster, now() - accounted);
    accounted = now();
  }
  rm_record.asked = now();
  log(4, "fCORE", [&] {
    return fmt::format("iteration {} begins: {} nodes, {} active and {} waiting jobs",
                       iteration + 1, cluster.nodes().size(), cluster.active().size(),
                       cluster.waiting().size());
  });
  log_step("resource managers are polled");
  managers.poll_begins();
  rm->poll(cluster, now(), [this](Result<Update> update) { polled(std::move(update)); });
}

void Engine::State::polled(Result<Update> update) {
  if (update && local != nullptr && local->wants(LocalHook::attributes))
    return ask_for_attributes(*std::move(update));
  take_in(std::move(update));
}

void Engine::State::take_in(Result<Update> update) {
  answers_due = 1;
  no_queue.clear();
  stall_queue_times();
  if (update) {
    rm_record.poll_answered(now());
    look_again();
    log_update(*update);
    log_step("reports are applied");
    const auto told = std::make_shared<Update>(*std::move(update));
    return apply_nodes(told, [this, told] { take_in_jobs(*told); });
  }
  // The known state is old: nothing is decided on it.
  const bool news = rm_record.polls == 0 || rm_record.up;
  rm_record.poll_failed(now(), update.error().what);
  log(0, "fRM", [&] {
    return fmt::format("ERROR: cannot get the state of resource manager '{}': {}", rm->name(),
                       update.error().what);
  });
  account_fairshare();
  if (news) tell(EventType::rm_failure, [&] { return std::vector{update.error().what}; });
  expire_reservations();
  answered();
}

void Engine::State::take_in_jobs(Update& update) {
  apply(update);
  account_gap();
  recall_lost_runs();
  note_heard();
  tell_of_lost_nodes();
  log_step("fairshare is brought up to date");
  account_fairshare();
  const bool enforces = enforces_limits();
  log_step("reports that disagree with what is known are judged");
  if (enforces) resolve_lost_jobs();
  resolve_unexpected();
  if (!enforces) return consult_and_decide(enforces);
  resolve_lost_nodes([this, enforces] { consult_and_decide(enforces); });
}

void Engine::State::consult_and_decide(bool enforces) {
  give_up_names();
  judge_nodes();
  log_step("limits of active jobs are enforced");
  enforce_wallclock_limits(enforces);
  if (enforces) expire_starts();
  if (enforces) enforce_resource_limits();
  log_step("deferrals and reservations that are over end");
  release_deferred();
  expire_reservations();
  consult([this] {
    decide([this] {
      log_step("the plan is carried out");
      carry_out();
      answered();
    });
  });
}

void Engine::State::in_slices(std::function<bool()> step, std::function<void()> next) {
  while (!step())
    if (observer.pause([this, step, next] { in_slices(step, next); })) return;
  next();
}

void Engine::State::judge_nodes() {
  const Touched touched = touched_nodes.take(cluster);
  std::vector<NodeId> closed_anew;
  if (rm->tells_when_jobs_run())
    closed_anew = node_sync.look(cluster, settings.node, now(), touched);
  log_step("loads of nodes are judged");
  node_loads.apply(cluster, settings.node, managers.silent(), node_sync, touched, closed_anew);
}

/// Takes the time since the last plan off the queue times of jobs that it let accrue nothing
/// (JOBPRIOACCRUALPOLICY).
void Engine::State::stall_queue_times() {
  const Seconds passed = now() - std::exchange(queue_times_as_of, now());
  if (plan.stalled.empty() || passed <= Seconds(0)) return;
  cluster.delay_queue(plan.stalled, passed, now());
  for (const JobId id : plan.stalled)
    if (cluster.job(id).waiting()) cluster.set_eligible_since(id, now());
}

void Engine::State::apply_nodes(std::shared_ptr<Update> update, std::function<void()> next) {
  const auto step = [this, update, done = std::size_t{0}]() mutable {
    const std::size_t known = update->nodes.size(), all = known + update->lost_nodes.size();
    for (const auto end = std::min(all, done + kNodesAtOnce); done < end; ++done)
      done < known ? apply_node(update->nodes[done])
                   : note_lost_node(update->lost_nodes[done - known]);
    return done == all;
  };
  in_slices(step, std::move(next));
}

void Engine::State::apply(Update& update) {
  exhausted = update.exhausted;
  managers.poll_answered(std::move(update.certain));
  note_partitions();
  if (!update.nodes.empty()) recall_reservations();
  for (const ReservationReports& told : update.reservations) apply(told);
  for (const PastJob& one : update.past) account_past(one);
  for (const FailedStart& one : update.failed_starts) apply(one);
  for (const JobStatus& status : update.statuses) apply(status);
  for (const JobEnd& ended : update.ended) {
    const JobId id = cluster.find_job(ended.name);
    // One that was cancelled while it waited is no longer known.
    if (!id.valid()) continue;
    if (cluster.job(id).state == JobState::starting) undo_start(id);  // that it ran was not told
    end(id, ended.state, ended.when, ended.exit_code);
  }
  for (const JobReport& report : update.changed) change(report);
  note_unreachable(update.silent);
  for (const std::string& name : update.lost)
    if (const JobId id = cluster.find_job(name); id.valid())
      lost.add({id, cluster.job(id).arrival, JobState::not_queued, now(), now()});
  if (!update.ended.empty() || !update.changed.empty() || !update.arrived.empty())
    last_activity = now();
  if (update.arrived.empty()) return;
  const bool with_classes = classes_in_use(cluster);
  for (JobReport& report : update.arrived) submit(report, with_classes);
  for (std::size_t i = 0; i < update.more.count; ++i) {
    JobReport report = update.more.next();
    submit(report, with_classes);
  }
}

void Engine::State::apply_node(NodeReport& report) {
  Node node = node_of(report, settings, cluster);
  const NodeId known = cluster.find_node(node.name);
  if (!known.valid()) {
    if (node.state_since.raw() <= 0) node.state_since = now();
    const NodeId made = cluster.add_node(std::move(node));
    log(6, "fSTRUCT", [&] {
      return fmt::format("node '{}' is known now, which makes {}", cluster.node(made).name,
                         cluster.nodes().size());
    });
    log_node(made);
    keep_report(made, std::move(report));
    return;
  }
  log(6, "fRM", [&] { return fmt::format("node '{}' has changed", node.name); });
  lost_nodes.erase(known);
  const NodeState before = cluster.node(known).reported;
  cluster.set_node_state(known, node.reported, now());
  node.state_since = cluster.node(known).state_since;
  cluster.update_node(known, std::move(node));
  note_node_state(known, before);
  log_node(known);
  reports[known.index()] = std::move(report);
}

void Engine::State::keep_report(NodeId node, NodeReport report) {
  if (node.index() >= reports.size()) reports.resize(node.index() + 1);
  reports[node.index()] = std::move(report);
}

/// Where nodes are in partitions, those that resource managers tell of jobs begin to count.
void Engine::State::note_partitions() {
  if (std::exchange(partitions_used, partitions_in_use(cluster)) == partitions_used) return;
  for (const JobId id : cluster.jobs())
    if (cluster.job(id).waiting() && !cluster.job(id).partitions_told.empty()) entitle_again(id);
}

/// Nothing starts there until it is reported again.
void Engine::State::note_lost_node(const std::string& name) {
  const NodeId id = cluster.find_node(name);
  if (!id.valid() || cluster.node(id).purged || !lost_nodes.insert(id).second) return;
  log(1, "fRM", [&] { return fmt::format("WARNING: node '{}' is reported no longer", name); });
  const NodeState before = cluster.node(id).reported;
  cluster.set_node_state(id, NodeState::unknown, now());
  note_node_state(id, before);
}

void Engine::State::resolve_lost_nodes(std::function<void()> next) {
  const auto gone = [this](NodeId id) {
    return now() - clock_steps.counted_from(cluster.node(id).state_since, now()) >=
               settings.node.purge_time &&
           cluster.occupancy(id).occupants.empty();
  };
  const auto all = std::make_shared<std::vector<NodeId>>();
  std::copy_if(lost_nodes.begin(), lost_nodes.end(), std::back_inserter(*all), gone);
  const auto step = [this, gone, all, done = std::size_t{0}]() mutable {
    for (const auto end = std::min(all->size(), done + kNodesAtOnce); done < end; ++done)
      if (gone((*all)[done])) purge_node((*all)[done]);
    return done == all->size();
  };
  in_slices(step, std::move(next));
}

void Engine::State::purge_node(NodeId id) {
  lost_nodes.erase(id);
  const Node& node = cluster.node(id);
  log(1, "fRM", [&] { return fmt::format("node '{}' is forgotten", node.name); });
  Node nothing;
  nothing.state_since = node.state_since;
  nothing.configured = Resources(0);
  nothing.purged = true;
  cluster.update_node(id, std::move(nothing));
  purged_nodes.push_back(id);
}

/// PARTITIONMASK of a job means nothing where no node is in a partition.
void Engine::State::note_masks(const JobReport& report) {
  const std::string& mask = report.partition_mask;
  if (mask.empty() || mask == passed_over_mask || masks_noted) return;
  if (passed_over_mask.empty()) {
    passed_over_mask = mask;
    return;
  }
  masks_noted = true;
  log(0, "fRM", [&] {
    return fmt::format(
        "WARNING: jobs ask for different partitions ('{}', '{}'), but no node is said to be in "
        "one: "
        "they may run anywhere; NODECFG[] PARTITION= tells where nodes are",
        passed_over_mask, mask);
  });
}

void Engine::State::submit(JobReport& report, bool classes_in_use) {
  if (cluster.find_job(report.name).valid()) {
    log(1, "fRM", [&] {
      const std::string& manager = report.job.resource_manager;
      return fmt::format("ERROR: resource manager '{}' reports a second job named '{}'; ignored",
                         manager.empty() ? rm->name() : manager, report.name);
    });
    return;
  }
  if (!partitions_in_use(cluster)) note_masks(report);
  Submission made = job_of(report, settings, cluster, now(), classes_in_use);
  if (made.job.resource_manager.empty()) made.job.resource_manager = rm->name();
  if (made.job.earliest_start > now()) start_dates.add(made.job.earliest_start);
  const auto memory = memory_for(report);
  if (memory)
    recall(*memory, made.job);
  else if (restored && made.job.submitted <= *restored)
    made.job.eligible_since = made.job.submitted;
  const JobId id = cluster.add_job(std::move(made.job), std::move(made.request));
  log(6, "fSTRUCT", [&] {
    return fmt::format("job '{}' is known now, as one of {} that wait", cluster.job(id).name,
                       cluster.waiting().size());
  });
  log_job(id);
  learning.arrived(cluster, id);
  if (memory) recall_in_queue(*memory, id);
  if (memory && memory->run && charges_recalled)
    fairshare.recall(id, memory->run->job.started, memory->charged);
  dependencies.arrived(cluster, id);
  if (memory) recall_run(*memory, id, report);
  const Job& told = report.job;
  if (told.state == JobState::idle)
    trust_state(id);
  else if (told.state == JobState::not_queued)
    doubt_state(id, "its state is not known");
  else
    sync_running(id, {told.state, report.task_list, told.started, told.suspended_time,
                      told.suspended_since});
  if (has(cluster.job(id).flags, JobFlag::no_queue)) no_queue.push_back(id);
  log(4, "fRM", [&] {
    const Job& job = cluster.job(id);
    return fmt::format("job '{}' of user {} queued: {} procs for {} seconds", job.name,
                       cluster.users[job.credentials.user], cluster.request_of(id).total_procs(),
                       cluster.request_of(id).limit.raw());
  });
}

void Engine::State::entitle_again(JobId id) {
  Entitled entitled = entitle(cluster.job(id), cluster.request_of(id), settings, cluster);
  if (entitled.qos != cluster.job(id).credentials.qos) cluster.set_qos(id, entitled.qos);
  if (entitled.request != cluster.request_of(id)) set_request(id, std::move(entitled.request));
  const Job& job = cluster.job(id);
  auto holds = job.holds;
  if (!entitled.refused.empty()) {
    if (has(holds, Hold::batch) && job.hold_reason.cause != HoldCause::refused) return;
    put(holds, Hold::batch);
  } else if (job.hold_reason.cause == HoldCause::refused) {
    put(holds, Hold::batch, false);
  } else {
    return;
  }
  cluster.set_holds(id, holds, refusal(std::move(entitled.refused)));
}

void Engine::State::set_request(JobId id, Request request) {
  cluster.set_request(id, std::move(request));
  learning.changed(id);
}

/// Or for its limit, or since somebody cancelled it: not because one of its nodes was lost.
bool Engine::State::ended_by_itself(const Job& job) const {
  if (cluster.counts().available_nodes == std::ssize(cluster.nodes())) return true;
  return std::all_of(job.placement.begin(), job.placement.end(), [this](const NodeTasks& share) {
    const NodeState state = cluster.node(share.node).reported;
    return state != NodeState::down && state != NodeState::unknown;
  });
}

void Engine::State::give_qos(JobId id, QosId qos) {
  cluster.set_qos(id, qos);
  cluster.keep_qos(id);
  if (cluster.job(id).waiting()) entitle_again(id);
}

void Engine::State::end(JobId id, JobState final_state, Time when, int exit_code) {
  bypasses.settle(cluster, id);
  const bool ran = cluster.job(id).active() || cluster.job(id).suspended();
  if (ran) believe_end(id, when);
  if (ran) release_single_use(cluster.job(id), when);
  if (ran) warn_of_untold_use(cluster.job(id), when);
  if (ran || cluster.job(id).waiting()) cluster.end_job(id, final_state, when);
  if (ran) {
    statistics.account_completion(cluster, settings, id);
    fairshare.settle(cluster, settings.fairshare, id, when);
    fairshare.forget(id);
    const Job& job = cluster.job(id);
    const Seconds run = job.ended - job.started - job.suspended_time;
    // One that is ended for its limit has had what it asked for (guide 6.4).
    const Seconds limit = cluster.limit_on(cluster.request(job.request), job.placement);
    settle_allocation(job, run, when, final_state == JobState::completed || run >= limit);
  }
  log(3, "fSCHED", [&] {
    return fmt::format("job '{}' {}", cluster.job(id).name,
                       final_state == JobState::completed ? "completed" : "removed");
  });
  observer.job_ended(cluster, id);
  remember_end(cluster.job(id));
  const auto lesson =
      learning.ended(cluster, settings, id, ran && ended_by_itself(cluster.job(id)));
  if (lesson.totals.jobs > 0)
    statistics.account_forecasts(cluster.job(id).credentials, lesson.totals);
  ended_jobs.add(cluster, cluster.job(id), exit_code, lesson.shorter);
  ended_jobs.forget(settings.jobs.purge_time, now());
  dependencies.ended(cluster, id, final_state == JobState::completed && exit_code == 0);
  log(6, "fSTRUCT", [&] { return fmt::format("job '{}' is forgotten", cluster.job(id).name); });
  cluster.local_words.forget(id);
  cluster.forget_job(id);
}

void Engine::State::expire_reservations() {
  if (now() < next_expiry) return;
  next_expiry = kForever;
  const std::vector<ReservationId> all(cluster.reservations().begin(),
                                       cluster.reservations().end());
  for (const ReservationId id : all) {
    const Reservation& one = cluster.reservation(id);
    if (one.kind == ReservationKind::job) continue;
    if (one.end > now()) {
      next_expiry = std::min(next_expiry, one.end);
      continue;
    }
    end_reservation(id);
  }
}

void Engine::State::account_fairshare() {
  fairshare.accrue(cluster, settings.fairshare, now(),
                   [this](const FairshareWindow& window, bool over) {
                     log(over ? 4 : 7, "fFS", [&] {
                       return fmt::format("the fairshare window that began {} {}",
                                          format_date(window.start, true),
                                          over ? "is over" : "has been charged");
                     });
                     observer.fairshare_changed(cluster, fairshare.history(), window, over);
                   });
  const bool used = settings.fairshare.metric != FairshareMetric::none;
  cluster.fairshare_use =
      used ? effective_use(fairshare.history(), settings.fairshare, now()) : FairshareUse{};
}

void Engine::State::decide(std::function<void()> next) {
  log_step("standing reservations are refreshed");
  refresh_standing();
  adjust_reservations();
  pull_triggers();
  log_step("jobs are planned");
  learning.refresh(cluster, settings, now());
  reservations_planned_on = cluster.reservations_made();
  if (!cluster.waiting().empty() || !cluster.suspended().empty())
    return make_plan(now(), std::move(next));
  if (!plan.order.empty() || !plan.decisions.empty() || !plan.stalled.empty()) plan = {};
  priorities_stale = false;
  next();
}

/// Again for each answer that the selector finds out, as of the same time.
void Engine::State::make_plan(Time when, std::function<void()> next) {
  plan = planned(when);
  priorities_stale = !plan.order.empty();
  if (selector != nullptr && selector->owes())
    return selector->find_out([this, when, next = std::move(next)] { make_plan(when, next); });
  cluster.set_settled_at(plan.settled_at, plan.settled_departures);
  note_promises(cluster, plan);
  learning.note_shorter(cluster, plan, now());
  tell_of_bounds();
  log_priorities();
  next();
}

/// Planning changes nothing: where there is no memory for it, nothing has been decided.
Plan Engine::State::planned(Time when) {
  plan = {};  // its memory is for the next one
  try {
    return planner(cluster, settings, when);
  } catch (const std::bad_alloc&) {
    log(0, "fSCHED", [] {
      return "ALERT: memory is short: nothing is planned in this iteration, and what runs goes on";
    });
    return {};
  }
}

void Engine::State::answered() {
  if (--answers_due == 0) finish();
}

void Engine::State::finish() {
  refuse_who_will_not_queue();
  note_jobs();
  ++iteration;
  statistics.account_iteration(cluster, iteration);
  log_rejections();
  log_outcome();
  if (stop.at_iteration && iteration >= *stop.at_iteration) {
    stop.stopped = true;
    stop.at_iteration.reset();
  }
  iterating = false;
  // The caller may begin the next iteration from within.
  if (const auto finished = std::exchange(done, nullptr)) finished();
}

}  // namespace maui
