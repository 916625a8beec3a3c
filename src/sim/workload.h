// The jobs that a simulation submits: those of a trace, in order of submission.
//
// A workload keeps compact records; the full description of a job is made only at its submission,
// because most jobs of a large log are never in the queue at the same time.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

/// A user submits a job `think` after the end of the job `preceding`.
struct Feedback {
  std::string preceding;
  Seconds think{0};
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::size_t size() const = 0;
  /// Returns when job `index` was submitted; never earlier than the job before it.
  virtual Time submitted(std::size_t index) const = 0;
  virtual JobReport job(std::size_t index) const = 0;
  /// Returns the job's feedback if its submission depends on another job, which precedes it.
  virtual std::optional<Feedback> feedback(std::size_t) const { return std::nullopt; }
  /// Returns the names of the nodes on which the job ran; empty: not recorded.
  virtual std::vector<std::string> hosts(std::size_t) const { return {}; }
  /// Returns how the job ended: completed or removed.
  virtual JobState final_state(std::size_t index) const = 0;
};

}  // namespace maui
