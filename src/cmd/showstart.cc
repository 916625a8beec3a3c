// showstart: the earliest start of a job, or of one that could be submitted.
#include <fmt/format.h>

#include "base/duration.h"
#include "base/text.h"
#include "cmd/facts/expectations.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"
#include "sched/limits/limit_forecast.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

StartReply reply_of(const Context& context, const Forecast& forecast, std::int64_t procs,
                    Seconds limit) {
  StartReply reply;
  reply.now = context.now().raw();
  reply.procs = procs;
  reply.limit = raw(limit);
  reply.start = raw(forecast.start);
  reply.completion = raw(forecast.start + limit);
  reply.partition = context.cluster().partitions[forecast.partition];
  return reply;
}

/// The limit that the job would pass even if nothing else ran.
std::optional<Violation> never_allowed(const Context& context, const Job& job,
                                       const Request& request) {
  Throttling throttling(context.cluster(), context.settings(), context.now());
  if (auto too_much = throttling.asks_too_much(job)) return too_much;
  LimitForecast limits(context.cluster(), throttling, context.now());
  if (limits.first_allowed(job, request, context.now()) < kForever) return std::nullopt;
  return throttling.violated(job, request, Strictness::hard);
}

Answer start_of_job(const Context& context, JobId id) {
  const Cluster& cluster = context.cluster();
  const Job& job = cluster.job(id);
  const Request& request = cluster.request(job.request);
  std::optional<Forecast> forecast;
  if (job.active())
    forecast =
        Forecast{job.started, job.placement, cluster.node(job.placement.front().node).partition};
  else
    forecast = earliest_start(cluster, context.settings(), context.now(), id);
  if (!forecast) {
    if (const auto limit = never_allowed(context, job, request))
      return Error{
          fmt::format("job '{}' can never start: it {}", job.name, describe(cluster, *limit))};
    return Error{fmt::format("job '{}' can never start: it requires {} procs for {}, and {}",
                             job.name, request.total_procs(), format_duration(request.limit),
                             ever_feasible(cluster, job, request) ? "no partition can serve it"
                                                                  : lack_of(cluster, request))};
  }
  StartReply reply = reply_of(context, *forecast, request.total_procs(), request.limit);
  reply.job = job.name;
  if (job.active()) reply.completion = raw(job.ends);
  expect_start(context, id);
  reply.promised_start = raw(promised_start(context, job));
  return Reply(std::move(reply));
}

Answer start_of_request(const Context& context, std::string_view procs_text,
                        std::string_view duration_text) {
  const auto procs = parse_integer<int>(procs_text);
  if (!procs || *procs <= 0)
    return Error{fmt::format("'{}': expected a number of processors before '@'", procs_text)};
  const auto limit = parse_duration(duration_text);
  if (!limit) return limit.error();
  if (limit->raw() <= 0)
    return Error{fmt::format("'{}': expected a duration above zero after '@'", duration_text)};
  const Cluster& cluster = context.cluster();
  Request request;
  request.requirements.front().tasks = *procs;
  request.limit = *limit;
  request.access = context.settings().node_access;
  Credentials who;
  who.user = cluster.users.find(context.request.user);
  who.group = cluster.groups.find(context.request.group);
  const auto forecast = earliest_start(cluster, context.settings(), context.now(), request, who);
  if (!forecast) {
    const bool lacking = !ever_feasible(cluster, request);
    return Error{fmt::format("a job that requires {} procs for {} can never start here{}", *procs,
                             format_duration(*limit),
                             lacking ? ": " + lack_of(cluster, request) : std::string())};
  }
  return Reply(reply_of(context, *forecast, *procs, *limit));
}

}  // namespace

Answer showstart(const Context& context) {
  const std::string& what = context.request.operands.front();
  const auto id = job_named(context, what);
  if (id) return start_of_job(context, *id);
  const auto at = what.find('@');
  if (at == std::string::npos) return id.error();
  return start_of_request(context, std::string_view(what).substr(0, at),
                          std::string_view(what).substr(at + 1));
}

}  // namespace maui
