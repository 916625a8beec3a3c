#include "engine/reports/job_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/actions/holds.h"
#include "engine/knowledge.h"
#include "engine/reports/entitle.h"
#include "engine/reports/entitlements.h"
#include "engine/reports/in_use.h"
#include "engine/reports/job_slices.h"
#include "engine/reports/report.h"
#include "engine/tools.h"
#include "sched/placement/feasibility.h"

namespace maui {

JobChanges::JobChanges(const EngineTools& tools, Holds& holds, Entitlements& entitlements)
    : tools_(tools),
      holds_(holds),
      entitlements_(entitlements),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      refused_starts_(tools.known.refused_starts),
      dependencies_(tools.known.dependencies),
      start_dates_(tools.known.start_dates),
      unexpected_(tools.known.unexpected),
      for_next_run_(tools.known.for_next_run) {}

void JobChanges::apply(const std::vector<JobReport>& changed, std::function<void()> next) {
  auto step = [this, &changed, done = std::size_t{0}]() mutable {
    for (std::size_t work = 0; done < changed.size() && work < kJobsAtOnce; ++done) {
      work += work_of(changed[done]);
      change(changed[done]);
    }
    return done == changed.size();
  };
  tools_.in_slices(std::move(step), std::move(next));
}

void JobChanges::change(const JobReport& report) {
  const JobId id = cluster_.find_job(report.name);
  if (!id.valid()) return;
  const Job& job = cluster_.job(id);
  if (job.waiting()) for_next_run_.erase(report.name);
  Submission made = job_of(report, settings_, cluster_, tools_.now(), classes_in_use(cluster_));
  less_kept(made.request, job.kept_run);
  if (job.waiting()) {
    cluster_.excuse_request(id, false);
    if (made.job.alternatives == job.alternatives) stay_in_shape(job, made.request);
    revise(id, made.job);
    refused_starts_.revised(id);
    auto asked = entitle(job, std::move(made.request), settings_, cluster_).request;
    if (asked != cluster_.request_of(id)) entitlements_.set_request(id, std::move(asked));
    entitlements_.renew(id);
    const bool had = job.hold_reason->cause == HoldCause::unusable_report;
    const bool has_one = made.job.hold_reason->cause == HoldCause::unusable_report;
    if (had && made.job.hold_reason->empty()) cluster_.lift_hold(id, Hold::batch);
    if (has_one && job.hold_reason != made.job.hold_reason)
      holds_.place(id, Hold::batch, made.job.hold_reason);
  } else {
    if (unexpected_.holds(job) || for_next_run_.contains(report.name))
      keep_for_next_run(id, report);
    if (limit_is_unreadable(report) || made.request.limit == cluster_.request_of(id).limit) return;
    entitlements_.set_limit(id, made.request.limit);
  }
  tools_.log_of_job(id, 3, "fRM",
                    [&] { return fmt::format("job '{}' has a new request", report.name); });
}

/// A report of the same shapes leaves the job in the one in which it waits.
void JobChanges::stay_in_shape(const Job& job, Request& reported) const {
  const Request& present = cluster_.request(job.request);
  const std::pair shape(present.requirements.front().tasks, present.limit);
  const auto& shapes = job.alternatives;
  if (job.kept_run == Seconds(0) && std::find(shapes.begin(), shapes.end(), shape) != shapes.end())
    reported = in_shape(reported, shape);
}

void JobChanges::revise(JobId id, const Job& reported) {
  dependencies_.bring_up_to_date(cluster_, id);
  const auto before = cluster_.job(id).dependencies;
  cluster_.revise_job(id, reported);
  const Job& job = cluster_.job(id);
  if (job.earliest_start > tools_.now()) start_dates_.add(job.earliest_start);
  if (job.dependencies != before) dependencies_.revised(cluster_, id, before);
}

void JobChanges::keep_for_next_run(JobId id, const JobReport& report) {
  if (cluster_.job(id).waiting()) return change(report);
  JobReport& kept = for_next_run_[report.name] = report;
  kept.job.id = id;
  kept.job.arrival = cluster_.job(id).arrival;
}

void JobChanges::take_for_next_runs() {
  std::vector<JobReport> due;
  for (auto at = for_next_run_.begin(); at != for_next_run_.end();) {
    JobReport& report = at->second;
    const bool known = cluster_.still(report.job.id, report.job.arrival);
    const bool waits = known && cluster_.job(report.job.id).waiting();
    if (waits) due.push_back(std::move(report));
    at = !known || waits ? for_next_run_.erase(at) : std::next(at);
  }
  for (const JobReport& report : due) change(report);
}

}  // namespace maui
