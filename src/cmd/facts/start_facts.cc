#include "cmd/facts/start_facts.h"

#include <fmt/format.h>

#include <optional>

#include "base/duration.h"
#include "base/text.h"
#include "cmd/facts/reply_values.h"
#include "sched/limits/limit_forecast.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/lack.h"

namespace maui {
namespace {

/// Returns the limit that the job would exceed even if nothing else ran.
std::optional<Violation> never_allowed(const Cluster& cluster, const Settings& settings, Time now,
                                       const Job& job) {
  const Request& request = cluster.request(job.request);
  Throttling throttling(cluster, settings, now);
  if (auto too_much = throttling.asks_too_much(job)) return too_much;
  LimitForecast limits(cluster, throttling, now);
  if (limits.first_allowed(job, request, now) < kForever) return std::nullopt;
  return throttling.violated(job, request, Strictness::hard);
}

}  // namespace

StartReply start_reply(const Cluster& cluster, Time now, const Forecast& forecast,
                       std::int64_t procs, Seconds limit) {
  StartReply reply;
  reply.now = now.raw();
  reply.procs = procs;
  reply.limit = raw(limit);
  reply.start = raw(forecast.start);
  reply.completion = raw(forecast.start + limit);
  reply.partition = cluster.partitions[forecast.partition];
  return reply;
}

std::string size_words(const Request& request) {
  return fmt::format("{} for {}", counted(request.total_procs(), "proc"),
                     format_duration(request.limit));
}

Error no_start(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
               const StartWording& words) {
  const Request& request = cluster.request(job.request);
  const auto never = words.job + " can never start" + words.here + ": ";
  const auto not_now = words.job + " cannot start" + words.here;
  if (const auto limit = never_allowed(cluster, settings, now, job))
    return Error{fmt::format("{}it {}", never, describe(cluster, *limit))};
  if (!ever_feasible(cluster, job, request))
    return Error{never + words.asks + lack_of(cluster, request)};
  if (const auto confined = reservations_for(cluster, settings, job, request, now);
      !confined.empty())
    return Error{fmt::format("{}: it may run only inside reservations, and {}", not_now, confined)};
  auto why = missing_nodes(cluster, settings, job);
  if (why.empty()) why = endless_reservations(cluster, settings, now, job);
  return Error{fmt::format("{} as things are: {}{}", not_now, words.asks,
                           why.empty() ? "no partition has room for it" : why)};
}

}  // namespace maui
