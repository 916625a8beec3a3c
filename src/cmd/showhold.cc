// showhold: jobs with their holds.
#include <algorithm>

#include "base/state_names.h"
#include "cmd/access.h"
#include "cmd/operands.h"

namespace maui {

Answer showhold(const Context& context) {
  const Cluster& cluster = context.cluster();
  std::vector<JobId> asked;
  for (const std::string& name : context.request.operands) {
    const auto id = job_named(context, name);
    if (!id) return id.error();
    asked.push_back(*id);
  }
  if (asked.empty()) asked = cluster.jobs();
  HoldsReply reply;
  for (const JobId id : asked) {
    const Job& job = cluster.job(id);
    if (job.holds != 0 && sees_all_of(context, job))
      reply.jobs.push_back({job.name, cluster.users[job.credentials.user], hold_names(job.holds)});
  }
  return Reply(std::move(reply));
}

}  // namespace maui
