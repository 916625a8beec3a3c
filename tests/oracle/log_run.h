// Runs a log in Standard Workload Format through engine and simulator, one iteration per event.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "maui/settings.h"
#include "sim/open_simulator.h"

namespace maui::test {

/// Records when each job was submitted, started and ended, by the clock of the simulation.
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
  std::map<int, Run> of;  // by job number
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

/// Sets RUNTIMELEARNING with the priority order of the published policies; with `by_limits`, the
/// scheduler uses limits only (LEARN=FALSE), not learned run times.
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

/// Returns an empty text, or what failed.  Learned run times are dropped every `forget`.
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
