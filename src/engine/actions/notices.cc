// Notices to users about their waiting jobs, at resource managers that show them.
#include <utility>
#include <vector>

#include "engine/state.h"

namespace maui {

void Engine::State::note_jobs() {
  if (!rm->shows_notices()) return;
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
  rm->note(notices);
}

}  // namespace maui
