#include "cmd/for_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/name_pattern.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts.h"

namespace maui {
namespace {

/// "x:EXPRESSION": every job that the user may act on and whose name the expression matches.
Result<std::vector<JobId>> matching_jobs(const Context& context, const std::string& expression) {
  const Cluster& cluster = context.cluster();
  std::vector<JobId> found;
  const auto pattern = NamePattern::of(expression);
  if (!pattern) return Error{"x: " + pattern.error().what};
  for (const JobId id : cluster.jobs())
    if (const Job& job = cluster.job(id);
        (is_admin(context, 2) || owns(context, job)) && pattern->in(job.name))
      found.push_back(id);
  if (found.empty()) return Error{fmt::format("no job of yours matches 'x:{}'", expression)};
  return found;
}

}  // namespace

Status may_act_on(const Context& context, const Job& job, std::string_view what) {
  if (is_admin(context, 2) || owns(context, job)) return Done{};
  return Error{fmt::format("user {} is not authorized to {} job '{}'", context.request.user, what,
                           job.name)};
}

Answer for_jobs(const Context& context, JobsReply reply, const std::vector<std::string>& names,
                const JobDeed& act) {
  const Cluster& cluster = context.cluster();
  const auto note = [&](const std::string& name, const Status& status) {
    reply.jobs.push_back({name, status.has_value(), status ? "" : status.error().what});
  };
  for (const auto& name : names) {
    if (name.starts_with("x:")) {
      const auto ids = matching_jobs(context, name.substr(2));
      if (!ids) note(name, ids.error());
      for (const JobId id : ids ? *ids : std::vector<JobId>()) {
        const std::string job = cluster.job(id).name;
        note(job, act(cluster.job(id)));
      }
    } else {
      const auto id = job_named(context, name);
      note(name, id ? act(cluster.job(*id)) : Status(id.error()));
    }
  }
  if (std::any_of(reply.jobs.begin(), reply.jobs.end(), [](const auto& one) { return one.done; }))
    return Reply(std::move(reply));
  std::vector<std::string> reasons;
  for (const auto& one : reply.jobs) reasons.push_back(one.reason);
  return Error{join(reasons, "\n")};
}

}  // namespace maui
