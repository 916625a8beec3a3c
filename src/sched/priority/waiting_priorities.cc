#include "sched/priority/waiting_priorities.h"

#include <algorithm>
#include <utility>

namespace maui {
namespace {

using C = Component;

// True if something counts that jobs with equal credentials and requests need not share.
bool differs_by_job(const Settings& settings) {
  if (!settings.partition_weights.empty()) return true;
  return std::any_of(subcomponents().begin(), subcomponents().end(), [&](const auto& info) {
    return info.component == C::local && counts(settings, settings.priority, info);
  });
}

}  // namespace

WaitingPriorities::WaitingPriorities(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster),
      now_(now),
      eligibility_(cluster, settings, now),
      judge_(cluster, settings, now),
      queued_sum_(judge_.weights()),
      one_by_one_(differs_by_job(settings) || !cluster.local_words.refused.empty()),
      by_credentials_(eligibility_.fairshare().any_blocked() || judge_.credentials_matter()),
      by_request_(judge_.requests_matter() || judge_.expansion_counts()) {
  // A table of all requests does not pay off for a few jobs.
  one_by_one_ =
      one_by_one_ || (by_request_ && 4 * cluster.waiting().size() < cluster.request_slots());
  if (one_by_one_) return;
  credentials_parts_.resize(by_credentials_ ? cluster.credentials_known() : 1);
  request_parts_.resize(by_request_ ? cluster.request_slots() : 1);
}

void WaitingPriorities::rank(const Waiting& line, std::vector<Plan::Ranked>& order) {
  if (line.held) return;
  if (one_by_one_ || line.special) return rank_special(line, order);
  const CredentialsPart& shared = credentials_part(line);
  if (shared.blocked) return;
  const auto found = bounded(judge_.weights(), sum_of(line, shared, request_part(line)));
  if (found.rejected) return;
  exact_ = found.exact;
  append(line, found.priority, order);
}

bool WaitingPriorities::rank_all(std::vector<Plan::Ranked>& order) {
  const auto waiting = cluster_.waiting();
  if (waiting.empty()) return true;
  if (!one_by_one_ && !by_credentials_ && !by_request_)
    if (const CredentialsPart& shared = credentials_part(waiting.front());
        shared.by_queue_time && !shared.blocked)
      return rank_by_queue_time(shared, order);
  for (const auto& line : waiting) rank(line, order);
  return false;
}

bool WaitingPriorities::rank_by_queue_time(const CredentialsPart& shared,
                                           std::vector<Plan::Ranked>& order) {
  // Copies, so that writing to `order` cannot change them.
  const QueuedSum queued_sum = queued_sum_;
  const PriorityRange range(judge_.weights());
  const double prefix = shared.prefix, weight = shared.waits.queue_time;
  const double resources = request_parts_.front().resources;
  const Time now = now_;
  const auto waiting = cluster_.waiting();
  order.reserve(order.size() + waiting.size());
  const auto priority_of = [&](Time queued) {
    const auto seconds = static_cast<double>(std::max(now - queued, Seconds(0)).raw());
    return range.bounded(queued_sum.of(prefix, weight, seconds, resources));
  };
  Time queued = waiting.front().queued;  // of `found`: many jobs were submitted together
  auto found = priority_of(queued);
  bool in_order = true;
  for (const auto& line : waiting) {
    if (line.held) continue;
    if (line.special) {
      rank_special(line, order);
      in_order = false;
      continue;
    }
    if (line.queued != queued) {
      const auto before = std::exchange(found, priority_of(line.queued));
      queued = line.queued;
      in_order = in_order && found.priority <= before.priority;
    }
    if (!found.rejected) append(line, found.priority, order);
  }
  return in_order;
}

double WaitingPriorities::sum_of_all(const Waiting& line, const CredentialsPart& shared,
                                     const RequestPart& request, double seconds) const {
  Waited waited{.seconds = seconds};
  if (shared.waits.expansion_counts()) {
    waited.xfactor = 1.0 + seconds / request.xfactor_limit;
    waited.service_xfactor = judge_.service_xfactor(line.job, seconds, waited.xfactor);
  }
  if (shared.waits.bypass != 0) waited.bypasses = cluster_.bypasses(line.job);
  return sum_of_waiting(judge_.weights(), shared.prefix, shared.waits, waited, request.resources);
}

void WaitingPriorities::rank_special(const Waiting& line, std::vector<Plan::Ranked>& order) {
  const Job& job = cluster_.job(line.job);
  if (eligibility_.of(job) != Reason::none) return;
  const auto found = judge_.breakdown(job);
  if (found.rejected) return;
  exact_ = found.bounded;
  append(line, found.priority, order);
}

void WaitingPriorities::compute(const Waiting& line, CredentialsPart& shared) {
  const Credentials& who = cluster_.credentials(line.credentials);
  shared.known = true;
  shared.blocked = eligibility_.fairshare().any_blocked() &&
                   eligibility_.fairshare().blocked_by(who).has_value();
  shared.prefix = judge_.contribution_of(who);
  shared.waits = waits_of_all_ ? *waits_of_all_ : judge_.wait_weights(cluster_.job(line.job));
  if (judge_.waits_count_alike()) waits_of_all_ = shared.waits;
  shared.by_queue_time = shared.waits.by_queue_time();
}

void WaitingPriorities::compute(const Waiting& line, RequestPart& request) {
  request.known = true;
  request.resources = judge_.contribution_of(C::resource, cluster_.job(line.job));
  request.xfactor_limit = judge_.xfactor_limit(line.request);
}

}  // namespace maui
