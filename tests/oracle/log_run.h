// A log of the Standard Workload Format, run through engine and simulator: one iteration an event.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "maui/settings.h"
#include "sim/open_simulator.h"

namespace maui::test {

/// Notes of each job when it was submitted, started and ended, by the clock of the simulation.
class Runs : public EngineObserver {
 public:
  struct Run {
    std::int64_t submitted = 0, started = 0, ended = 0;
  };
  bool wants(int) const override { return false; }
  void log(int, std::string_view, std::string_view) override {}
  void job_ended(const Cluster& cluster, JobId id, int) override {
    const Job& job = cluster.job(id);
    of[std::stoi(job.name)] = {job.submitted.raw(), job.started.raw(), job.ended.raw()};
  }
  std::map<int, Run> of;  // by number of the job
};

inline Settings event_mode(const std::string& log) {
  Settings settings;
  settings.server.mode = ServerMode::simulation;
  settings.simulation.resource_trace = "[NONE]";
  settings.simulation.workload_trace = log;
  settings.simulation.submission = SubmissionPolicy::normal;
  settings.simulation.step = StepPolicy::event;
  settings.window_order = WindowOrder::priority;
  return settings;
}

/// RUNTIMELEARNING with the order of priority that the published policies have; by limits alone
/// (LEARN=FALSE), or by what was learned.
inline Settings learning(Settings settings, LearningUse use, bool by_limits) {
  settings.learning.use = use;
  if (use == LearningUse::priority) {
    settings.priority.queue_time.weight = 0;
    settings.priority.xfactor.weight = 1;
    settings.priority.xfactor_min_limit = Seconds(60);
  }
  if (by_limits) settings.users["DEFAULT"].learn = false;
  return settings;
}

/// Empty if all went well, else why not.  `forget`: what was learned is lost every so often.
inline std::string run_log(const Settings& settings, EngineObserver& runs,
                           Seconds forget = kUnlimited) {
  TraceSummary summary;
  auto simulator = open_simulator(settings, ".", summary);
  if (!simulator) return simulator.error().what;
  VirtualClock clock((*simulator)->start_time());
  Engine engine(settings, std::move(*simulator), clock, runs);
  Time lost = clock.now();
  for (;;) {
    if (clock.now() - lost >= forget) {
      engine.forget_learned();
      lost = clock.now();
    }
    engine.iterate([] {});
    const Time next = engine.next_event();
    if (next == kForever) return {};
    clock.move_to(std::max(next, clock.now()));
  }
}

}  // namespace maui::test
