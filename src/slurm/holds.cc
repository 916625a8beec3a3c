#include "slurm/holds.h"

#include "rm/slurm_reason.h"
#include "slurm/start_note.h"

namespace maui::slurm {

std::uint32_t holds_of(const Job& job) {
  if (job.holds != 0 || !job.pending() || job.priority != 0 || job.het_job != 0) return job.holds;
  if (job.passed_gate) return 0;
  const auto note = read_note(job.admin_comment);
  const bool came_back_held = job.requeued_held && note && note->started;
  const bool ours = note || !words_in(job.admin_comment).empty();
  if (ours && !came_back_held) return 0;
  return job.reason == "JobHeldUser" ? kUserHold : kAdminHold;
}

bool given_up_by_slurm(const Job& job) {
  return job.priority == 0 &&
         (!job.launch_failure.empty() || outlook(job.reason) == Outlook::failed);
}

}  // namespace maui::slurm
