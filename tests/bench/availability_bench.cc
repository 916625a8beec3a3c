// How long EASY takes on the model of availability alone, as the machine grows: every job's
// processors, and the machine, times a factor.  Counting processors is there for comparison.
//
// And how long a cycle takes on a large machine: 20,000 nodes of four kinds, every second of them
// with a job, 1,000 shapes of waiting jobs in a few classes of question; at first, and after one
// job has ended.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>

#include "maui/request.h"
#include "sched/availability/availability.h"
#include "support/availability_edits.h"
#include "support/easy_schedule.h"

namespace maui::test {
namespace {

constexpr int kJobs = 28000, kProcs = 100;

void easy_on_the_model(benchmark::State& state) {
  const auto factor = static_cast<int>(state.range(0));
  const auto queue = times(some_jobs(kJobs, 42), factor);
  EasyEffort effort;
  for (auto _ : state) {
    auto jobs = queue;
    effort = easy_by_model(jobs, kProcs * factor);
    benchmark::DoNotOptimize(jobs.data());
  }
  state.counters["groups"] = static_cast<double>(effort.most_groups);
  state.counters["claims"] = static_cast<double>(effort.claims);
}
BENCHMARK(easy_on_the_model)->Arg(1)->Arg(50)->Arg(500)->Unit(benchmark::kMillisecond);

void easy_by_counting(benchmark::State& state) {
  const auto queue = some_jobs(kJobs, 42);
  for (auto _ : state) {
    auto jobs = queue;
    easy_by_count(jobs, kProcs);
    benchmark::DoNotOptimize(jobs.data());
  }
}
BENCHMARK(easy_by_counting)->Unit(benchmark::kMillisecond);

namespace av = availability;

/// 20,000 nodes, jobs on every second one, and shapes of waiting jobs, a hundred of each.
class LargeMachine {
 public:
  explicit LargeMachine(int classes) {
    constexpr int kNodes = 20000, kShapes = 1000, kProcsOf[] = {4, 8, 16, 32};
    std::vector<std::uint32_t> kinds;
    for (int i = 0; i < kNodes; ++i) {
      av::NodeKind kind;
      kind.attributes = static_cast<std::uint32_t>(i % 4);
      kind.whole = Resources(kProcsOf[i % 4], 1024 * kProcsOf[i % 4]);
      kinds.push_back(model_.tables().kind(kind));
    }
    model_.begin(kinds, Time(1000000));
    for (std::uint32_t node = 0; node < kNodes; node += 2) {
      av::Use use;
      use.end = model_.now() + Seconds(60 + below(100000));
      use.amount = model_.tables().amount(Resources(kProcsOf[node % 4]));
      use.access = NodeAccess::shared;
      active_.push_back({{NodeRuns(NodeRun{node, node + 1}), use}});
      av::hold(model_, active_.back().front().first, use);
    }
    for (int i = 0; i < kShapes; ++i) {
      const int which = i % classes;
      av::QuestionClass of;
      of.per_task = Resources(1 + which % 4, 256 * (1 + which / 4));
      of.access.usual = NodeAccess::shared;
      of.serves.assign(4, 1);
      const Seconds limit(600 + i * 60);
      shapes_.push_back({model_.class_of(of), 1 << below(10), limit, limit});
    }
    waiting_.assign(kShapes, 100);
  }

  /// Starts what fits, shape by shape; the first shape that does not has a reservation meanwhile.
  std::size_t cycle() {
    std::size_t starts = 0;
    Placed claim;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const auto& shape = shapes_[i];
      for (; waiting_[i] > 0 && model_.fits_now(shape); --waiting_[i], ++starts)
        active_.push_back(place(shape, model_.now()));
      if (waiting_[i] > 0 && claim.empty())
        claim = place(shape, *model_.earliest(shape, model_.now()));
    }
    take_back(claim);
    return starts;
  }
  void end_one() {
    std::swap(active_[static_cast<std::size_t>(below(static_cast<int>(active_.size())))],
              active_.back());
    take_back(active_.back());
    active_.pop_back();
  }
  void submit_one() { ++waiting_[static_cast<std::size_t>(below(1000))]; }
  std::size_t groups() const { return model_.groups().filled(); }

 private:
  using Placed = std::vector<std::pair<NodeRuns, av::Use>>;

  Placed place(const av::Question& shape, Time start) {
    const av::Preference preference{true, start > model_.now(), {}, false};
    Placed placed;
    for (const auto& [tasks, nodes] :
         av::nodes_by_tasks(*model_.choose(shape, start, preference))) {
      Resources amount;
      amount.add(model_.question_class(shape.of).per_task, tasks);
      av::Use use;
      use.start = start;
      use.end = start + shape.duration;
      use.amount = model_.tables().amount(amount);
      use.access = NodeAccess::shared;
      av::hold(model_, nodes, use);
      placed.emplace_back(nodes, use);
    }
    return placed;
  }
  void take_back(const Placed& placed) {
    for (const auto& [nodes, use] : placed) av::release(model_, nodes, use);
  }
  int below(int bound) {
    return static_cast<int>(static_cast<std::uint32_t>(engine_()) %
                            static_cast<std::uint32_t>(bound));
  }

  av::Availability model_;
  std::vector<Placed> active_;
  std::vector<av::Question> shapes_;
  std::vector<int> waiting_;
  std::mt19937 engine_{42};
};

void first_cycle(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    auto machine = std::make_unique<LargeMachine>(static_cast<int>(state.range(0)));
    state.ResumeTiming();
    state.counters["starts"] = static_cast<double>(machine->cycle());
    state.PauseTiming();
    state.counters["groups"] = static_cast<double>(machine->groups());
    machine.reset();
    state.ResumeTiming();
  }
}
BENCHMARK(first_cycle)->Arg(3)->Arg(37)->Unit(benchmark::kMillisecond);

void cycle_after_one_end_and_one_arrival(benchmark::State& state) {
  LargeMachine machine(static_cast<int>(state.range(0)));
  machine.cycle();
  for (auto _ : state) {
    machine.end_one();
    machine.submit_one();
    benchmark::DoNotOptimize(machine.cycle());
  }
}
BENCHMARK(cycle_after_one_end_and_one_arrival)
    ->Arg(3)
    ->Arg(37)
    ->Iterations(2000)
    ->Unit(benchmark::kMillisecond);

void cycle_in_which_nothing_changed(benchmark::State& state) {
  LargeMachine machine(static_cast<int>(state.range(0)));
  machine.cycle();
  for (auto _ : state) benchmark::DoNotOptimize(machine.cycle());
}
BENCHMARK(cycle_in_which_nothing_changed)->Arg(3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace maui::test
