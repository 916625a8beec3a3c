// The answers of the site's own programs about waiting jobs in this iteration
// (maui/local_policies.h).
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/units.h"

namespace maui {

struct LocalWords {
  std::unordered_map<JobId, double> priority;      // 0: nothing was said
  std::unordered_map<JobId, std::string> refused;  // why fairness keeps it out
  std::optional<std::vector<JobId>> backfill;      // in order; nothing: nobody has said anything

  bool empty() const { return priority.empty() && refused.empty() && !backfill; }
  /// The id will stand for another job.
  void forget(JobId job) {
    priority.erase(job);
    refused.erase(job);
    if (backfill) std::erase(*backfill, job);
  }
};

}  // namespace maui
