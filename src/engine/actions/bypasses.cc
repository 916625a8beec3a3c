#include "engine/actions/bypasses.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace maui {

void count_bypasses(const Plan& plan, Cluster& cluster) {
  if (plan.backfilled.empty()) return;
  std::vector<std::uint32_t> started = plan.backfilled;
  std::sort(started.begin(), started.end());
  auto next = started.begin();
  for (std::uint32_t i = 0; next != started.end(); ++i) {
    if (i == *next) {
      ++next;
    } else if (plan.reasons[i] != Reason::none) {
      cluster.add_bypass(plan.order[i].job, static_cast<std::int32_t>(started.end() - next));
    }
  }
}

}  // namespace maui
