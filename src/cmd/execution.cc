#include "cmd/execution.h"

#include <fmt/format.h>

#include <new>

#include "cmd/access.h"
#include "cmd/outcomes.h"

namespace maui {
namespace {

/// Returns the index of the first job operand, if the command is executed once for each job.
std::optional<std::size_t> first_job(const CommandRequest& request) {
  const auto* spec = find_command(request.command);
  if (spec == nullptr || spec->jobs_from < 0) return std::nullopt;
  if (only_looks(request) && !is_dry_run(request)) return std::nullopt;
  return static_cast<std::size_t>(spec->jobs_from);
}

}  // namespace

std::optional<Reply> Execution::go_on(const std::function<bool()>& enough) {
  try {
    do step();
    while (!reply_ && !waits_ && !enough());
    return std::exchange(reply_, std::nullopt);
  } catch (const std::bad_alloc&) {
    if (acted_) throw HalfDone();
    throw;
  }
}

Reply Execution::act() {
  acted_ = !only_looks(request_);
  Reply reply = run_command(context());
  changed_ = changed_ || (acted_ && !std::holds_alternative<Refusal>(reply));
  return reply;
}

void Execution::step() {
  const Cluster& cluster = context().cluster();
  if (follow_up_)
    follow_up();
  else if (!begun_ && is_dry_run(request_) && !dry_run_)
    begin_dry_run();
  else if (!begun_ && dry_run_ && dry_run_->keep())
    return;
  else if (!std::exchange(begun_, true))
    begin();
  else if (!expressions_.empty() && tried_ < cluster.job_slots())
    match(cluster.job(JobId(tried_++)));
  else if (acted_on_ < jobs_.size())
    act(jobs_[acted_on_++]);
  else if (waits_ = awaited_->any(); waits_)
    return;
  else if (nodes_reply_)
    conclude_corrected(*std::move(nodes_reply_), &NodesModifiedReply::nodes);
  else
    finish();
}

/// Refuses a user without the right to the command before anything is copied.
void Execution::begin_dry_run() {
  const CommandSpec* const spec = find_command(request_.command);
  Status right = spec == nullptr ? Status(Done{}) : check_access(context(), *spec);
  if (right && spec != nullptr) right = check_request(*spec, request_);
  if (right && spec != nullptr) right = check_dry_run(*spec, request_);
  const auto most = asked_foreseen(request_);
  if (right && !most) right = most.error();
  if (!right) {
    reply_ = Refusal{right.error().what};
  } else if (spec == nullptr) {
    reply_ = run_command(context());
  } else {
    dry_run_ = std::make_unique<DryRunner>(
        engine_, server_, is_admin(context(), 3) ? std::nullopt : std::optional(request_.user),
        *most);
  }
}

void Execution::conclude(Reply reply) {
  if (!dry_run_ || std::holds_alternative<Refusal>(reply)) {
    reply_ = std::move(reply);
    return;
  }
  incomplete_ = std::move(reply);
  follow_up_ = std::move(dry_run_);
}

void Execution::begin() {
  const auto first = first_job(request_);
  if (!first) {
    Reply reply = act();
    if (follow_up_)
      incomplete_ = std::move(reply);
    else if (auto* nodes = std::get_if<NodesModifiedReply>(&reply))
      nodes_reply_ = std::move(*nodes);
    else
      conclude(std::move(reply));
    return;
  }
  const CommandSpec& spec = *find_command(request_.command);
  Status right = check_access(context(), spec);
  if (right) right = check_request(spec, request_);
  if (right)
    list_jobs(*first);
  else
    reply_ = Refusal{right.error().what};
}

void Execution::list_jobs(std::size_t first) {
  std::set<std::string_view> seen;
  for (std::size_t i = first; i < request_.operands.size(); ++i) {
    const std::string& operand = request_.operands[i];
    if (!operand.starts_with("x:")) {
      add_job(operand);
    } else if (!seen.insert(operand).second) {
      continue;
    } else if (operand.size() == 2) {
      note(operand, "x: must be followed by an expression; x:. selects every job");
    } else if (expressions_.size() == kMostExpressions) {
      note(operand, fmt::format("more than {} expressions in one command", kMostExpressions));
    } else if (auto pattern = NamePattern::of(std::string_view(operand).substr(2)); !pattern) {
      note(operand, "x: " + pattern.error().what);
    } else {
      expressions_.push_back({operand, *std::move(pattern)});
    }
  }
  request_.operands.resize(first + 1);
}

void Execution::match(const Job& job) {
  if (!job.id.valid() || !(is_admin(context(), 2) || owns(context(), job))) return;
  for (Expression& expression : expressions_) {
    if (!expression.pattern.in(job.name)) continue;
    expression.matched = true;
    add_job(job.name);
  }
}

void Execution::act(const std::string& job) {
  request_.operands.back() = job;
  Reply reply = act();
  if (const auto* refusal = std::get_if<Refusal>(&reply)) return note(job, refusal->reason);
  auto& done = std::get<JobsReply>(reply);
  jobs_reply_.jobs.insert(jobs_reply_.jobs.end(), done.jobs.begin(), done.jobs.end());
  done.jobs = std::move(jobs_reply_.jobs);
  jobs_reply_ = std::move(done);
}

template <class R>
void Execution::conclude_corrected(R reply, std::vector<Outcome> R::*outcomes) {
  awaited_->correct(reply.*outcomes);
  if (const Status some = something_done(reply.*outcomes); !some)
    reply_ = Refusal{some.error().what};
  else
    conclude(std::move(reply));
}

void Execution::finish() {
  for (const Expression& expression : expressions_)
    if (!expression.matched)
      note(expression.operand, fmt::format("no job of yours matches '{}'", expression.operand));
  conclude_corrected(std::move(jobs_reply_), &JobsReply::jobs);
}

void Execution::follow_up() {
  if (follow_up_->step()) return;
  follow_up_->complete(*incomplete_);
  follow_up_.reset();
  reply_ = std::move(incomplete_);
}

void Execution::add_job(const std::string& name) {
  if (named_.insert(name).second) jobs_.push_back(name);
}

void Execution::note(const std::string& name, const std::string& reason) {
  jobs_reply_.jobs.push_back({name, false, reason});
}

}  // namespace maui
