// showstart: the earliest start of a job, or of a request that could be submitted.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/date.h"
#include "base/duration.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts/expectations.h"
#include "cmd/facts/job_script.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/requested_start.h"
#include "cmd/facts/start_facts.h"
#include "cmd/facts/suspension.h"
#include "cmd/operands.h"
#include "model/manager_features.h"
#include "model/placement.h"
#include "sched/limits/violation.h"
#include "sched/priority/eligibility.h"
#include "sched/priority/priority.h"
#include "sched/query/explain.h"
#include "sched/query/reason_words.h"
#include "sched/query/relief.h"
#include "sched/selection.h"

namespace maui {
namespace {

/// Says when a suspended job can go on.
Answer resumption_of_job(const Context& context, const Job& job) {
  const Cluster& cluster = context.cluster();
  const Suspension suspension = suspension_of(cluster, context.settings(), context.now(), job);
  if (suspension.resumes >= kForever)
    return Error{fmt::format("job '{}' {}", job.name,
                             sees_all_of(context, job)
                                 ? suspension.words
                                 : "is suspended, and no time is known at which it resumes")};
  const Request& request = cluster.request(job.request);
  StartReply reply =
      start_reply(cluster, context.now(),
                  {suspension.resumes, job.placement, partition_of(cluster, job.placement)},
                  request.total_procs(), request.limit);
  reply.job = job.name;
  reply.resumes = true;
  reply.completion = raw(suspension.resumes + job.time_left);
  return Reply(std::move(reply));
}

/// Notes what the start rests on if the job needs nodes that are down: nobody knows their return.
void note_missing_nodes(const Context& context, const Job& job, StartReply& reply) {
  const Cluster& cluster = context.cluster();
  const auto missing = missing_nodes(cluster, context.settings(), job);
  if (missing.empty()) return;
  Explanation why;
  why.reason = Reason::nodes_down;
  reply.limited_by = reason_words(why.reason);
  if (!sees_all_of(context, job)) return;
  reply.limited_by += ": " + missing;
  reply.lifted_by =
      relief_of(cluster, context.settings(), context.now(), job, why, std::nullopt).what;
}

/// Returns what keeps a waiting job from being considered, other than its start date.
Reason reason_besides_date(const Context& context, const Job& job) {
  const Reason why =
      why_not_considered(context.cluster(), context.settings(), context.now(), job.id);
  if (why != Reason::start_date) return why;
  return job.dependencies_met() ? Reason::none : Reason::dependency;
}

/// Adds what the forecast leaves out, in checkjob's words.
void note_what_is_not_counted(StartReply& reply, const Context& context, const Job& job) {
  if (!job.waiting()) return;
  const Cluster& cluster = context.cluster();
  Explanation why;
  why.reason = reason_besides_date(context, job);
  const auto limit = why.reason == Reason::none ? limit_on(cluster, context.settings(),
                                                           context.now(), job.id, Strictness::hard)
                                                : std::nullopt;
  if (why.reason == Reason::none && !(limit && limit->idle)) return;
  if (!sees_all_of(context, job)) {
    reply.not_counted = "what only its owner and administrators see (checkjob)";
    return;
  }
  if (limit) {
    reply.not_counted = "it " + describe(cluster, *limit);
    return;
  }
  const Eligibility eligibility(cluster, context.settings(), context.now());
  reply.not_counted = detailed_reason(eligibility, cluster, job, why.reason);
  reply.lifted_by =
      relief_of(cluster, context.settings(), context.now(), job, why, std::nullopt).what;
}

Answer start_of_job(const Context& context, JobId id) {
  const Cluster& cluster = context.cluster();
  const Job& job = cluster.job(id);
  if (job.suspended()) return resumption_of_job(context, job);
  const Request& request = cluster.request(job.request);
  std::optional<Forecast> forecast;
  if (job.active())
    forecast = Forecast{job.started, job.placement, partition_of(cluster, job.placement)};
  else
    forecast = earliest_start(cluster, context.settings(), context.now(), id);
  if (!forecast && !sees_all_of(context, job))
    return Error{fmt::format("job '{}' cannot start as things are", job.name)};
  if (!forecast)
    return no_start(cluster, context.settings(), context.now(), job,
                    {fmt::format("job '{}'", job.name), "",
                     fmt::format("it requires {}, and ", size_words(request))});
  StartReply reply =
      start_reply(cluster, context.now(), *forecast, request.total_procs(), request.limit);
  reply.job = job.name;
  if (job.active()) reply.completion = raw(job.ends);
  if (job.waiting()) note_missing_nodes(context, job, reply);
  note_what_is_not_counted(reply, context, job);
  expect_start(context, id);
  reply.promised_start = raw(promised_start(context, job));
  return Reply(std::move(reply));
}

/// Returns the request as a job of each manager: as it is if there is only one, or if it names one.
std::vector<JobReport> with_managers(const Cluster& cluster, JobReport report) {
  const auto named = [](const std::vector<std::string>& features) {
    return std::any_of(features.begin(), features.end(), [](const std::string& feature) {
      return feature.starts_with(kManagerPrefix);
    });
  };
  const auto managers = manager_features(cluster);
  if (managers.empty() || std::any_of(report.features.begin(), report.features.end(), named))
    return {std::move(report)};
  std::vector<JobReport> reports(managers.size(), report);
  for (std::size_t i = 0; i < managers.size(); ++i)
    bind_to_manager(reports[i], cluster.features[managers[i]]);
  return reports;
}

/// Submits the request as a job to a copy of the engine.
Answer start_of_request(const Context& context, JobReport report,
                        std::vector<std::string> unknown) {
  constexpr char kName[] = "(to be submitted)";  // no real job has blanks in its name
  report.name = kName;
  report.user = context.request.user;
  if (report.group.empty()) report.group = context.request.group;
  report.job.submitted = context.now();
  if (report.request.limit <= Seconds(0))
    report.request.limit = context.settings().default_wall_time;
  auto start = std::make_unique<RequestedStart>(context.engine.trial(),
                                                with_managers(context.cluster(), std::move(report)),
                                                std::move(unknown));
  if (const Job& job = start->first_job(); job.holds != 0)
    return Error{fmt::format("such a job would be held: {}", job.hold_reason->text)};
  context.follow_up = std::move(start);
  return Reply(StartReply());
}

/// PROCS@DURATION: that many tasks of one processor each.
Result<JobReport> report_of(std::string_view procs_text, std::string_view duration_text, Time now) {
  const auto procs = parse_integer<int>(procs_text);
  if (!procs || *procs <= 0)
    return Error{
        fmt::format("invalid PROCS '{}': expected a number of processors from 1 to {} before '@'",
                    procs_text, std::numeric_limits<int>::max())};
  const auto limit = parse_duration_ahead(duration_text, now);
  if (!limit) return limit.error();
  if (limit->raw() <= 0)
    return Error{fmt::format("invalid DURATION '{}': expected a duration above zero after '@'",
                             duration_text)};
  JobReport report;
  report.request.requirements.front().tasks = *procs;
  report.request.limit = *limit;
  return report;
}

}  // namespace

Answer showstart(const Context& context) {
  const auto& operands = context.request.operands;
  if (context.has("script") == !operands.empty())
    return Error{"showstart: expected JOB, PROCS@DURATION or --script"};
  if (context.has("script")) {
    auto script = read_job_script(context.value("script"), most_hosts(context.cluster()));
    if (!script) return Error{"--script: " + script.error().what};
    const Seconds limit = script->asked.request.limit;
    if (const auto end = time_ahead(format_duration(limit), context.now(), limit); !end)
      return Error{"--script: " + end.error().what};
    return start_of_request(context, std::move(script->asked), std::move(script->unknown));
  }
  const std::string& what = operands.front();
  const auto id = job_named(context, what);
  if (id) return start_of_job(context, *id);
  const auto at = what.find('@');
  if (at == std::string::npos) return id.error();
  auto report = report_of(std::string_view(what).substr(0, at),
                          std::string_view(what).substr(at + 1), context.now());
  if (!report) return report.error();
  return start_of_request(context, *std::move(report), {});
}

}  // namespace maui
