#include "engine/reports/reports.h"

#include <string>
#include <utility>

#include "engine/accounts/allocations.h"
#include "engine/actions/site_policies.h"
#include "engine/checkpoint/missed_ends.h"
#include "engine/checkpoint/restored_reservations.h"
#include "engine/knowledge.h"
#include "engine/reports/arrivals.h"
#include "engine/reports/entitlements.h"
#include "engine/reports/job_changes.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/job_slices.h"
#include "engine/reports/job_statuses.h"
#include "engine/reports/manager_answers.h"
#include "engine/reports/reported_nodes.h"
#include "engine/reports/reported_reservations.h"
#include "engine/tools.h"

namespace maui {

Reports::Reports(const EngineTools& tools, Entitlements& entitlements, Allocations& allocations,
                 SitePolicies& site_policies, ReportedNodes& nodes,
                 ReportedReservations& reservations, JobDoubts& doubts, JobChanges& job_changes,
                 JobStatuses& job_statuses, ManagerAnswers& manager_answers,
                 RestoredReservations& restored_reservations, Arrivals& arrivals,
                 MissedEnds& missed_ends)
    : tools_(tools),
      entitlements_(entitlements),
      allocations_(allocations),
      site_policies_(site_policies),
      nodes_(nodes),
      reservations_(reservations),
      doubts_(doubts),
      job_changes_(job_changes),
      job_statuses_(job_statuses),
      manager_answers_(manager_answers),
      restored_reservations_(restored_reservations),
      arrivals_(arrivals),
      missed_ends_(missed_ends),
      cluster_(tools.known.cluster),
      refused_starts_(tools.known.refused_starts),
      managers_(tools.known.managers),
      statistics_(tools.known.statistics),
      pending_restore_(tools.known.pending_restore),
      exhausted_(tools.known.exhausted),
      last_activity_(tools.known.last_activity) {}

void Reports::take_in(Update&& update, std::function<void()> done) {
  update_.emplace(std::move(update));
  done_ = std::move(done);
  refused_starts_.look_again(cluster_, tools_.now(), entitlements_.request_setter());
  tools_.journal.update(tools_.rm.name(), *update_);
  tools_.journal.step("applying reports");
  nodes_.apply(*update_,
               [this] { site_policies_.ask_for_attributes(*update_, [this] { take_in_jobs(); }); });
}

void Reports::take_in_jobs() {
  take_in_reservations();
  update_->nodes = {};  // frees memory: node reports are kept elsewhere
  end_in_slices(
      tools_, &update_->past, [this](const PastJob& past) { missed_ends_.account(past); },
      [this] { take_in_states(); });
}

void Reports::take_in_reservations() {
  exhausted_ = update_->exhausted;
  managers_.poll_answered(std::move(update_->certain));
  managers_.set_incomplete(std::move(update_->incomplete));
  entitlements_.note_partitions();
  if (!update_->nodes.empty()) restored_reservations_.restore();
  for (const ReservationReports& reported : update_->reservations) reservations_.apply(reported);
}

void Reports::take_in_states() {
  for (const FailedStart& failed : update_->failed_starts) job_statuses_.apply(failed);
  for (const JobStatus& status : update_->statuses) job_statuses_.apply(status);
  end_in_slices(
      tools_, &update_->ended, [this](const JobEnd& ended) { job_statuses_.apply(ended); },
      [this] { take_in_changes(); });
}

void Reports::take_in_changes() {
  job_changes_.apply(update_->changed, [this] {
    note_lost();
    take_in_arrivals();
  });
}

void Reports::note_lost() {
  manager_answers_.note_unreachable(update_->silent);
  for (const std::string& name : update_->lost)
    if (const JobId id = cluster_.find_job(name); id.valid())
      doubts_.note_lost(id, managers_.last_known(cluster_.job(id).resource_manager, tools_.now()),
                        /*restored=*/false);
  if (!update_->ended.empty() || !update_->changed.empty() || !update_->arrived.empty())
    last_activity_ = tools_.now();
}

void Reports::take_in_arrivals() {
  arrivals_.apply(
      *update_, [this](JobReport& report) { missed_ends_.account_before(report); },
      [this] { finish(); });
}

void Reports::finish() {
  update_.reset();
  account_gap();
  missed_ends_.restore_lost_runs();
  missed_ends_.forget_unreported();
  manager_answers_.note_heard();
  nodes_.log_lost();
  std::exchange(done_, nullptr)();
}

/// Accounts the time in which no scheduler ran.
void Reports::account_gap() {
  auto& since = pending_restore_.unaccounted_since;
  if (!since) return;
  statistics_.account_interval(cluster_, tools_.now() - *since);
  since.reset();
  allocations_.account_gap(tools_.now());
}

}  // namespace maui
