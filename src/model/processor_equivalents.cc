#include "model/processor_equivalents.h"

#include <algorithm>

namespace maui {

double processor_equivalents(const Resources& configured, const Request& request) {
  double share = 0;
  for (const auto amount : {&Resources::memory, &Resources::disk, &Resources::swap}) {
    const double there = static_cast<double>((configured.*amount)());
    if (there <= 0) continue;
    double asked = 0;
    for (const Requirement& requirement : request.requirements)
      asked += static_cast<double>((requirement.per_task.*amount)()) * requirement.tasks;
    share = std::max(share, asked / there);
  }
  const double procs = configured.procs();
  return std::max(procs > 0 ? static_cast<double>(request.total_procs()) : 0.0, share * procs);
}

}  // namespace maui
