#include "sched/victim_kind.h"

namespace maui {

unsigned kinds_given_by(const JobFlags& all, std::uint16_t flags) {
  const bool restarts = has(flags, JobFlag::restartable) && all.possible(JobFlag::restart_preempt);
  return (has(flags, JobFlag::preemptee) ? bit(VictimKind::preemptee) : 0U) |
         (restarts ? bit(VictimKind::restartable) : 0U);
}

unsigned preemptible_by(const JobFlags& all, const Job& job) {
  const auto flags = all.of(job);
  return (has(flags, JobFlag::preemptor) ? bit(VictimKind::preemptee) : 0U) |
         (has(flags, JobFlag::restart_preempt) ? bit(VictimKind::restartable) : 0U);
}

}  // namespace maui
