// showstart: the earliest start of a job, or of a request that could be submitted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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
#include "cmd/facts/suspension.h"
#include "cmd/facts/verdicts.h"
#include "cmd/operands.h"
#include "model/manager_features.h"
#include "model/placement.h"
#include "sched/limits/limit_forecast.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/lack.h"
#include "sched/priority/eligibility.h"
#include "sched/priority/priority.h"
#include "sched/query/explain.h"
#include "sched/query/reason_words.h"
#include "sched/query/relief.h"
#include "sched/selection.h"

namespace maui {
namespace {

StartReply reply_of(const Cluster& cluster, Time now, const Forecast& forecast, std::int64_t procs,
                    Seconds limit) {
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

/// How the message that no start is known names the job: "job 'a' can never start: it requires 9
/// procs, and ..." or "a job that requires 9 procs can never start here: ...".
struct Wording {
  std::string job, here, asks;
};

/// Says why no start is known for the job.
Error no_start(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
               const Wording& words) {
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

/// Says what stands in the way of a job that waits.
std::string hindrance(const JobVerdict& verdict) {
  if (!verdict.limit.empty()) return verdict.limit;
  if (verdict.reason == kInsufficientProcs)
    return fmt::format("{}: {} of {}", verdict.reason, verdict.idle_procs, verdict.needed_procs);
  if (verdict.reason == kUnmetRequirements)
    return fmt::format("{}: {} of {}", verdict.reason, verdict.feasible_procs,
                       verdict.needed_procs);
  return verdict.reason;
}

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
      reply_of(cluster, context.now(),
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
      reply_of(cluster, context.now(), *forecast, request.total_procs(), request.limit);
  reply.job = job.name;
  if (job.active()) reply.completion = raw(job.ends);
  if (job.waiting()) note_missing_nodes(context, job, reply);
  note_what_is_not_counted(reply, context, job);
  expect_start(context, id);
  reply.promised_start = raw(promised_start(context, job));
  return Reply(std::move(reply));
}

/// A request as a job in a copy of the engine that nothing else observes, and when it would start.
struct Attempt {
  Attempt(std::unique_ptr<Engine> copy, JobId id)
      : trial(std::move(copy)),
        job(trial->counted().job(id)),
        request(trial->counted().request(job.request)),
        questions(trial->counted(), trial->settings(), trial->now()) {}

  void find_start() {
    if (job.holds == 0) forecast = questions.earliest_start(job.id);
  }
  bool starts_now() const { return forecast && forecast->start <= trial->now(); }
  /// True if its start is earlier, or is known; if neither start is, that it could ever be served.
  bool better_than(const Attempt& other) const {
    if (forecast || other.forecast)
      return forecast && (!other.forecast || forecast->start < other.forecast->start);
    return possible() && !other.possible();
  }
  bool possible() const { return ever_feasible(trial->counted(), job, request); }

  const std::unique_ptr<Engine> trial;
  const Job job;
  const Request request;
  Questions questions;
  std::optional<Forecast> forecast;  // of find_start()
};

/// When a request could start: its start, why it is not now, and smaller requests that would start
/// earlier, one question per step.  With several resource managers each is tried, since a job gets
/// the nodes of one of them; the answer is that of the best.
class RequestedStart final : public FollowUp {
 public:
  /// `reports`: the request as a job of each manager that may get it, at least one.
  RequestedStart(std::unique_ptr<Engine> copy, std::vector<JobReport> reports,
                 std::vector<std::string> unknown)
      : copy_(std::move(copy)),
        reports_(std::move(reports)),
        unknown_(std::move(unknown)),
        current_(next_attempt()) {}

  /// Returns the job of the first report, before the first step.
  const Job& first_job() const { return current_->job; }

  bool step() override {
    switch (stage_) {
      case Stage::start:
        return find_start();
      case Stage::never:
        return find_why_never();
      case Stage::reason:
        return find_reason();
      case Stage::cheaper:
        return find_cheaper();
    }
    return false;
  }

  void complete(Reply& reply) const override {
    if (why_never_) {
      reply = Refusal{*why_never_};
      return;
    }
    StartReply found = found_;
    auto& alternatives = found.alternatives;
    for (const auto& best : alternatives_)
      if (!best.empty()) alternatives.push_back(best.front());
    for (const auto& best : alternatives_)
      if (best.size() > 1 && alternatives.size() < kMost) alternatives.push_back(best.back());
    reply = std::move(found);
  }

 private:
  static constexpr std::size_t kMost = 3;
  enum class Stage { start, never, reason, cheaper };
  struct Candidate {
    std::size_t kind;
    Request request;
  };

  /// Requires that a report is left.
  std::unique_ptr<Attempt> next_attempt() {
    const bool last = attempts_ + 1 == reports_.size();
    auto trial = last ? std::move(copy_) : copy_->trial();
    const JobId id = trial->submit_to_trial(std::move(reports_[attempts_++]));
    return std::make_unique<Attempt>(std::move(trial), id);
  }

  bool find_start() {
    if (!current_) current_ = next_attempt();
    current_->find_start();
    if (!best_ || current_->better_than(*best_)) best_ = std::move(current_);
    current_.reset();
    if (attempts_ < reports_.size() && !best_->starts_now()) return true;
    stage_ = best_->forecast ? Stage::reason : Stage::never;
    if (!best_->forecast) return true;
    const Request& request = best_->request;
    found_ = reply_of(best_->trial->counted(), best_->trial->now(), *best_->forecast,
                      request.total_procs(), request.limit);
    found_.unknown = std::move(unknown_);
    return !best_->starts_now();
  }

  bool find_why_never() {
    const Engine& trial = *best_->trial;
    why_never_ = no_start(trial.counted(), trial.settings(), trial.now(), best_->job,
                          {"a job that requires " + size_words(best_->request), " here", ""})
                     .what;
    return false;
  }

  bool find_reason() {
    const Cluster& cluster = best_->trial->counted();
    const Settings& settings = best_->trial->settings();
    const Time now = best_->trial->now();
    const Job& job = best_->job;
    const Explanation why = best_->questions.explain(job.id);
    found_.limited_by = hindrance(verdict_of(cluster, settings, now, job, why));
    found_.lifted_by = relief_of(cluster, settings, now, job, why, best_->forecast).what;
    shorter();
    if (best_->request.requirements.size() == 1) smaller();
    stage_ = Stage::cheaper;
    return true;
  }

  bool find_cheaper() {
    if (next_ == candidates_.size()) return false;
    if (!finder_) finder_ = best_->questions.start_finder(best_->job);
    const Candidate& candidate = candidates_[next_++];
    if (done_[candidate.kind]) return true;
    const auto found = finder_->first(best_->job, candidate.request);
    if (!found || found->start >= best_->forecast->start) return true;
    auto& best = alternatives_[candidate.kind];
    // Keeps the smallest reduction that helps, and the next one that starts still earlier.
    if (best.size() == 1 && found->start >= Time(best.front().start)) return true;
    best.push_back(
        {candidate.request.total_procs(), raw(candidate.request.limit), raw(found->start)});
    done_[candidate.kind] = found->start <= best_->trial->now() || best.size() == 2;
    return true;
  }

  void shorter() {
    if (best_->request.limit >= kUnlimited) return;
    // In whole hours or minutes, as people request them.
    const std::int64_t all = best_->request.limit.raw(), unit = all >= 7200 ? 3600 : 60;
    std::int64_t last = all;
    for (const auto& [part, of] : kParts) {
      const auto limit = all * part / of / unit * unit;
      if (limit <= 0 || limit >= last) continue;
      last = limit;
      candidates_.push_back({0, best_->request});
      candidates_.back().request.limit = Seconds(limit);
    }
  }

  void smaller() {
    const Requirement& whole = best_->request.requirements.front();
    // In whole nodes, if the request sets the tasks per node.
    const int unit = whole.tasks_per_node > 0 ? whole.tasks_per_node : 1;
    int last = whole.tasks;
    for (const auto& [part, of] : kParts) {
      const int tasks = static_cast<int>(std::int64_t{whole.tasks} * part / of / unit * unit);
      if (tasks <= 0 || tasks >= last || best_->request.host_list_use == HostListUse::all_of)
        continue;
      last = tasks;
      candidates_.push_back({1, best_->request});
      Requirement& requirement = candidates_.back().request.requirements.front();
      requirement.tasks = tasks;
      const auto fewer = [&](int nodes) {
        return nodes == 0
                   ? 0
                   : std::max(1, static_cast<int>(std::int64_t{nodes} * tasks / whole.tasks));
      };
      requirement.nodes = fewer(whole.nodes);
      requirement.least_nodes = std::min(fewer(whole.least_nodes), tasks);
    }
  }

  static constexpr std::pair<int, int> kParts[] = {{3, 4}, {1, 2}, {1, 4}, {1, 8}, {1, 16}};

  std::unique_ptr<Engine> copy_;  // none once the last report is tried
  std::vector<JobReport> reports_;
  std::size_t attempts_ = 0;  // made; reports_ of these are empty
  std::vector<std::string> unknown_;
  std::unique_ptr<Attempt> current_, best_;
  Stage stage_ = Stage::start;
  std::optional<std::string> why_never_;  // no start is known
  StartReply found_;
  std::unique_ptr<StartFinder> finder_;
  std::vector<Candidate> candidates_;
  std::size_t next_ = 0;
  std::array<bool, 2> done_{};
  std::array<std::vector<StartAlternative>, 2> alternatives_;  // shorter limit, fewer processors
};

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
