// How long a checkpoint of 100,000 jobs takes, from the scheduler's state to the disk.
//
// `waiting`: nothing is worth remembering of any of them; `running`: of the 10,000 that run;
// `held`: of each of them.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "daemon/files/checkpoint_file.h"
#include "daemon/temporary_directory.h"
#include "engine/engine.h"
#include "support/scripted_rm.h"
#include "support/set_holds.h"
#include "support/silent_observer.h"

namespace maui::test {
namespace {

constexpr int kNodes = 20000, kJobs = 100000;

class Site final {
 public:
  explicit Site(int running) {
    settings_.node_access = NodeAccess::shared;
    auto manager = std::make_unique<ScriptedRm>();
    for (int i = 0; i < kNodes; ++i)
      manager->next.nodes.push_back(node_report(fmt::format("n{:05}", i), Resources(8)));
    for (int i = 0; i < kJobs; ++i) {
      JobReport job = job_report(fmt::format("{}.cluster", i), 1 + i % 8);
      job.user = fmt::format("u{}", i % 500);
      if (i < running) {
        job.job.state = JobState::running;
        job.job.started = kNow;
        for (int task = 0; task <= i % 8; ++task) job.task_list.push_back(fmt::format("n{:05}", i));
      }
      manager->next.arrived.push_back(std::move(job));
    }
    engine_ =
        std::make_unique<Engine>(settings_, std::move(manager), clock_, nobody_,
                                 [](const Cluster&, const Settings&, Time) { return Plan{}; });
    engine_->iterate([] {});
  }
  Engine& engine() { return *engine_; }
  void hold_all() {
    for (const JobId id : engine_->cluster().jobs())
      if (!set_holds(*engine_, id, static_cast<std::uint8_t>(Hold::system)))
        throw std::runtime_error("a job cannot be held");
  }

 private:
  Settings settings_;
  HandClock clock_;
  SilentObserver nobody_;
  std::unique_ptr<Engine> engine_;
};

void write(benchmark::State& state, Site& site) {
  const TemporaryDirectory home;
  CheckpointFile file(home / "maui.ck");
  std::size_t bytes = 0;
  for (auto _ : state) {
    CheckpointText text(site.engine().cluster(), file.last_size());
    const Checkpoint rest =
        site.engine().checkpoint([&](const CheckpointedJob& job) { text.add(job); });
    if (!file.write(text.finish(rest))) return state.SkipWithError("it cannot be written");
    bytes = file.last_size();
  }
  state.counters["megabytes"] = static_cast<double>(bytes) / 1e6;
}

void waiting(benchmark::State& state) {
  Site site(0);
  write(state, site);
}
void running(benchmark::State& state) {
  Site site(10000);
  write(state, site);
}
void held(benchmark::State& state) {
  Site site(0);
  site.hold_all();
  write(state, site);
}

BENCHMARK(waiting)->Unit(benchmark::kMillisecond);
BENCHMARK(running)->Unit(benchmark::kMillisecond);
BENCHMARK(held)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace maui::test
