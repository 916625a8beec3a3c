#include "sched/priority/waiting_priorities.h"

#include <algorithm>

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
      apart_(differs_by_job(settings) || !cluster.local_words.refused.empty()),
      by_owner_(eligibility_.fairshare().any_blocked() || judge_.credentials_matter()),
      by_request_(judge_.requests_matter() || judge_.expansion_counts()) {
  // A table of all requests does not pay off for a few jobs.
  apart_ = apart_ || (by_request_ && 4 * cluster.waiting().size() < cluster.request_slots());
  if (apart_) return;
  owners_.resize(by_owner_ ? cluster.credentials_known() : 1);
  asked_.resize(by_request_ ? cluster.request_slots() : 1);
}

void WaitingPriorities::rank(const Waiting& line, std::vector<Plan::Ranked>& order) {
  if (line.held) return;
  if (apart_ || line.special) return rank_special(line, order);
  const Owner& owner = owner_of(line);
  if (owner.blocked) return;
  const auto found = bounded(judge_.weights(), sum_of(line, owner, asked_of(line)));
  if (!found.rejected) append(line, found.priority, found.exact, order);
}

void WaitingPriorities::rank_all(std::vector<Plan::Ranked>& order) {
  const auto waiting = cluster_.waiting();
  if (waiting.empty()) return;
  if (!apart_ && !by_owner_ && !by_request_)
    if (const Owner& owner = owner_of(waiting.front()); owner.by_queue_time && !owner.blocked)
      return rank_by_queue_time(owner, order);
  for (const auto& line : waiting) rank(line, order);
}

void WaitingPriorities::rank_by_queue_time(const Owner& owner, std::vector<Plan::Ranked>& order) {
  // Copies, so that writing to `order` cannot change them.
  const QueuedSum queued_sum = queued_sum_;
  const PriorityRange range(judge_.weights());
  const double prefix = owner.prefix, weight = owner.waits.queue_time;
  const double resources = asked_.front().resources;
  const Time now = now_;
  const auto waiting = cluster_.waiting();
  const auto before = order.size();
  order.resize(before + waiting.size());
  auto next = order.begin() + static_cast<std::ptrdiff_t>(before);
  std::vector<Plan::Ranked> alone;
  for (const auto& line : waiting) {
    if (line.held) continue;
    if (line.special) {
      alone.clear();
      rank_special(line, alone);
      next = std::copy(alone.begin(), alone.end(), next);
      continue;
    }
    const auto seconds = static_cast<double>(std::max(now - line.queued, Seconds(0)).raw());
    const auto found = range.bounded(queued_sum.of(prefix, weight, seconds, resources));
    if (!found.rejected) put(line, found.priority, *next++);
  }
  order.erase(next, order.end());
}

double WaitingPriorities::sum_of_all(const Waiting& line, const Owner& owner, const Asked& asked,
                                     double seconds) const {
  Waited waited{.seconds = seconds};
  if (owner.waits.expansion_counts()) {
    waited.xfactor = 1.0 + seconds / asked.xfactor_limit;
    waited.service_xfactor = judge_.service_xfactor(line.job, seconds, waited.xfactor);
  }
  if (owner.waits.bypass != 0) waited.bypasses = cluster_.bypasses(line.job);
  return sum_of_waiting(judge_.weights(), owner.prefix, owner.waits, waited, asked.resources);
}

void WaitingPriorities::rank_special(const Waiting& line, std::vector<Plan::Ranked>& order) {
  const Job& job = cluster_.job(line.job);
  if (eligibility_.of(job) != Reason::none) return;
  const auto found = judge_.breakdown(job);
  if (!found.rejected) append(line, found.priority, found.bounded, order);
}

void WaitingPriorities::find_out(const Waiting& line, Owner& owner) {
  const Job& job = cluster_.job(line.job);
  owner.known = true;
  owner.blocked = eligibility_.fairshare().blocked_by(job.credentials).has_value();
  for (const C component : {C::cred, C::fairshare})
    owner.prefix += judge_.contribution_of(component, job);
  owner.waits = judge_.wait_weights(job);
  owner.by_queue_time = owner.waits.by_queue_time();
}

void WaitingPriorities::find_out(const Waiting& line, Asked& asked) {
  asked.known = true;
  asked.resources = judge_.contribution_of(C::resource, cluster_.job(line.job));
  asked.xfactor_limit = judge_.xfactor_limit(line.request);
}

}  // namespace maui
