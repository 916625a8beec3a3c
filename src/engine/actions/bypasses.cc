#include "engine/actions/bypasses.h"

#include <algorithm>
#include <utility>

namespace maui {

void Bypasses::gather(const Plan& plan, std::size_t job_slots) {
  if (plan.backfilled.empty()) return;
  counts_.resize(std::max(counts_.size(), job_slots));
  std::vector<std::uint32_t> started = plan.backfilled;
  std::sort(started.begin(), started.end());
  auto next = started.begin();
  for (std::uint32_t i = 0; next != started.end(); ++i) {
    if (i == *next) {
      ++next;
    } else if (plan.reasons[i] != Reason::none) {
      counts_[plan.order[i].job.index()] += static_cast<std::int32_t>(started.end() - next);
    }
  }
  gathered_ = true;
}

void Bypasses::settle(Cluster& cluster, JobId id) {
  if (id.index() >= counts_.size() || counts_[id.index()] == 0) return;
  cluster.add_bypass(id, std::exchange(counts_[id.index()], 0));
}

void Bypasses::settle_all(Cluster& cluster) {
  if (!std::exchange(gathered_, false)) return;
  for (const Waiting& line : cluster.waiting()) settle(cluster, line.job);
}

}  // namespace maui
