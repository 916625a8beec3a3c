#include "cmd/for_jobs.h"

#include <fmt/format.h>

#include "cmd/access.h"
#include "cmd/operands.h"
#include "cmd/outcomes.h"

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
  if (auto some = something_done(reply.jobs); !some) return some.error();
  return Reply(std::move(reply));
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
