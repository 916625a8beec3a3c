// The expected runs of jobs, computed once for all jobs with the same request, name and
// credentials.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "learning/run_distribution.h"
#include "maui/cluster.h"

namespace maui {

class LikeJobs {
 public:
  struct Expected {
    SharedRun run;
    double worth = 0;  // the worth of backfilling it
  };

  /// `expect` computes the run of one job.
  LikeJobs(const Cluster& cluster, std::function<SharedRun(const Job&)> expect);

  const Expected& of(const Job& job);
  /// Returns how many runs were computed.
  std::size_t worked_out() const { return found_.size(); }

 private:
  struct Found {
    JobId first;
    Expected expected;
  };
  bool like(const Job& a, const Job& b) const;
  const Found& find(const Job& job);
  Found work_out(const Job& job) const;

  const Cluster& cluster_;
  std::function<SharedRun(const Job&)> expect_;
  std::multimap<std::pair<RequestId, UserId>, Found> found_;
  const Found* last_ = nullptr;
};

}  // namespace maui
