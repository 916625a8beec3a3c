#include "daemon/worlds/live_clock.h"

namespace maui {

Seconds LiveClock::set_by(Machine machine, Passed at) const {
  return step_of(machine - at - ahead_);
}

void LiveClock::tick() {
  const auto [machine, at] = read_together(machine_, passed_);
  const Seconds by = set_by(machine, at);
  ticked_at_ = at;
  if (by == Seconds(0)) {
    now_ = ticked_ = std::max(now_, time_of(machine));
    return;
  }
  now_ = ticked_ = time_of(machine);
  ahead_ += std::chrono::seconds(by.raw());
  step_ += by;
  ++steps_;
}

Time LiveClock::reading() const {
  const auto [machine, at] = read_together(machine_, passed_);
  const bool was_set = set_by(machine, at) != Seconds(0);
  return std::max(now_, was_set ? ticked_ + whole_seconds(at - ticked_at_) : time_of(machine));
}

bool LiveClock::was_set() const {
  const auto [machine, at] = read_together(machine_, passed_);
  return set_by(machine, at) != Seconds(0);
}

}  // namespace maui
