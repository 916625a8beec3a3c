// The answers of the site's own programs about waiting jobs, for this iteration
// (maui/local_policies.h).
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/units.h"

namespace maui {

struct LocalWords {
  std::unordered_map<JobId, double> priority;      // priority to add; 0: no answer
  std::unordered_map<JobId, std::string> refused;  // reason from the fairness program
  std::optional<std::vector<JobId>> backfill;      // in order; nullopt: no answer

  bool empty() const { return priority.empty() && refused.empty() && !backfill; }
  /// Drops all answers about `job`, whose id will be reused.
  void forget(JobId job) {
    priority.erase(job);
    refused.erase(job);
    if (backfill) std::erase(*backfill, job);
  }
};

}  // namespace maui
