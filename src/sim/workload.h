// The jobs that a simulation submits: those of a trace, in order of submission.
//
// A workload keeps compact records; the full description of a job is made when
// it is submitted, since most of a large log never stands in the queue at once.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

/// Somebody submits a job so long after an earlier one has ended.
struct Feedback {
  std::string preceding;
  Seconds think{0};
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::size_t size() const = 0;
  /// When job `index` was submitted; never less than that of the job before it.
  virtual Time submitted(std::size_t index) const = 0;
  virtual JobReport job(std::size_t index) const = 0;
  /// If it is not submitted at a time of its own.  The other job stands before it.
  virtual std::optional<Feedback> feedback(std::size_t) const { return std::nullopt; }
  /// How its run ended: completed or removed.
  virtual JobState final_state(std::size_t index) const = 0;
};

}  // namespace maui
