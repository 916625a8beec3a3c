#include "sched/eligibility.h"

namespace maui {

Eligibility::Eligibility(const Cluster& cluster, const Settings& settings, Time now)
    : now_(now), fairshare_(cluster, settings), plain_(!fairshare_.any_blocked()) {}

Reason Eligibility::of(const Job& job) const {
  if (job.holds != 0) return Reason::hold;
  if (!job.waiting()) return Reason::state;
  if (job.earliest_start > now_) return Reason::start_date;
  if (!job.dependencies_met()) return Reason::dependency;
  if (fairshare_.blocked_by(job.credentials)) return Reason::fairshare_cap;
  return Reason::none;
}

}  // namespace maui
