#include <fmt/format.h>

#include <algorithm>

#include "daemon/simulation.h"
#include "daemon/world.h"
#include "sim/simulator.h"

namespace maui {
namespace {

// Of the problems of a trace, so many are told one by one.
constexpr std::size_t kProblemsShown = 10;

class SimulatedWorld final : public World {
 public:
  explicit SimulatedWorld(std::unique_ptr<Simulator> simulator)
      : clock_(simulator->start_time()), simulator_(std::move(simulator)) {}

  const Clock& clock() const override { return clock_; }
  std::unique_ptr<ResourceManager> take_manager() override { return std::move(simulator_); }
  std::unique_ptr<Driver> drive(Engine& engine) override {
    return std::make_unique<SimulationDriver>(engine, clock_);
  }

 private:
  VirtualClock clock_;
  std::unique_ptr<Simulator> simulator_;
};

}  // namespace

Result<std::unique_ptr<World>> open_simulation(const Settings& settings, const std::string& home,
                                               const WorldLog& log) {
  TraceSummary summary;
  auto simulator = Simulator::open(settings, home, summary);
  const auto shown = std::min(summary.problems.size(), kProblemsShown);
  for (std::size_t i = 0; i < shown; ++i) log(0, "fSIM", "WARNING: " + summary.problems[i]);
  if (summary.bad_lines > 0)
    log(0, "fSIM",
        fmt::format("WARNING: {} bad lines in the traces were skipped", summary.bad_lines));
  if (!simulator) return simulator.error();
  log(1, "fSIM",
      fmt::format("{} nodes, {} jobs ({} skipped)", summary.nodes, summary.jobs,
                  summary.skipped_jobs));
  return std::unique_ptr<World>(std::make_unique<SimulatedWorld>(*std::move(simulator)));
}

}  // namespace maui
