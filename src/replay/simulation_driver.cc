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
    // If a pause is set for an iteration, the simulation goes on to it even without events.
    if (finished && settings.auto_shutdown &&
        (!rule.at_iteration || engine_.cluster().waiting().empty()))
      return State::ended;
    if (!rule.at_iteration && nothing_ahead(finished))
      return settings.auto_shutdown ? State::ended : State::waiting;
  }
  if (settings.time_ratio <= 0) return State::ready;
  if (!wall_base_ || ratio_ != settings.time_ratio) {
    wall_base_ = wall;
    time_base_ = clock_.now();
    ratio_ = settings.time_ratio;
  }
  const auto next = next_time().value_or(clock_.now());
  const std::chrono::duration<double> ahead(static_cast<double>((next - time_base_).raw()) /
                                            ratio_);
  due_ = *wall_base_ + std::chrono::duration_cast<WallTime::duration>(ahead);
  return due_ > wall ? State::later : State::ready;
}

void SimulationDriver::step() {
  if (engine_.iteration() >= 0)
    if (const auto next = next_time()) {
      clock_.move_to(*next);
      if (moved_) moved_(*next);
    }
  touched_ = false;
  engine_.iterate([] {});
}

// Returns nullopt if no event is ahead; an iteration, if any, then happens at the current time.
std::optional<Time> SimulationDriver::next_time() const {
  const auto& settings = engine_.settings();
  if (settings.simulation.step == StepPolicy::interval)
    return clock_.now() + std::max(settings.poll_interval, Seconds(1));
  if (event_ == kForever) return std::nullopt;
  return std::max(event_, clock_.now());
}

// True if no job runs and no waiting job can start unless a client changes something.
bool SimulationDriver::nothing_ahead(bool finished) const {
  if (engine_.iterating()) return false;
  return finished || (engine_.plan().starts == 0 && engine_.at_rest());
}

}  // namespace maui
