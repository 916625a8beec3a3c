#include "engine/actions/notices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/resource_manager.h"

namespace maui {

namespace {

/// True if the reservation counts on nodes that are down or drained, whose return nobody knows.
bool rests_on_lost_nodes(const Cluster& cluster, const Reservation& reservation) {
  return std::any_of(reservation.nodes.begin(), reservation.nodes.end(),
                     [&](const NodeTasks& share) { return !cluster.node(share.node).available(); });
}

}  // namespace

void send_notices(const Cluster& cluster, ResourceManager& manager) {
  if (!manager.shows_notices()) return;
  std::vector<JobNotice> notices;
  for (const Waiting& line : cluster.waiting()) {
    const Job& job = cluster.job(line.job);
    JobNotice notice{job.name, job.resource_manager};
    for (const Hold hold : {Hold::system, Hold::batch, Hold::defer})
      if (has(job.holds, hold))
        notice.held = job.hold_reason->empty() ? "by an administrator" : job.hold_reason->text;
    if (job.reservation.valid())
      if (const auto& planned = cluster.reservation(job.reservation);
          !rests_on_lost_nodes(cluster, planned))
        notice.start = planned.start;
    if (!notice.held.empty() || notice.start < kForever) notices.push_back(std::move(notice));
  }
  manager.note(notices);
}

}  // namespace maui
