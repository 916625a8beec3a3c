#include "cmd/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "cmd/facts/reply_values.h"

namespace maui {
namespace {

constexpr char kFlag[] = "dry-run";

/// A start beyond the forecast: later than all forecast starts, but earlier than never.
constexpr Time kBeyond = kForever - Seconds(1);

/// The daemon for a command that is only tried: a change of the configuration affects the engine of
/// the trial only.
class TrialServer final : public ServerControl {
 public:
  TrialServer(ServerControl& real, Engine& engine) : real_(real), engine_(engine) {}

  const Configuration& configuration() const override {
    return changed_ ? *changed_ : real_.configuration();
  }
  Result<Configuration> with_parameter(std::string_view parameter,
                                       const std::vector<std::string>& values) const override {
    return real_.with_parameter(parameter, values);
  }
  Result<Reread> reread(std::vector<Diagnostic>& diagnostics) const override {
    return real_.reread(diagnostics);
  }
  Status change_parameter(std::string_view parameter,
                          const std::vector<std::string>& values) override {
    auto next = real_.with_parameter(parameter, values);
    if (!next) return next.error();
    adopt(*std::move(next));
    return Done{};
  }
  Status reload() override {
    std::vector<Diagnostic> diagnostics;
    auto next = real_.reread(diagnostics);
    if (!next) return next.error();
    awaiting_restart_ = std::move(next->awaiting_restart);
    adopt(std::move(next->configuration));
    return Done{};
  }
  std::vector<std::string> awaiting_restart() const override { return awaiting_restart_; }
  std::optional<int> log_level() const override { return real_.log_level(); }
  ServiceReply service() const override { return real_.service(); }
  void shut_down() override {}
  bool has_lease() const override { return real_.has_lease(); }
  std::optional<std::string> unaccepted_loss() const override { return real_.unaccepted_loss(); }
  std::shared_ptr<history::HistoryReader> history() const override { return real_.history(); }
  std::vector<history::Wait> waits_of(const Job& job) const override { return real_.waits_of(job); }
  void wake() override {}

 private:
  void adopt(Configuration next) {
    Settings settings = next.settings();
    settings.server.mode = engine_.settings().server.mode;  // as set by the daemon
    changed_ = std::move(next);
    engine_.set_settings(std::move(settings));
  }

  ServerControl& real_;
  Engine& engine_;
  std::optional<Configuration> changed_;
  std::vector<std::string> awaiting_restart_;
};

/// Returns the start of each waiting job, indexed by job.
std::vector<Time> starts_in(const Cluster& cluster, const QueueForecast& forecast) {
  std::vector<Time> starts(cluster.job_slots(), kForever);
  for (const auto& foreseen : forecast.starts) starts[foreseen.job.index()] = foreseen.start;
  for (const JobId job : forecast.beyond) starts[job.index()] = kBeyond;
  for (const Active& line : cluster.active())
    starts[line.job.index()] = cluster.job(line.job).started;
  return starts;
}

std::int64_t shown_start(Time start) { return start == kBeyond ? kShiftBeyond : raw(start); }

void count(std::map<std::string, ShiftSummary>& sums, const std::string& name, Time before,
           Time after) {
  if (name.empty()) return;
  ShiftSummary& sum = sums[name];
  sum.name = name;
  ++sum.jobs;
  ++(after < before ? sum.earlier : sum.later);
  if (before < kBeyond && after < kBeyond) {
    ++sum.measured;
    sum.shift += (after - before).raw();
  }
}

std::vector<ShiftSummary> listed(const std::map<std::string, ShiftSummary>& sums) {
  std::vector<ShiftSummary> list;
  for (const auto& [name, sum] : sums) list.push_back(sum);
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.jobs > b.jobs; });
  return list;
}

template <class Id>
std::string name_of(const Names<Id>& names, Id id) {
  return id.valid() ? names[id] : std::string();
}

}  // namespace

bool is_dry_run(const CommandRequest& request) { return request.has(kFlag); }

Status check_dry_run(const CommandSpec& spec, const CommandRequest& request) {
  for (const auto& [key, value] : request.flags)
    if (const Flag* flag = find_flag(spec, key);
        flag != nullptr && flag->looks && flag->name != kFlag)
      return Error{fmt::format("{}: -{} changes nothing and cannot be combined with --dry-run",
                               spec.name, key)};
  return Done{};
}

std::size_t most_foreseen(const Cluster& cluster) {
  constexpr std::size_t kLooks = 400000, kFewest = 50, kMost = 400;
  return std::clamp(kLooks / std::max<std::size_t>(1, cluster.nodes().size()), kFewest, kMost);
}

Result<std::optional<std::size_t>> asked_foreseen(const CommandRequest& request) {
  const auto at = request.flags.find("jobs");
  if (at == request.flags.end()) return std::optional<std::size_t>();
  if (same_word(at->second, "ALL")) return std::optional(std::numeric_limits<std::size_t>::max());
  const auto count = parse_integer<std::uint32_t>(at->second);
  if (!count || *count == 0)
    return Error{fmt::format("{}: --jobs: invalid value '{}': expected a number of jobs or ALL",
                             request.command, at->second)};
  return std::optional<std::size_t>(*count);
}

DryRunner::DryRunner(const Engine& engine, ServerControl& server,
                     std::optional<std::string> only_of, std::optional<std::size_t> most)
    : with_(engine.trial()),
      server_(std::make_unique<TrialServer>(server, *with_)),
      only_of_(std::move(only_of)),
      most_(most) {}

DryRunner::~DryRunner() = default;

bool DryRunner::keep() {
  if (without_) return false;
  without_ = with_->trial();
  return true;
}

bool DryRunner::step() {
  const auto begin = [this](Engine& engine) {
    engine.settle_trial();
    forecaster_.emplace(engine.counted(), engine.settings(), engine.now(),
                        before_.complete() ? most_.value_or(most_foreseen(engine.counted()))
                                           : before_.starts.size());
  };
  const auto take = [this](QueueForecast& into) {
    into = forecaster_->forecast();
    forecaster_.reset();
  };
  switch (stage_) {
    case Stage::begun:
      begin(*without_);
      stage_ = Stage::without;
      break;
    case Stage::without:
      if (forecaster_->step()) break;
      take(before_);
      stage_ = Stage::between;
      break;
    case Stage::between:
      begin(*with_);
      stage_ = Stage::with;
      break;
    case Stage::with:
      if (forecaster_->step()) break;
      take(after_);
      if (!after_.complete()) before_.shorten(after_.starts.size());
      stage_ = Stage::done;
      break;
    case Stage::done:
      break;
  }
  return stage_ != Stage::done;
}

DryRun DryRunner::result() const {
  const Cluster& before = without_->counted();
  const Cluster& after = with_->counted();
  const auto was = starts_in(before, before_), is = starts_in(after, after_);
  struct Moved {
    JobId job;
    Time before, after;
  };
  std::vector<Moved> moved;
  for (const Waiting& line : before.waiting()) {
    const Job& job = before.job(line.job);
    // A cancelled job has no start any more, which is no news.
    const bool there = after.job(line.job).id.valid() && after.job(line.job).arrival == job.arrival;
    const bool seen = !only_of_ || name_of(before.users, job.credentials.user) == only_of_;
    if (seen && there && was[line.job.index()] != is[line.job.index()])
      moved.push_back({line.job, was[line.job.index()], is[line.job.index()]});
  }
  std::stable_sort(moved.begin(), moved.end(), [](const Moved& a, const Moved& b) {
    return a.after - a.before > b.after - b.before;
  });
  // A job that could never start, as it is held, is counted only if it could now.
  const auto could_never = std::count_if(
      moved.begin(), moved.end(), [](const Moved& shift) { return shift.before >= kForever; });
  DryRun found{raw(with_->now()),
               static_cast<std::int64_t>(before_.starts.size()) + could_never,
               before_.complete(),
               {},
               {},
               {}};
  std::map<std::string, ShiftSummary> users, accounts;
  for (const Moved& shift : moved) {
    const Job& job = before.job(shift.job);
    const auto user = name_of(before.users, job.credentials.user);
    const auto account = name_of(before.accounts, job.credentials.account);
    found.shifts.push_back(
        {job.name, shown_start(shift.before), shown_start(shift.after), user, account});
    count(users, user, shift.before, shift.after);
    count(accounts, account, shift.before, shift.after);
  }
  found.users = listed(users);
  found.accounts = listed(accounts);
  return found;
}

void DryRunner::complete(Reply& reply) const {
  std::visit(
      [this](auto& body) {
        if constexpr (requires { body.dry_run; }) body.dry_run = result();
      },
      reply);
}

}  // namespace maui
