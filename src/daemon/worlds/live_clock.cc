#include "daemon/worlds/live_clock.h"

namespace maui {

Seconds LiveClock::set_by(Time machine, Passed at) const {
  const Seconds by = machine - since_.machine - whole_seconds(at - since_.passed);
  return std::max(by, Seconds(0) - by) > kClockAdjusted ? by : Seconds(0);
}

void LiveClock::tick() {
  const auto [machine, at] = read_together(machine_, passed_);
  const Seconds by = set_by(machine, at);
  ticked_at_ = at;
  if (by == Seconds(0)) {
    now_ = ticked_ = std::max(now_, machine);
    return;
  }
  now_ = ticked_ = machine;
  since_ = {machine, at};
  step_ += by;
  ++steps_;
}

Time LiveClock::reading() const {
  const auto [machine, at] = read_together(machine_, passed_);
  const bool was_set = set_by(machine, at) != Seconds(0);
  return std::max(now_, was_set ? ticked_ + whole_seconds(at - ticked_at_) : machine);
}

bool LiveClock::was_set() const {
  const auto [machine, at] = read_together(machine_, passed_);
  return set_by(machine, at) != Seconds(0);
}

}  // namespace maui
