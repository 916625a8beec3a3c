#include "cmd/facts/requested_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cmd/facts/reply_values.h"
#include "cmd/facts/start_facts.h"
#include "cmd/facts/verdicts.h"
#include "sched/placement/feasibility.h"
#include "sched/query/relief.h"

namespace maui {
namespace {

constexpr std::size_t kMost = 3;  // alternatives
// Parts of the request, in the order in which they are tried.
constexpr std::pair<int, int> kParts[] = {{3, 4}, {1, 2}, {1, 4}, {1, 8}, {1, 16}};

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

}  // namespace

RequestedStart::Attempt::Attempt(std::unique_ptr<Engine> copy, JobId id)
    : trial(std::move(copy)),
      job(trial->counted().job(id)),
      request(trial->counted().request(job.request)),
      questions(trial->counted(), trial->settings(), trial->now()) {}

void RequestedStart::Attempt::find_start() {
  if (job.holds == 0) forecast = questions.earliest_start(job.id);
}

/// True if its start is earlier, or is known; if neither start is, that it could ever be served.
bool RequestedStart::Attempt::better_than(const Attempt& other) const {
  if (forecast || other.forecast)
    return forecast && (!other.forecast || forecast->start < other.forecast->start);
  return possible() && !other.possible();
}

bool RequestedStart::Attempt::possible() const {
  return ever_feasible(trial->counted(), job, request);
}

RequestedStart::RequestedStart(std::unique_ptr<Engine> copy, std::vector<JobReport> reports,
                               std::vector<std::string> unknown)
    : copy_(std::move(copy)),
      reports_(std::move(reports)),
      unknown_(std::move(unknown)),
      current_(next_attempt()) {}

bool RequestedStart::step() {
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

void RequestedStart::complete(Reply& reply) const {
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

std::unique_ptr<RequestedStart::Attempt> RequestedStart::next_attempt() {
  const bool last = attempts_ + 1 == reports_.size();
  auto trial = last ? std::move(copy_) : copy_->trial();
  const JobId id = trial->submit_to_trial(std::move(reports_[attempts_++]));
  return std::make_unique<Attempt>(std::move(trial), id);
}

bool RequestedStart::find_start() {
  if (!current_) current_ = next_attempt();
  current_->find_start();
  if (!best_ || current_->better_than(*best_)) best_ = std::move(current_);
  current_.reset();
  if (attempts_ < reports_.size() && !best_->starts_now()) return true;
  stage_ = best_->forecast ? Stage::reason : Stage::never;
  if (!best_->forecast) return true;
  const Request& request = best_->request;
  found_ = start_reply(best_->trial->counted(), best_->trial->now(), *best_->forecast,
                       request.total_procs(), request.limit);
  found_.unknown = std::move(unknown_);
  return !best_->starts_now();
}

bool RequestedStart::find_why_never() {
  const Engine& trial = *best_->trial;
  why_never_ = no_start(trial.counted(), trial.settings(), trial.now(), best_->job,
                        {"a job that requires " + size_words(best_->request), " here", ""})
                   .what;
  return false;
}

bool RequestedStart::find_reason() {
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

bool RequestedStart::find_cheaper() {
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

void RequestedStart::shorter() {
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

void RequestedStart::smaller() {
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
      return nodes == 0 ? 0
                        : std::max(1, static_cast<int>(std::int64_t{nodes} * tasks / whole.tasks));
    };
    requirement.nodes = fewer(whole.nodes);
    requirement.least_nodes = std::min(fewer(whole.least_nodes), tasks);
  }
}

}  // namespace maui
