#include "compare/wait_reasons.h"

#include <algorithm>
#include <limits>

#include "sched/query/explain.h"

namespace maui::compare {

WaitReasons::Entry& WaitReasons::entry_of(const Job& job) {
  if (entries_.size() <= job.id.index()) entries_.resize(job.id.index() + 1);
  Entry& entry = entries_[job.id.index()];
  if (entry.look < 0 || entry.arrival != job.arrival) {
    entry = Entry{};
    entry.arrival = job.arrival;
    entry.since = job.submitted;
  }
  return entry;
}

void WaitReasons::note(const Job& job, Reason reason, Time now) {
  Entry& entry = entry_of(job);
  if (reason != entry.reason && entry.look >= 0) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    auto& sum = entry.seconds[static_cast<std::size_t>(entry.reason)];
    sum = static_cast<std::int32_t>(
        std::min(kMost, std::int64_t{sum} + std::max<std::int64_t>(0, (now - entry.since).raw())));
    entry.since = now;
  }
  entry.reason = reason;
  entry.look = looks_;
}

void WaitReasons::look(const Cluster& cluster, const Settings& settings, const Plan& plan,
                       Time now) {
  ++looks_;
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const Job& job = cluster.job(plan.order[i].job);
    note(job, plan.reasons[i], now);
    entries_[job.id.index()].blocked = false;
  }
  // The others are kept out by something that is asked for once, when it begins.
  for (const Waiting& waiting : cluster.waiting()) {
    const Job& job = cluster.job(waiting.job);
    Entry& entry = entry_of(job);
    if (entry.look == looks_) continue;
    const Reason reason =
        entry.blocked ? entry.reason : explain(cluster, settings, now, waiting.job).reason;
    note(job, reason, now);
    entry.blocked = true;
  }
}

std::vector<WaitReason> WaitReasons::take(const Job& job) {
  std::vector<WaitReason> found;
  if (job.id.index() >= entries_.size()) return found;
  Entry& entry = entries_[job.id.index()];
  if (entry.look >= 0 && entry.arrival == job.arrival) {
    note(job, Reason::none, job.started);
    for (std::size_t i = 0; i < kReasons; ++i)
      if (entry.seconds[i] > 0 && static_cast<Reason>(i) != Reason::none)
        found.push_back({static_cast<Reason>(i), Seconds(entry.seconds[i])});
    std::sort(found.begin(), found.end(), [](const WaitReason& a, const WaitReason& b) {
      return a.how_long != b.how_long ? a.how_long > b.how_long : a.reason < b.reason;
    });
  }
  entry = Entry{};
  return found;
}

}  // namespace maui::compare
