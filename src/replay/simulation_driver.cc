#include "replay/simulation_driver.h"

#include <algorithm>

namespace maui {

Driver::State SimulationDriver::state(WallTime wall) {
  if (engine_.iteration() < 0) return State::ready;
  const auto& settings = engine_.settings().simulation;
  if (settings.exit_iteration > 0 && engine_.iteration() >= settings.exit_iteration)
    return State::ended;
  apply_stop_rule(engine_);
  const auto& rule = engine_.stop_rule();
  if (rule.stopped) {
    wall_base_.reset();
    return State::waiting;
  }
  event_ = engine_.next_event();
  if (settings.step == StepPolicy::event) event_ = std::min(event_, engine_.next_change(event_));
  if (!touched_) {
    const bool finished = engine_.finished();
    // If a pause or the end is set for an iteration, the simulation goes on to it even without
    // events.
    if (finished && settings.auto_shutdown &&
        (!rule.at_iteration || engine_.cluster().waiting().empty()))
      return State::ended;
    const bool to_exit = settings.exit_iteration > 0 && !settings.auto_shutdown;
    if (!rule.at_iteration && !to_exit && nothing_ahead(finished))
      return settings.auto_shutdown ? State::ended : State::waiting;
  }
  if (settings.time_ratio <= 0) return State::ready;
  if (!wall_base_ || ratio_ != settings.time_ratio) {
    wall_base_ = wall;
    time_base_ = clock_.now();
    ratio_ = settings.time_ratio;
  }
  const std::chrono::duration<double> ahead(static_cast<double>((next_time() - time_base_).raw()) /
                                            ratio_);
  due_ = *wall_base_ + std::chrono::duration_cast<WallTime::duration>(ahead);
  return due_ > wall ? State::later : State::ready;
}

void SimulationDriver::step() {
  if (engine_.iteration() >= 0)
    if (const Time next = next_time(); next > clock_.now()) {
      clock_.move_to(next);
      if (moved_) moved_(next);
    }
  touched_ = false;
  engine_.iterate([] {});
}

// Without events, iterations are RMPOLLINTERVAL apart; one after a change by a client happens at
// once.
Time SimulationDriver::next_time() const {
  const auto& settings = engine_.settings();
  const bool by_event = settings.simulation.step == StepPolicy::event;
  if (by_event && event_ < kForever) return std::max(event_, clock_.now());
  if (by_event && touched_) return clock_.now();
  return clock_.now() + std::max(settings.poll_interval, Seconds(1));
}

// True if no job runs and no waiting job can start unless a client changes something.
bool SimulationDriver::nothing_ahead(bool finished) const {
  if (engine_.iterating()) return false;
  return finished || (engine_.plan().starts == 0 && engine_.at_rest());
}

}  // namespace maui
