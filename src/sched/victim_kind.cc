#include "sched/victim_kind.h"

namespace maui {

unsigned preemptible_by(const JobFlags& all, const Job& job) {
  const auto flags = all.of(job);
  return (has(flags, JobFlag::preemptor) ? bit(VictimKind::preemptee) : 0U) |
         (has(flags, JobFlag::restart_preempt) ? bit(VictimKind::restartable) : 0U);
}

}  // namespace maui
