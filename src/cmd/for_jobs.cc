#include "cmd/for_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cmd/access.h"
#include "cmd/operands.h"

namespace maui {
Status may_act_on(const Context& context, const Job& job, std::string_view what) {
  if (is_admin(context, 2) || owns(context, job)) return Done{};
  return Error{fmt::format("user {} is not authorized to {} job '{}'", context.request.user, what,
                           job.name)};
}

Status may_change_holds(const Context& context, std::uint8_t holds) {
  if (is_admin(context, 2) || holds == static_cast<std::uint8_t>(Hold::user)) return Done{};
  return Error{fmt::format("user '{}' may set and release user holds (-u) of his own jobs only",
                           context.request.user)};
}

Status may_change_holds(const Context& context, const Job& job, std::uint8_t holds,
                        std::string_view what) {
  if (auto may = may_act_on(context, job, what); !may) return may;
  return may_change_holds(context, holds);
}

namespace {

struct Changed {
  CommandResult result;
  std::string note = {};
};

template <class Act>
Answer change_each(const Context& context, JobsReply reply, const std::vector<std::string>& names,
                   const Act& act) {
  const Cluster& cluster = context.cluster();
  reply.command = context.request.command;
  for (const auto& name : names) {
    const auto id = job_named(context, name);
    const auto [result, note] = id ? act(cluster.job(*id)) : Changed{id.error()};
    context.awaited.add(name, result);
    reply.jobs.push_back({name, result.has_value(), result ? note : result.error().what});
  }
  if (std::any_of(reply.jobs.begin(), reply.jobs.end(),
                  [](const auto& outcome) { return outcome.done; }))
    return Reply(std::move(reply));
  std::vector<std::string> reasons;
  for (const auto& outcome : reply.jobs) reasons.push_back(outcome.reason);
  return Error{join(reasons, "\n")};
}

}  // namespace

Answer for_jobs(const Context& context, JobsReply reply, const std::vector<std::string>& names,
                const JobChange& act) {
  return change_each(context, std::move(reply), names,
                     [&act](const Job& job) { return Changed{act(job)}; });
}

Answer for_jobs(const Context& context, JobsReply reply, const std::vector<std::string>& names,
                const NotedJobChange& act) {
  return change_each(context, std::move(reply), names, [&act](const Job& job) {
    const auto noted = act(job);
    return noted ? Changed{Done{}, *noted} : Changed{noted.error()};
  });
}

}  // namespace maui
