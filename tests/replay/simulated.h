// Simulations for tests: when jobs ran, by traces and settings.
#pragma once
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "daemon/temporary_directory.h"
#include "replay/simulation_driver.h"
#include "sim/open_simulator.h"
#include "support/silent_observer.h"

namespace maui::test {

/// The first and the last second of each job's last run, by name: "50 to 150".
using Runs = std::map<std::string, std::string>;

class RunObserver : public SilentObserver {
 public:
  explicit RunObserver(Time origin) : origin_(origin) {}
  void job_ended(const Cluster& cluster, JobId id, int) override {
    const Job& job = cluster.job(id);
    runs[job.name] =
        fmt::format("{} to {}", (job.started - origin_).raw(), (job.ended - origin_).raw());
  }
  Runs runs;

 private:
  Time origin_;
};

/// Runs a simulation until it ends, or for `until`.  Times count from `origin`.
inline Runs simulated(const TemporaryDirectory& home, Settings settings, StepPolicy step,
                      Seconds until = kUnlimited, Time origin = Time(0)) {
  settings.server.mode = ServerMode::simulation;
  settings.poll_interval = step == StepPolicy::event ? Seconds(60) : Seconds(1);
  settings.simulation.submission = SubmissionPolicy::normal;
  settings.simulation.step = step;
  TraceSummary summary;
  auto simulator = open_simulator(settings, home.path(), summary);
  if (!simulator) return {{"error", simulator.error().what}};
  VirtualClock clock((*simulator)->start_time());
  RunObserver observer(origin);
  Engine engine(settings, std::move(*simulator), clock, observer);
  SimulationDriver driver(engine, clock);
  const Time start = clock.now();
  int steps = 0;
  while (driver.state({}) == SimulationDriver::State::ready && ++steps < 20000) {
    const auto before = observer.runs;
    driver.step();
    if (clock.now() - start > until) return before;
  }
  if (steps == 20000) observer.runs["error"] = "it does not end";
  return observer.runs;
}

/// A job of a workload trace.
struct TracedJob {
  std::string name;
  std::string tasks = "1", limit = "100";  // of each shape
  int run = 100, submitted = 0;
  std::string user = "amy", qos = "[NONE]", comment = "[NONE]", hosts = "[NONE]";
};

inline constexpr Time kTraceBegins{1000080000};

inline std::string line_of(const TracedJob& job) {
  const auto submitted = (kTraceBegins + Seconds(job.submitted)).raw();
  return fmt::format(
      "{} 0 {} {} chem {} Completed [batch:1] {} {} {} {} [NONE] [NONE] [NONE] >= 0 >= 0 [NONE] {} "
      "{} -1 {} [NONE] [NONE] a.out {} 0 0.0 [DEFAULT] 1 0 0 0 0 0 [NONE] base {} [NONE] [NONE] "
      "[NONE] [NONE]\n",
      job.name, job.tasks, job.user, job.limit, submitted, submitted, submitted,
      submitted + job.run, submitted, job.tasks.substr(0, job.tasks.find(',')), job.qos,
      job.comment, job.hosts);
}

/// When these jobs ran on so many nodes, of two processors each, from the beginning of the trace.
inline Runs simulated(const std::vector<TracedJob>& jobs, int nodes, Settings settings,
                      StepPolicy step, Seconds until = kUnlimited) {
  const TemporaryDirectory home;
  std::ofstream machine(home / "machine"), workload(home / "workload");
  machine << "VERSION 230\n";
  for (int i = 1; i <= nodes; ++i)
    machine << fmt::format(
        "COMPUTENODE AVAILABLE 0 n{} base 1024 1024 1000 2 -1 -1 1 linux x86 [NONE] [batch:2] "
        "[NONE] 1.0 [NONE] [NONE] [NONE]\n",
        i);
  workload << "VERSION 230\n";
  for (const TracedJob& job : jobs) workload << line_of(job);
  machine.close();
  workload.close();
  settings.simulation.resource_trace = "machine";
  settings.simulation.workload_trace = "workload";
  settings.simulation.start_time = kTraceBegins;
  return simulated(home, settings, step, until, kTraceBegins);
}

}  // namespace maui::test
