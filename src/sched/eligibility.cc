#include "sched/eligibility.h"

namespace maui {

Eligibility::Eligibility(const Cluster&, const Settings&, Time now) : now_(now) {}

Reason Eligibility::of(const Job& job) const {
  if (job.holds != 0) return Reason::hold;
  if (!job.waiting()) return Reason::state;
  if (job.earliest_start > now_) return Reason::start_date;
  if (!job.dependencies_met()) return Reason::dependency;
  return Reason::none;
}

}  // namespace maui
