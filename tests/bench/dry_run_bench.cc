// Costs of a dry run on a large machine: 10,000 waiting jobs, 20,000 nodes of 4 kinds, all busy.
//
// Everything is done that the daemon does from the request to the reply, in one go; the longest
// slice between two of which others are served is told beside it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cmd/execution.h"
#include "support/recording_server.h"
#include "support/scripted_rm.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

constexpr int kNodes = 20000, kKinds = 4, kRunning = 10000, kWaiting = 10000, kShapes = 1000;

class Chance {
 public:
  int below(int bound) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % static_cast<unsigned>(bound));
  }

 private:
  std::uint64_t state_ = 42;
};

/// The world of plan_bench, as resource managers report it.
class World {
 public:
  explicit World(const std::string& more) {
    server_.stand(configuration(more));
    auto manager = std::make_unique<test::ScriptedRm>();
    Update& update = manager->next;
    constexpr int kProcsOf[kKinds] = {4, 8, 16, 32};
    for (int i = 0; i < kNodes; ++i)
      update.nodes.push_back(
          test::node_report(fmt::format("n{:05}", i + 1),
                            Resources(kProcsOf[i % kKinds], 1024 * kProcsOf[i % kKinds])));
    for (int i = 0; i < kRunning; ++i) {
      auto job = report(fmt::format("running.{}", i), 3601 + chance_.below(86400));
      job.job.state = JobState::running;
      job.job.started = clock_.time - Seconds(chance_.below(3600));
      int tasks = 0;
      for (int k = 0; k < 2; ++k) {
        const int node = 2 * i + k, procs = kProcsOf[node % kKinds];
        for (int t = 0; t < procs; ++t) job.task_list.push_back(fmt::format("n{:05}", node + 1));
        tasks += procs;
      }
      job.request.requirements[0].tasks = tasks;
      job.request.requirements[0].per_task = Resources(1, 512);
      update.arrived.push_back(std::move(job));
    }
    struct Shape {
      int tasks, memory;
    };
    std::vector<Shape> shapes;
    for (int i = 0; i < kShapes; ++i)
      shapes.push_back({1 << chance_.below(10), 256 << chance_.below(5)});
    for (int i = 0; i < kWaiting; ++i) {
      const int shape = chance_.below(kShapes);
      auto job = report(fmt::format("waiting.{}", i), 600 + shape * 60);
      job.job.submitted = clock_.time - Seconds(kWaiting - i);
      job.request.requirements[0].tasks = shapes[static_cast<std::size_t>(shape)].tasks;
      job.request.requirements[0].per_task =
          Resources(1, shapes[static_cast<std::size_t>(shape)].memory);
      update.arrived.push_back(std::move(job));
    }
    engine_ = std::make_unique<Engine>(server_.configuration().settings(), std::move(manager),
                                       clock_, observer_);
    engine_->iterate([] {});
  }

  DryRun ask(const CommandRequest& request, double& longest) {
    Execution execution(*engine_, server_, request);
    for (;;) {
      const double begin = now();
      auto reply = execution.go_on([] { return true; });
      longest = std::max(longest, now() - begin);
      if (!reply) continue;
      if (const auto* made = std::get_if<ParameterReply>(&*reply)) return made->dry_run.value();
      return std::get<JobsReply>(*reply).dry_run.value();
    }
  }

 private:
  static Configuration configuration(const std::string& more) {
    std::vector<Diagnostic> diagnostics;
    return *Configuration::parse("NODEACCESSPOLICY SHARED\nADMIN1 root\n" + more, "bench",
                                 diagnostics);
  }
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }
  JobReport report(const std::string& name, std::int64_t limit) {
    JobReport job;
    job.name = name;
    job.user = fmt::format("u{}", chance_.below(100));
    job.account = fmt::format("a{}", chance_.below(20));
    job.group = "users";
    job.request.limit = Seconds(limit);
    return job;
  }

  Chance chance_;
  test::HandClock clock_;
  test::SilentObserver observer_;
  test::RecordingServer server_;
  std::unique_ptr<Engine> engine_;
};

void measure(benchmark::State& state, const std::string& more, const std::string& command,
             const std::vector<std::string>& operands) {
  World world(more);
  CommandRequest request;
  request.command = command;
  request.user = "root";
  request.flags.emplace("dry-run", "");
  request.operands = operands;
  double longest = 0;
  DryRun found;
  for (auto _ : state) found = world.ask(request, longest);
  state.counters["jobs"] = static_cast<double>(found.jobs);
  state.counters["moved"] = static_cast<double>(found.shifts.size());
  state.counters["longest_ms"] = longest;
}

void changeparam(benchmark::State& state) {
  measure(state, "", "changeparam", {"USERCFG[u1]", "PRIORITY=1000"});
}
void changeparam_policies(benchmark::State& state) {
  measure(
      state,
      "FSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 1\nUSERCFG[DEFAULT] MAXJOB=200 FSTARGET=1.0\n"
      "ACCOUNTCFG[DEFAULT] MAXPROC=40000\nXFACTORWEIGHT 1\n",
      "changeparam", {"QUEUETIMEWEIGHT", "10"});
}
void setspri(benchmark::State& state) { measure(state, "", "setspri", {"1000", "waiting.9999"}); }

BENCHMARK(changeparam)->Unit(benchmark::kMillisecond);
BENCHMARK(changeparam_policies)->Unit(benchmark::kMillisecond);
BENCHMARK(setspri)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace maui
