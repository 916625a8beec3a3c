// Jobs accounted in the last minutes, so that none is accounted twice: a resource manager may
// report an end again, by its own clock or after a silence.
#pragma once
#include <deque>
#include <string>
#include <unordered_map>

#include "engine/checkpoint/checkpoint.h"
#include "engine/reports/manager_contact.h"

namespace maui {

class LatelyEnded {
 public:
  void add(Checkpoint::Ended ended);
  /// Notes that the end of the job that was added last has not been reported.
  void note_given_up() { all_.back().given_up = true; }
  /// Drops jobs that no resource manager reports any more.
  void forget(const ManagerContact& managers, Time now);
  /// Shifts all times by a step of the clock.
  void shift(Seconds by);
  /// Returns the last job of that name that was submitted at about that time, or nullptr.
  const Checkpoint::Ended* find(const std::string& name, Time submitted) const;
  const std::deque<Checkpoint::Ended>& all() const { return all_; }

 private:
  std::deque<Checkpoint::Ended> all_;           // in order of accounting
  std::unordered_map<std::string, int> names_;  // how many there are of a name
};

}  // namespace maui
