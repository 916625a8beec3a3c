#include "sched/priority/eligibility.h"

#include "sched/placement/completion_date.h"

namespace maui {

Eligibility::Eligibility(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster),
      now_(now),
      fairshare_(cluster, settings),
      plain_(!fairshare_.any_blocked() && cluster.local_words.refused.empty()) {}

Reason Eligibility::of(const Job& job) const {
  if (job.holds != 0) return Reason::hold;
  if (!job.waiting()) return Reason::state;
  if (too_late(cluster_, job, now_)) return Reason::completion_date;
  if (job.earliest_start > now_) return Reason::start_date;
  if (!job.dependencies_met()) return Reason::dependency;
  if (!job.waits_for.empty()) return Reason::resource_manager;
  if (fairshare_.blocked_by(job.credentials)) return Reason::fairshare_cap;
  if (cluster_.local_words.refused.contains(job.id)) return Reason::local_fairness;
  return Reason::none;
}

}  // namespace maui
