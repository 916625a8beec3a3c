// Cancellations that the resource manager has not answered yet; their jobs are not started in the
// meantime.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "maui/job.h"

namespace maui {

class Cancellations {
 public:
  void asked(JobId job, std::uint64_t arrival) { all_.emplace_back(job, arrival); }
  void answered(JobId job, std::uint64_t arrival) { std::erase(all_, std::pair(job, arrival)); }
  bool under_way(const Job& job) const {
    return std::find(all_.begin(), all_.end(), std::pair(job.id, job.arrival)) != all_.end();
  }

 private:
  std::vector<std::pair<JobId, std::uint64_t>> all_;  // and their arrivals
};

}  // namespace maui
