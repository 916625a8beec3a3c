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
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/cycle.h"

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
  request.access = NodeAccess::shared;
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

void measure(benchmark::State& state, const Size& size, const Settings& settings) {
  const Cluster cluster = cluster_of(size);
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
void half_idle(benchmark::State& state) {
  measure(state, kHalfIdle, settings_with(BackfillPolicy::first_fit, 1));
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
void desk(benchmark::State& state) {
  measure(state, kDesk, settings_with(BackfillPolicy::first_fit, 1));
}

BENCHMARK(goal)->Unit(benchmark::kMillisecond);
BENCHMARK(goal_deep)->Unit(benchmark::kMillisecond);
BENCHMARK(half_idle)->Unit(benchmark::kMillisecond);
BENCHMARK(small)->Unit(benchmark::kMicrosecond);
BENCHMARK(small_bestfit)->Unit(benchmark::kMicrosecond);
BENCHMARK(small_greedy)->Unit(benchmark::kMicrosecond);
BENCHMARK(desk)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace maui
