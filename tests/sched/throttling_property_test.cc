// Random limits on random clusters that live for a while, with a slow counter beside.
//
// The counter adds up, for each limit by itself, what the active jobs it is about use; it shares
// nothing with sched/throttling but the settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/per_second.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::describe;
using test::kNow;
using test::Mixture;
using test::PerSecond;
using test::RandomCluster;
using test::rounds;

/// Returns what a job uses, or would use, of any kind, from the guide's words.
double amount(const Cluster& cluster, const Job& job, LimitKind kind, Time now) {
  const Request& request = cluster.request(job.request);
  const Time limit_end =
      job.started + job.suspended_time + cluster.limit_on(request, job.placement);
  const Seconds left = std::max(Seconds(0), std::min(job.ends, limit_end) - now);
  const double seconds = static_cast<double>((job.active() ? left : request.limit).raw());
  std::set<NodeId> nodes;
  for (const NodeTasks& share : job.placement) nodes.insert(share.node);
  double memory = 0;
  for (const Requirement& requirement : request.requirements)
    memory += static_cast<double>(requirement.per_task.memory()) * requirement.tasks;
  switch (kind) {
    case LimitKind::job:
      return 1;
    case LimitKind::proc:
      return request.total_procs();
    case LimitKind::ps:
      return request.total_procs() * seconds;
    case LimitKind::wc:
      return seconds;
    case LimitKind::mem:
      return memory;
    case LimitKind::node:
      return static_cast<double>(nodes.size());
    case LimitKind::pe:
      break;
  }
  return 0;
}

/// One limit, written down twice: for the program and for the counter.
struct Rule {
  LimitKind kind = LimitKind::job;
  std::string user, group;  // whose jobs; empty: anybody's.  Both: the user's in the group
  Limit limit;
  bool about(const Cluster& cluster, const Job& job) const {
    return (user.empty() || cluster.users[job.credentials.user] == user) &&
           (group.empty() || cluster.groups[job.credentials.group] == group);
  }
  void put(Settings& settings) const {
    const auto at = static_cast<std::size_t>(kind);
    if (!user.empty() && !group.empty())
      settings.groups[group].limits.cross.push_back(
          {kind, false, CredentialKind::user, user, limit});
    else if (!user.empty())
      settings.users[user].limits.active[at] = limit;
    else if (!group.empty())
      settings.groups[group].limits.active[at] = limit;
    else
      settings.system.limits.active[at] = limit;
  }
};

/// Returns what a run that is unconfirmed uses.
double amount(const UnconfirmedRun& run, LimitKind kind, Time now) {
  const double seconds = static_cast<double>(std::max(run.ends - now, Seconds(0)).raw());
  const Requirement& only = run.request.requirements.front();
  const double procs = only.tasks * only.per_task.procs();
  switch (kind) {
    case LimitKind::proc:
      return procs;
    case LimitKind::ps:
      return procs * seconds;
    case LimitKind::wc:
      return seconds;
    case LimitKind::mem:
      return static_cast<double>(only.per_task.memory()) * only.tasks;
    case LimitKind::node:
      return run.nodes;
    default:
      return 1;
  }
}

Job owned_like(const UnconfirmedRun& run) {
  Job job;
  job.credentials = run.credentials;
  return job;
}

double used_unseen(const Cluster& cluster, const Rule& rule, Time now) {
  double sum = 0;
  for (const auto& [name, run] : cluster.unconfirmed_runs())
    if (rule.about(cluster, owned_like(run))) sum += amount(run, rule.kind, now);
  return sum;
}

double used(const Cluster& cluster, const Rule& rule, Time now) {
  double sum = used_unseen(cluster, rule, now);
  for (const Active& line : cluster.active())
    if (const Job& job = cluster.job(line.job); rule.about(cluster, job))
      sum += amount(cluster, job, rule.kind, now);
  return sum;
}

std::vector<Rule> some_rules(RandomCluster& world) {
  constexpr std::array kKinds{LimitKind::job, LimitKind::proc, LimitKind::ps,
                              LimitKind::wc,  LimitKind::node, LimitKind::mem};
  std::vector<Rule> rules;
  const auto& users = world.cluster.users.all();
  const auto& groups = world.cluster.groups.all();
  for (int count = 1 + world.below(4); count > 0; --count) {
    Rule rule;
    rule.kind = kKinds[static_cast<std::size_t>(world.below(6))];
    if (!world.one_in(4))
      rule.user = users[static_cast<std::size_t>(world.below(static_cast<int>(users.size())))];
    if (world.one_in(3) && !groups.empty())
      rule.group = groups[static_cast<std::size_t>(world.below(static_cast<int>(groups.size())))];
    const bool again = std::any_of(rules.begin(), rules.end(), [&](const Rule& other) {
      return other.kind == rule.kind && other.user == rule.user && other.group == rule.group;
    });
    if (again) continue;
    const int unit = rule.kind == LimitKind::mem  ? 100
                     : rule.kind == LimitKind::ps ? 20
                     : rule.kind == LimitKind::wc ? 8
                                                  : 1;
    rule.limit.hard = (1 + world.below(6)) * unit;
    rule.limit.soft =
        world.one_in(2) ? rule.limit.hard : 1 + world.below(static_cast<int>(rule.limit.hard));
    rules.push_back(rule);
  }
  return rules;
}

/// Returns what a run to `end` counts at that time.
double amount_at(const Cluster& cluster, const Job& job, LimitKind kind, Time end, Time when) {
  const Request& request = cluster.request(job.request);
  if (job.active())
    end =
        std::min(end, job.started + job.suspended_time + cluster.limit_on(request, job.placement));
  const auto left = static_cast<double>(std::max(end - when, Seconds(0)).raw());
  if (kind == LimitKind::wc) return left;
  if (kind == LimitKind::ps) return request.total_procs() * left;
  // How many nodes a job would be on is not known.
  if (kind == LimitKind::node && !job.active()) return request.total_tasks();
  return amount(cluster, job, kind, when);
}

/// Where the job would run from now on and a reserved one start, they and all others that run then
/// would pass a limit of both.
bool spoils_a_reserved_start(const Cluster& after, const Job& job, const std::vector<Rule>& rules,
                             Time now) {
  const auto start_of = [&](const Job& other) {
    return other.active() ? now : after.reservation(other.reservation).start;
  };
  const auto end_of = [&](const Job& other) {
    if (other.active()) return other.ends;
    return (&other == &job ? now : start_of(other)) + after.request(other.request).limit;
  };
  const auto spoils = [&](const Rule& rule, Time when) {
    double sum = amount_at(after, job, rule.kind, end_of(job), when);
    const auto add = [&](const Job& other) {
      if (rule.about(after, other) && start_of(other) <= when && end_of(other) > when)
        sum += amount_at(after, other, rule.kind, end_of(other), when);
    };
    for (const Active& line : after.active()) add(after.job(line.job));
    for (const auto& [name, run] : after.unconfirmed_runs())
      if (when < std::max(run.ends, now + Seconds(1)) && rule.about(after, owned_like(run)))
        sum += amount(run, rule.kind, when);
    for (const Waiting& line : after.waiting())
      if (after.job(line.job).reservation.valid()) add(after.job(line.job));
    return sum > static_cast<double>(rule.limit.soft);
  };
  return std::any_of(after.waiting().begin(), after.waiting().end(), [&](const Waiting& line) {
    const Job& reserved = after.job(line.job);
    if (!reserved.reservation.valid() || start_of(reserved) >= end_of(job)) return false;
    return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
      return rule.about(after, job) && rule.about(after, reserved) &&
             spoils(rule, start_of(reserved));
    });
  });
}

/// Expects each job that waits though it could start to be held back by a hard limit, or by what it
/// would do to a reserved job.
void nobody_waits_for_nothing(const Cluster& after, const Plan& plan, const Settings& settings,
                              const std::vector<Rule>& rules, Time now) {
  PerSecond oracle(after, now, true);
  for (const Waiting& line : after.waiting()) {
    const Job& job = after.job(line.job);
    if (job.holds != 0 || job.reservation.valid() || job.earliest_start > now ||
        !job.alternatives.empty() || settings.backfill == BackfillPolicy::none)
      continue;
    const bool limited = std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
      // How many nodes a job would be on is not known.
      const double asks = rule.kind == LimitKind::node ? after.request(job.request).total_tasks()
                                                       : amount(after, job, rule.kind, now);
      return rule.about(after, job) &&
             used(after, rule, now) + asks > static_cast<double>(rule.limit.hard);
    });
    if (limited || spoils_a_reserved_start(after, job, rules, now)) continue;
    EXPECT_FALSE(
        oracle.fits(job, after.request(job.request), now, after.request(job.request).limit))
        << job.name << " could start\n"
        << describe(after, plan, now);
  }
}

/// Lets a run be unconfirmed from now on, or the resource manager of one answer.
void lose_or_confirm(RandomCluster& world, Time now) {
  auto runs = world.cluster.unconfirmed_runs();
  if (!runs.empty() && world.one_in(3))
    return world.cluster.forget_unconfirmed_run(std::string(runs.begin()->first));
  if (!world.one_in(3)) return;
  const Job job = world.some_job();
  Request request;
  request.requirements.front().tasks = 1 + world.below(3);
  runs[job.name] = {job.credentials, request, PartitionId(0U), 1,
                    now + Seconds(world.below(9) - 1)};
  world.cluster.set_unconfirmed_runs(std::move(runs));
}

TEST(ThrottlingProperty, NoHardLimitIsExceededAndNoJobWaitsForALimitThatItWouldMeet) {
  int held_back = 0, beyond_soft = 0;
  for (unsigned seed = 1; seed <= rounds(400) && !HasFailure(); ++seed) {
    Mixture mixture;
    mixture.access_rules = seed % 2 == 0;
    mixture.reservations = seed % 3 == 0;
    RandomCluster world(seed, mixture);
    Settings settings = world.some_settings();
    world.furnish();
    Cluster& cluster = world.cluster;
    for (const JobId id : std::vector<JobId>(cluster.jobs()))
      if (cluster.job(id).active()) cluster.end_job(id, JobState::completed, kNow);
    for (int i = 0; i < 6; ++i) world.submit(kNow);
    const auto rules = some_rules(world);
    for (const Rule& rule : rules) rule.put(settings);
    Time now = kNow;
    for (int step = 0; step < 12; ++step, now = now + Seconds(1 + world.below(3))) {
      while (!cluster.active().empty() && cluster.active().front().ends <= now) {
        const JobId id = cluster.active().front().job;
        if (seed % 5 == 0 && world.one_in(2))  // it runs past its limit
          cluster.extend_job(id, now + Seconds(1 + world.below(4)));
        else
          cluster.end_job(id, JobState::completed, now);
      }
      for (int arrivals = world.below(4); arrivals > 0; --arrivals) world.submit(now);
      if (seed % 4 == 0) lose_or_confirm(world, now);
      const Plan decided = plan(cluster, settings, now);
      // What is unconfirmed may exceed a limit by itself, or with what was started before.
      std::map<const Rule*, double> before;
      for (const Rule& rule : rules) before[&rule] = used(cluster, rule, now);
      cluster.note_reservations_planned(decided.reservations_earliest);
      test::carry_out(cluster, decided, now);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      for (const Rule& rule : rules) {
        const double sum = used(cluster, rule, now);
        EXPECT_LE(sum, std::max(static_cast<double>(rule.limit.hard), before.at(&rule)))
            << static_cast<int>(rule.kind) << " of " << rule.user << " in " << rule.group << "\n"
            << describe(cluster, decided, now);
        beyond_soft += sum > static_cast<double>(rule.limit.soft) ? 1 : 0;
      }
      nobody_waits_for_nothing(cluster, decided, settings, rules, now);
      held_back +=
          static_cast<int>(cluster.waiting().size() - decided.order.size() + decided.starts);
      ASSERT_EQ(cluster.check().value_or(""), "");
    }
  }
  EXPECT_GT(held_back, 500) << "too little happened";
  EXPECT_GT(beyond_soft, 50) << "too little happened";
}

}  // namespace
}  // namespace maui
