#include "model/processor_equivalents.h"

#include <algorithm>

namespace maui {

double processor_equivalents(const ResourceTotals& configured, const Request& request) {
  double share = 0;
  for (const auto what : {kMemory, kDisk, kSwap}) {
    const auto there = static_cast<double>(configured.get(what));
    if (there <= 0) continue;
    double asked = 0;
    for (const Requirement& requirement : request.requirements)
      asked += static_cast<double>(requirement.per_task.get(what)) * requirement.tasks;
    share = std::max(share, asked / there);
  }
  const auto procs = static_cast<double>(configured.procs());
  return std::max(procs > 0 ? static_cast<double>(request.total_procs()) : 0.0, share * procs);
}

}  // namespace maui
