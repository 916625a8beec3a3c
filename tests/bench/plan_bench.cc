// How long one call of plan() takes.
//
// The big case is that of the project's goals: 100,000 waiting jobs of 1,000
// shapes, 10,000 running, 20,000 nodes of 4 kinds.  Everything is made from a
// generator with a fixed seed, so that each run measures the same.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "learning/run_time_learning.h"
#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/cycle.h"
#include "sched/priority/fairshare.h"
#include "sched/promises.h"
#include "sched/reservations/standing.h"

namespace maui {
namespace {

constexpr Time kNow{1000000};

struct Size {
  int nodes, running, waiting, shapes;
};

/// Whole numbers below a bound, the same on every machine.
class Chance {
 public:
  int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(bound)); }

 private:
  std::mt19937 engine_{42};
};

constexpr int kKinds = 4;

void add_nodes(Cluster& cluster, int count) {
  constexpr int kProcsOf[kKinds] = {4, 8, 16, 32};
  for (int i = 0; i < count; ++i) {
    Node node;
    node.name = fmt::format("n{:05}", i + 1);
    node.reported = NodeState::idle;
    node.configured = Resources(kProcsOf[i % kKinds], 1024 * kProcsOf[i % kKinds]);
    cluster.add_node(std::move(node));
  }
}

Job job_of(Cluster& cluster, const std::string& name, int user, Time queued) {
  Job job;
  job.name = name;
  job.credentials.user = cluster.users.intern(fmt::format("u{}", user));
  job.credentials.group = cluster.groups.intern("users");
  job.submitted = job.queued = job.eligible_since = queued;
  return job;
}

Request request_of(int tasks, const Resources& each, std::int64_t limit) {
  Request request;
  request.limit = Seconds(limit);
  request.access.usual = NodeAccess::shared;
  request.requirements[0].tasks = tasks;
  request.requirements[0].per_task = each;
  return request;
}

/// Jobs that hold two whole nodes each and end at different times.
void add_running(Cluster& cluster, const Size& size, Chance& chance) {
  constexpr int kEach = 2;
  for (int i = 0; i < size.running; ++i) {
    Placement placement;
    int tasks = 0;
    for (int k = 0; k < kEach; ++k) {
      const NodeId node = cluster.nodes()[static_cast<std::size_t>(i * kEach + k)].id;
      const int procs = cluster.node(node).configured.procs();
      placement.push_back({node, procs, 0});
      tasks += procs;
    }
    const Time started = kNow - Seconds(chance.below(3600));
    const JobId id =
        cluster.add_job(job_of(cluster, fmt::format("running.{}", i), chance.below(100), started),
                        request_of(tasks, Resources(1, 512), 3601 + chance.below(86400)));
    cluster.start_job(id, std::move(placement), started);
  }
}

void add_waiting(Cluster& cluster, const Size& size, Chance& chance) {
  std::vector<Request> shapes;
  for (int i = 0; i < size.shapes; ++i)
    shapes.push_back(
        request_of(1 << chance.below(10), Resources(1, 256 << chance.below(5)), 600 + i * 60));
  for (int i = 0; i < size.waiting; ++i)
    cluster.add_job(job_of(cluster, fmt::format("waiting.{}", i), chance.below(100),
                           kNow - Seconds(size.waiting - i)),
                    shapes[static_cast<std::size_t>(chance.below(size.shapes))]);
}

Cluster cluster_of(const Size& size) {
  Cluster cluster;
  Chance chance;
  add_nodes(cluster, size.nodes);
  add_running(cluster, size, chance);
  add_waiting(cluster, size, chance);
  return cluster;
}

Settings settings_with(BackfillPolicy backfill, int depth) {
  Settings settings;
  settings.backfill = backfill;
  for (auto& stack : settings.reservation_stacks) stack.depth = depth;
  return settings;
}

// 500 users, 100 accounts, 20 QOS and 20 classes, each with a priority, limits and a fairshare
// target; all components of priority count.
constexpr int kUsers = 500, kAccounts = 100, kFew = 20;

void limit(CredentialSettings& entry, int which, double target) {
  entry.priority = which % 7;
  entry.fairshare_target = FairshareTarget{target, TargetType::target};
  entry.limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{200 + which, 400 + which};
  entry.limits.active[static_cast<std::size_t>(LimitKind::proc)] =
      Limit{20000 + which, 40000 + which};
  entry.limits.idle[static_cast<std::size_t>(LimitKind::job)] = Limit{50000, 50000};
}

Settings with_policies(Settings settings) {
  for (int i = 0; i < kUsers; ++i) limit(settings.users[fmt::format("u{}", i)], i, 0.2);
  for (int i = 0; i < kAccounts; ++i) limit(settings.accounts[fmt::format("a{}", i)], i, 1);
  for (int i = 0; i < kFew; ++i) limit(settings.qos[fmt::format("q{}", i)], i, 5);
  for (int i = 0; i < kFew; ++i) limit(settings.classes[fmt::format("c{}", i)], i, 5);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  auto& p = settings.priority;
  for (auto* part : {&p.user, &p.group, &p.account, &p.qos, &p.job_class, &p.xfactor, &p.bypass,
                     &p.proc, &p.wall_time})
    part->weight = 1;
  return settings;
}

/// The same machine, with jobs that `change(cluster, job, request)` has changed before each was
/// added.
template <class Change>
Cluster with_other_jobs(const Cluster& plain, const Change& change) {
  Cluster cluster;
  for (const Node& node : plain.nodes()) cluster.add_node(node);
  for (const JobId id : plain.jobs()) {
    Job job = plain.job(id);
    const auto placement = std::exchange(job.placement, {});
    const Time started = std::exchange(job.started, kForever);
    const bool runs = job.active();
    job.state = JobState::idle;
    job.ends = kForever;
    Request request = plain.request_of(id);
    change(cluster, job, request);
    const JobId added = cluster.add_job(std::move(job), std::move(request));
    if (runs) cluster.start_job(added, placement, started);
  }
  return cluster;
}

/// The credentials of all waiting and running jobs, and what they have used.
Cluster with_credentials(const Cluster& plain, const Settings& settings) {
  Chance chance;
  Cluster cluster = with_other_jobs(plain, [&](Cluster& made, Job& job, Request& /*request*/) {
    // A user works for two accounts, under three QOS, in four classes.
    const int user = chance.below(kUsers);
    const auto one_of = [&](int choices, int all) { return (user + chance.below(choices)) % all; };
    auto& who = job.credentials;
    who.user = made.users.intern(fmt::format("u{}", user));
    who.account = made.accounts.intern(fmt::format("a{}", one_of(2, kAccounts)));
    who.qos = made.qos.intern(fmt::format("q{}", one_of(3, kFew)));
    who.job_class = made.classes.intern(fmt::format("c{}", one_of(4, kFew)));
    who.group = made.groups.intern("users");
  });
  FairshareHistory history;
  for (const JobId id : cluster.jobs())
    record_use(history, settings.fairshare.interval, cluster.job(id).credentials, 1,
               kNow - Seconds(1 + chance.below(500000)), kNow);
  cluster.fairshare_use = effective_use(history, settings.fairshare, kNow);
  return cluster;
}

void measure(benchmark::State& state, const Cluster& cluster, const Settings& settings) {
  std::size_t starts = 0, reserves = 0;
  for (auto _ : state) {
    const Plan made = plan(cluster, settings, kNow);
    starts = made.starts;
    reserves = made.reserves;
    benchmark::DoNotOptimize(starts);
  }
  state.counters["starts"] = static_cast<double>(starts);
  state.counters["reserves"] = static_cast<double>(reserves);
}

void measure(benchmark::State& state, const Size& size, const Settings& settings) {
  measure(state, cluster_of(size), settings);
}

// 2,000 reservations of ten nodes, each for a user, in the coming weeks; every tenth is active.
constexpr int kReservations = 2000, kNodesEach = 10;

void add_reservations(Cluster& cluster, Chance& chance) {
  for (int i = 0; i < kReservations; ++i) {
    Reservation r;
    r.name = fmt::format("r.{}", i);
    r.start = i % 10 == 0 ? kNow : kNow + Seconds(3600 + chance.below(14 * 86400));
    r.end = r.start + Seconds(3600 + chance.below(86400));
    const int first = i * kNodesEach;
    for (int k = 0; k < kNodesEach; ++k)
      r.nodes.push_back({cluster.nodes()[static_cast<std::size_t>(first + k)].id, 1, 0});
    r.access.add(AccessKind::user, cluster.users.intern(fmt::format("u{}", chance.below(100))));
    cluster.add_reservation(std::move(r));
  }
}

void reserved(benchmark::State& state, const Size& size) {
  Cluster cluster = cluster_of(size);
  Chance chance;
  add_reservations(cluster, chance);
  measure(state, cluster, settings_with(BackfillPolicy::first_fit, 1));
}

// A job leaves its nodes, and comes back at once.
void restart_one(Cluster& cluster) {
  if (cluster.active().empty()) return;
  const JobId id = cluster.active().front().job;
  const Placement nodes = cluster.job(id).placement;
  cluster.requeue_job(id, kNow);
  cluster.start_job(id, nodes, kNow);
}

// Makes standing reservations, each of ten tasks that float; where all nodes are busy they find
// none, and look again where a job has left.
void refresh(benchmark::State& state, const Size& size, bool job_left) {
  Cluster cluster = cluster_of(size);
  Settings settings;
  for (int i = 0; i < kReservations; ++i) {
    auto& standing = settings.standing_reservations[fmt::format("s{}", i)];
    standing.tasks = kNodesEach;
    standing.depth = 1;
  }
  StandingPlanner planner;
  const auto round = [&] {
    const auto carry_out = [&](const std::vector<Decision>& decisions) {
      for (const Decision& one : decisions)
        if (const auto* make = std::get_if<MakeReservation>(&one))
          cluster.add_reservation(make->wanted);
    };
    carry_out(planner.obsolete(cluster, settings));
    for (const auto& index : planner.order(settings))
      carry_out(planner.refresh(cluster, settings, index, kNow));
  };
  round();
  for (auto _ : state) {
    if (job_left) restart_one(cluster);
    round();
  }
  state.counters["made"] = static_cast<double>(cluster.reservations().size());
}

// Learning, as the engine has it done: every user has had a job of each of his first shapes.
class Learning {
 public:
  Learning(Cluster& cluster, const Settings& settings) : cluster_(cluster), settings_(settings) {
    for (const JobId id : cluster.jobs()) {
      const Job& job = cluster.job(id);
      const Request& request = cluster.request(job.request);
      learning_.arrived(cluster, id);
      if (job.active()) learning_.started(cluster, settings, id);
      learning_.learn(
          {cluster.users[job.credentials.user], {}, request.total_procs(), request.limit},
          Seconds(1 + request.limit.raw() / (2 + id.index() % 9)), kNow);
    }
  }

  void refresh(Time now) { learning_.refresh(cluster_, settings_, now); }
  void planned(const Plan& plan, Time now) {
    note_promises(cluster_, plan);
    learning_.note_shorter(cluster_, plan, now);
  }
  void arrived(JobId id) { learning_.arrived(cluster_, id); }
  void started(JobId id) { learning_.started(cluster_, settings_, id); }
  void ended(JobId id) { learning_.ended(cluster_, settings_, id, true); }

 private:
  Cluster& cluster_;
  const Settings& settings_;
  RunTimeLearning learning_;
};

JobId some_active(const Cluster& cluster, Chance& chance) {
  const auto active = cluster.active();
  return active[static_cast<std::size_t>(chance.below(static_cast<int>(active.size())))].job;
}

// The load that the resource manager reports: other memory is in use on every node than before.
void change_loads(Cluster& cluster, Chance& chance) {
  for (const Node& node : cluster.nodes())
    cluster.withhold(node.id, Resources(0, 500 + chance.below(1000)), false, kNow);
}

// One iteration of a planner that is kept: since the last one a second has passed, a job has ended
// and another has come.  Each that starts does so before the next one.
void kept(benchmark::State& state, Cluster cluster, const Settings& settings, bool loads = false) {
  CyclePlanner planner;
  Learning learning(cluster, settings);
  Chance chance;
  Time now = kNow;
  std::size_t decisions = 0;
  const auto cycle = [&] {
    learning.refresh(now);
    const Plan made = planner.plan(cluster, settings, now);
    learning.planned(made, now);
    decisions += made.decisions.size();
    for (const Decision& one : made.decisions)
      if (const auto* start = std::get_if<StartJob>(&one)) {
        cluster.start_job(start->job, start->placement, now);
        learning.started(start->job);
      }
  };
  if (loads) change_loads(cluster, chance);
  cycle();
  for (auto _ : state) {
    state.PauseTiming();
    now = now + Seconds(1);
    if (loads) change_loads(cluster, chance);
    const JobId over = some_active(cluster, chance);
    cluster.end_job(over, JobState::completed, now);
    learning.ended(over);
    const JobId like = cluster.waiting().front().job;
    Job job = cluster.job(like);
    job.id = {};
    job.name = fmt::format("new.{}", now.raw());
    job.queued = job.submitted = job.eligible_since = now;
    learning.arrived(cluster.add_job(std::move(job), cluster.request_of(like)));
    state.ResumeTiming();
    cycle();
  }
  state.counters["decisions"] =
      benchmark::Counter(static_cast<double>(decisions), benchmark::Counter::kAvgIterations);
}

// A job has ended: what that lets expect of all those that wait.
void job_ends(benchmark::State& state, Cluster cluster, const Settings& settings) {
  Learning learning(cluster, settings);
  Chance chance;
  Time now = kNow;
  learning.refresh(now);
  for (auto _ : state) {
    state.PauseTiming();
    now = now + Seconds(1);
    const JobId over = some_active(cluster, chance);
    cluster.end_job(over, JobState::completed, now);
    state.ResumeTiming();
    learning.ended(over);
    learning.refresh(now);
  }
}

/// The same machine and queue, where no job asks for memory.
Cluster without_memory(const Cluster& plain) {
  return with_other_jobs(plain, [&](Cluster& made, Job& job, Request& request) {
    job.credentials.user = made.users.intern(plain.users[job.credentials.user]);
    job.credentials.group = made.groups.intern("users");
    request.requirements[0].per_task = Resources(1);
  });
}

Settings learned(LearningUse use) {
  Settings settings = settings_with(BackfillPolicy::first_fit, 1);
  settings.learning.use = use;
  if (use == LearningUse::priority) settings.priority.xfactor.weight = 1;
  return settings;
}

/// All jobs that wait are of one user.
Cluster of_one_user(Cluster cluster) {
  const std::vector<Waiting> waiting(cluster.waiting().begin(), cluster.waiting().end());
  for (const Waiting& line : waiting) {
    Job job = cluster.job(line.job);
    Request request = cluster.request_of(line.job);
    cluster.end_job(line.job, JobState::removed, kNow);
    cluster.forget_job(line.job);
    job.id = {};
    job.credentials.user = cluster.users.intern("u0");
    cluster.add_job(std::move(job), std::move(request));
  }
  return cluster;
}

constexpr Size kGoal{20000, 10000, 100000, 1000};
constexpr Size kHalfIdle{20000, 5000, 100000, 1000};
constexpr Size kSmall{192, 60, 100, 20};
constexpr Size kDesk{20, 5, 10, 5};

void goal(benchmark::State& state) {
  measure(state, kGoal, settings_with(BackfillPolicy::first_fit, 1));
}
void goal_deep(benchmark::State& state) {
  measure(state, kGoal, settings_with(BackfillPolicy::first_fit, 100));
}
void policies(benchmark::State& state, const Size& size) {
  const Settings settings = with_policies(settings_with(BackfillPolicy::first_fit, 1));
  const Cluster cluster = with_credentials(cluster_of(size), settings);
  measure(state, cluster, settings);
}
void goal_policies(benchmark::State& state) { policies(state, kGoal); }
void half_idle_policies(benchmark::State& state) { policies(state, kHalfIdle); }
void half_idle(benchmark::State& state) {
  measure(state, kHalfIdle, settings_with(BackfillPolicy::first_fit, 1));
}
void kept_half_idle(benchmark::State& state) {
  kept(state, cluster_of(kHalfIdle), settings_with(BackfillPolicy::first_fit, 1));
}
void kept_loads(benchmark::State& state) {
  kept(state, without_memory(cluster_of(kHalfIdle)), settings_with(BackfillPolicy::first_fit, 1),
       true);
}
void kept_loads_and_memory(benchmark::State& state) {
  kept(state, cluster_of(kHalfIdle), settings_with(BackfillPolicy::first_fit, 1), true);
}
void kept_none(benchmark::State& state) {
  kept(state, cluster_of(kHalfIdle), learned(LearningUse::none));
}
void kept_backfill(benchmark::State& state) {
  kept(state, cluster_of(kHalfIdle), learned(LearningUse::backfill));
}
void kept_xfactor(benchmark::State& state) {
  Settings settings = learned(LearningUse::priority);
  settings.learning.use = LearningUse::none;
  kept(state, cluster_of(kHalfIdle), settings);
}
void kept_priority(benchmark::State& state) {
  kept(state, cluster_of(kHalfIdle), learned(LearningUse::priority));
}
void job_ends_many_users(benchmark::State& state) {
  job_ends(state, cluster_of(kGoal), learned(LearningUse::priority));
}
void job_ends_one_user(benchmark::State& state) {
  job_ends(state, of_one_user(cluster_of(kGoal)), learned(LearningUse::priority));
}
void kept_policies(benchmark::State& state) {
  const Settings settings = with_policies(settings_with(BackfillPolicy::first_fit, 1));
  kept(state, with_credentials(cluster_of(kHalfIdle), settings), settings);
}
void small(benchmark::State& state) {
  measure(state, kSmall, settings_with(BackfillPolicy::first_fit, 1));
}
void small_bestfit(benchmark::State& state) {
  measure(state, kSmall, settings_with(BackfillPolicy::best_fit, 1));
}
void small_greedy(benchmark::State& state) {
  measure(state, kSmall, settings_with(BackfillPolicy::greedy, 1));
}
void goal_reserved(benchmark::State& state) { reserved(state, kGoal); }
void half_idle_reserved(benchmark::State& state) { reserved(state, kHalfIdle); }
void refresh_settled(benchmark::State& state) { refresh(state, {20000, 0, 0, 1}, true); }
void refresh_short(benchmark::State& state) { refresh(state, {20000, 5000, 0, 1}, true); }
void refresh_quiet(benchmark::State& state) { refresh(state, {20000, 5000, 0, 1}, false); }
void desk(benchmark::State& state) {
  measure(state, kDesk, settings_with(BackfillPolicy::first_fit, 1));
}

BENCHMARK(goal)->Unit(benchmark::kMillisecond);
BENCHMARK(goal_deep)->Unit(benchmark::kMillisecond);
BENCHMARK(goal_policies)->Unit(benchmark::kMillisecond);
BENCHMARK(half_idle_policies)->Unit(benchmark::kMillisecond);
BENCHMARK(half_idle)->Unit(benchmark::kMillisecond);
BENCHMARK(goal_reserved)->Unit(benchmark::kMillisecond);
BENCHMARK(half_idle_reserved)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_half_idle)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_loads)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_loads_and_memory)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_policies)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_none)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_backfill)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_xfactor)->Unit(benchmark::kMillisecond);
BENCHMARK(kept_priority)->Unit(benchmark::kMillisecond);
BENCHMARK(job_ends_many_users)->Unit(benchmark::kMillisecond)->Iterations(2000);
BENCHMARK(job_ends_one_user)->Unit(benchmark::kMillisecond)->Iterations(2000);
BENCHMARK(refresh_settled)->Unit(benchmark::kMillisecond);
BENCHMARK(refresh_short)->Unit(benchmark::kMillisecond);
BENCHMARK(refresh_quiet)->Unit(benchmark::kMillisecond);
BENCHMARK(small)->Unit(benchmark::kMicrosecond);
BENCHMARK(small_bestfit)->Unit(benchmark::kMicrosecond);
BENCHMARK(small_greedy)->Unit(benchmark::kMicrosecond);
BENCHMARK(desk)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace maui
