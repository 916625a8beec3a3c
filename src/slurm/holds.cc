#include "slurm/holds.h"

#include "slurm/start_note.h"

namespace maui::slurm {

std::uint32_t holds_of(const Job& job) {
  if (job.holds != 0 || !job.pending() || job.priority != 0 || job.het_job != 0) return job.holds;
  const bool ours =
      job.passed_gate || read_note(job.admin_comment) || !words_in(job.admin_comment).empty();
  if (ours) return 0;
  return job.reason == "JobHeldUser" ? kUserHold : kAdminHold;
}

}  // namespace maui::slurm
