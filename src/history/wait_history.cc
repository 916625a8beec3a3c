#include "history/wait_history.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "sched/priority/eligibility.h"
#include "sched/priority/priority_judge.h"

namespace maui {
namespace {

/// Why jobs are not among the planned ones: the plan has put the job back into the queue, a rule
/// excludes a job by itself, or limits exclude it.
class Exclusions {
 public:
  Exclusions(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now)
      : cluster_(cluster), settings_(settings), now_(now) {
    for (const Decision& decision : plan.decisions)
      if (const auto* victim = std::get_if<PreemptJob>(&decision)) victims_.push_back(victim->job);
  }

  /// True if the reasons of all jobs may change although the jobs do not: by their owners' use, by
  /// what the site's programs say, or by priorities.
  bool all_may_change() { return settings_.priority.reject_negative || !eligibility().plain(); }

  Reason of(JobId id) {
    const Job& job = cluster_.job(id);
    if (const Reason reason = eligibility().of(job); reason != Reason::none) return reason;
    if (std::find(victims_.begin(), victims_.end(), id) != victims_.end())
      return Reason::next_iteration;
    if (!settings_.priority.reject_negative) return Reason::policy;
    if (!judge_) judge_.emplace(cluster_, settings_, now_);
    return judge_->breakdown(job).rejected ? Reason::negative_priority : Reason::policy;
  }

 private:
  const Eligibility& eligibility() {
    if (!eligibility_) eligibility_.emplace(cluster_, settings_, now_);
    return *eligibility_;
  }

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  std::vector<JobId> victims_;
  std::optional<Eligibility> eligibility_;  // made on first use
  std::optional<PriorityJudge> judge_;
};

/// Merges the two neighbours that are shortest together.
void merge_shortest(std::vector<WaitHistory::Period>& periods) {
  std::size_t least = 0;
  const auto together = [&](std::size_t i) { return periods[i + 1].end - periods[i].start; };
  for (std::size_t i = 1; i + 1 < periods.size(); ++i)
    if (together(i) < together(least)) least = i;
  auto& first = periods[least];
  const auto& second = periods[least + 1];
  if (second.end - second.start > first.end - first.start) first.reason = second.reason;
  first.end = second.end;
  periods.erase(periods.begin() + static_cast<std::ptrdiff_t>(least) + 1);
}

}  // namespace

void WaitHistory::close(Entry& entry, Time now) const {
  if (entry.reason == Reason::none || now <= entry.since) return;
  auto& over = entry.over;
  if (!over.empty() && over.back().reason == entry.reason && over.back().end == entry.since) {
    over.back().end = now;
    return;
  }
  over.push_back({entry.reason, entry.since, now});
  if (over.size() > most_) merge_shortest(over);
}

void WaitHistory::note(const Job& job, Reason reason, Time now) {
  Entry& entry = entries_[job.id.index()];
  Glance& glance = glances_[job.id.index()];
  if (!glance.known && !take_restored(job, entry)) {
    entry.since = job.submitted;
  } else if (reason != entry.reason) {
    close(entry, now);
    entry.since = now;
  }
  entry.reason = glance.reason = reason;
  glance.known = true;
}

/// Restores the entry of a job that the previous scheduler knew.
bool WaitHistory::take_restored(const Job& job, Entry& entry) {
  const auto at = restored_.empty() ? restored_.end() : restored_.find(job.name);
  if (at == restored_.end()) return false;
  Kept kept = std::move(at->second);
  restored_.erase(at);
  if (kept.submitted != job.submitted || kept.periods.empty()) return false;
  entry.reason = kept.periods.back().reason;
  entry.since = kept.periods.back().start;
  kept.periods.pop_back();
  entry.over = std::move(kept.periods);
  return true;
}

void WaitHistory::for_each_kept(
    const Cluster& cluster, Time now,
    const std::function<void(const Job& job, const std::vector<Period>& periods)>& f) const {
  for (const Waiting& line : cluster.waiting()) {
    if (!knows(line.job)) continue;
    const Entry& entry = entries_[line.job.index()];
    const Job& job = cluster.job(line.job);
    // A new scheduler would conclude the same for most jobs.
    if (entry.over.empty() && entry.since == job.submitted) continue;
    if (const auto periods = of(job, now); !periods.empty()) f(job, periods);
  }
}

void WaitHistory::restore(std::vector<Kept> kept) {
  for (Kept& waited : kept) restored_[waited.job] = std::move(waited);
}

void WaitHistory::look(const Cluster& cluster, const Settings& settings, const Plan& plan,
                       Time now) {
  glances_.resize(std::max(glances_.size(), cluster.job_slots()));
  entries_.resize(glances_.size());
  ++look_;
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const JobId id = plan.order[i].job;
    Glance& glance = glances_[id.index()];
    if (!glance.known || glance.reason != plan.reasons[i]) {
      const Job& job = cluster.job(id);
      if (!job.id.valid()) continue;  // the job has ended since
      note(job, plan.reasons[i], now);
    }
    glance.look = look_;
  }
  // The reason of other jobs is determined when they leave the plan, are held or are released.  A
  // limit, which excludes most of them, needs no second look; other reasons pass by themselves.
  Exclusions exclusions(cluster, settings, plan, now);
  for (const Waiting& waiting : cluster.waiting()) {
    Glance& glance = glances_[waiting.job.index()];
    if (glance.look == look_) continue;
    const bool new_to_it = glance.look != 0 || !glance.known || glance.held != waiting.held;
    const bool may_change = !waiting.held && (waiting.special || glance.reason != Reason::policy ||
                                              exclusions.all_may_change());
    if (new_to_it || may_change) note(cluster.job(waiting.job), exclusions.of(waiting.job), now);
    glance.look = 0;
    glance.held = waiting.held;
  }
}

std::vector<WaitHistory::Period> WaitHistory::of(const Job& job, Time now) const {
  if (!knows(job.id)) return {};
  Entry until_now = entries_[job.id.index()];
  close(until_now, now);
  return std::move(until_now.over);
}

std::vector<WaitHistory::Period> WaitHistory::take(const Job& job) {
  if (!knows(job.id)) return {};
  glances_[job.id.index()] = {};
  Entry entry = std::exchange(entries_[job.id.index()], Entry{});
  close(entry, job.started < kForever ? job.started : job.ended);
  return std::move(entry.over);
}

}  // namespace maui
