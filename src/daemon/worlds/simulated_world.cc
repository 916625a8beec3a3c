#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/outside_text.h"
#include "base/text.h"
#include "daemon/worlds/world.h"
#include "replay/progress.h"
#include "replay/simulation_driver.h"
#include "sim/open_simulator.h"

namespace maui {
namespace {

// The number of problems in a trace that are logged individually.
constexpr std::size_t kProblemsShown = 10;

class SimulatedWorld final : public World {
 public:
  SimulatedWorld(std::unique_ptr<Simulator> simulator, std::int64_t jobs, Unused unused,
                 WorldLog log)
      : clock_(simulator->start_time()),
        simulator_(std::move(simulator)),
        source_(*simulator_),
        jobs_(jobs),
        unused_(std::move(unused)),
        log_(std::move(log)) {}

  Clock& clock() override { return clock_; }
  std::unique_ptr<ResourceManager> take_manager() override { return std::move(simulator_); }
  Unused unused_input() const override;
  void run_ended() override { progress_.clear(); }
  std::unique_ptr<Driver> drive(Engine& engine) override {
    engine_ = &engine;
    return std::make_unique<SimulationDriver>(engine, clock_, [this, &engine](Time when) {
      if (progress_.due()) progress_.show({jobs_, engine.statistics().all.jobs, when});
      if (log_.wants(7)) log_(7, "fSIM", "the clock is set to " + format_date(when, true));
    });
  }

 private:
  VirtualClock clock_;
  std::unique_ptr<Simulator> simulator_;  // until the engine takes it
  const Simulator& source_;
  const Engine* engine_ = nullptr;
  std::int64_t jobs_;  // in the workload
  Unused unused_;
  WorldLog log_;
  ProgressLine progress_;
};

/// Adds the jobs that a constant depth kept out, once the jobs in the queue wait for ever.
World::Unused SimulatedWorld::unused_input() const {
  Unused unused = unused_;
  if (engine_ == nullptr || source_.unsubmitted() == 0 || !source_.queue_full(engine_->cluster()) ||
      !(engine_->finished() || engine_->at_rest()))
    return unused;
  unused.text += fmt::format(
      "{}{} of the workload {} not submitted: the queue stayed full of jobs that could not start "
      "(SIMINITIALQUEUEDEPTH); SIMJOBSSUBMISSIONPOLICY NORMAL submits all",
      unused.text.empty() ? "" : "\n",
      counted(static_cast<std::int64_t>(source_.unsubmitted()), "job"),
      by_number(static_cast<std::int64_t>(source_.unsubmitted()), "was", "were"));
  return unused;
}

World::Unused unused_of(const TraceSummary& summary) {
  std::string text;
  if (summary.bad_lines > 0)
    text = fmt::format("{} of the traces could not be used{}; see the log",
                       counted(summary.bad_lines, "line"),
                       summary.problems.empty() ? "" : ", the first: " + summary.problems.front());
  if (summary.skipped_jobs > 0)
    text += fmt::format("{}{} of the workload did not take part", text.empty() ? "" : "\n",
                        counted(summary.skipped_jobs, "job"));
  for (const auto& [reason, skipped] : summary.skipped_because)
    text += fmt::format("\n{} {}: {}", counted(skipped.jobs, "job"), reason,
                        printable(skipped.names()));
  return {std::move(text), summary.bad_lines > 0};
}

}  // namespace

Result<std::unique_ptr<World>> open_simulation(const Settings& settings, const std::string& home,
                                               const WorldLog& log) {
  TraceSummary summary;
  auto simulator = open_simulator(settings, home, summary);
  const auto shown = std::min(summary.problems.size(), kProblemsShown);
  for (std::size_t i = 0; i < shown; ++i) log(0, "fSIM", "WARNING: " + summary.problems[i]);
  if (summary.bad_lines > 0)
    log(0, "fSIM",
        fmt::format("WARNING: {} in the traces {} skipped", counted(summary.bad_lines, "bad line"),
                    by_number(summary.bad_lines, "was", "were")));
  if (!simulator) return simulator.error();
  log(1, "fSIM",
      fmt::format("{}, {} ({} skipped)", counted(summary.nodes, "node"),
                  counted(summary.jobs, "job"), summary.skipped_jobs));
  return std::unique_ptr<World>(std::make_unique<SimulatedWorld>(
      *std::move(simulator), summary.jobs, unused_of(summary), log));
}

}  // namespace maui
