// Jobs accounted in the last minutes, so that none is accounted twice: a resource manager may
// report an end again, by its own clock or after a silence.
//
// A look-up costs the same however many jobs ended; forgetting costs what is forgotten.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/reports/manager_contact.h"

namespace maui {

class LatelyEnded {
 public:
  /// Adds a job, in place of an earlier end of the same job.
  void add(Checkpoint::Ended ended);
  /// Notes that the end of the job that was added last has not been reported.
  void note_given_up() { all_.rbegin()->second.given_up = true; }
  /// Drops jobs that no resource manager reports any more.
  void forget(const ManagerContact& managers, Time now);
  /// Shifts all times by a step of the clock.
  void shift(Seconds by);
  /// Returns the job of that name and resource manager that was submitted then, or else the last
  /// one that was submitted at about that time; nullptr: there is none.
  const Checkpoint::Ended* find(const std::string& name, const std::string& manager,
                                Time submitted) const;
  /// Returns the job of that name and user that was submitted then, of a manager that is not among
  /// the `configured`: that may have got another name.  nullptr: there is none.
  const Checkpoint::Ended* find_renamed(const std::string& name, const std::string& user,
                                        Time submitted,
                                        const std::set<std::string>& configured) const;
  /// Returns all, in order of accounting.
  std::vector<Checkpoint::Ended> all() const;
  /// The number of jobs that find() and forget() have examined so far.
  std::size_t examined() const { return examined_; }

 private:
  using Number = std::uint64_t;  // in order of accounting

  void drop(Number number);

  std::map<Number, Checkpoint::Ended> all_;
  /// By name, when the job was submitted, and resource manager.
  std::map<std::tuple<std::string, Time, std::string>, Number> by_name_;
  std::unordered_map<std::string, std::set<Number>> by_manager_;
  Number last_ = 0;
  mutable std::size_t examined_ = 0;
};

}  // namespace maui
