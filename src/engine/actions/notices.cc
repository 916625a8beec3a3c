#include "engine/actions/notices.h"

#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/resource_manager.h"

namespace maui {

void send_notices(const Cluster& cluster, ResourceManager& manager) {
  if (!manager.shows_notices()) return;
  std::vector<JobNotice> notices;
  for (const Waiting& line : cluster.waiting()) {
    const Job& job = cluster.job(line.job);
    JobNotice notice{job.name, job.resource_manager};
    for (const Hold hold : {Hold::system, Hold::batch, Hold::defer})
      if (has(job.holds, hold))
        notice.held = job.hold_reason->empty() ? "by an administrator" : job.hold_reason->text;
    if (job.reservation.valid()) notice.start = cluster.reservation(job.reservation).start;
    if (!notice.held.empty() || notice.start < kForever) notices.push_back(std::move(notice));
  }
  manager.note(notices);
}

}  // namespace maui
