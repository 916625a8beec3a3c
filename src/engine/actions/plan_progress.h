// Records how far a plan has been carried out.  Decisions after preemptions wait until these have
// been answered; a job does not start on nodes whose preemption was refused.
#pragma once
#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "maui/plan.h"

namespace maui {

class PlanProgress {
 public:
  void begin() {
    next_ = 0;
    refused_.clear();
  }
  /// Takes the next decision that can be carried out now, or nullptr.
  const Decision* take(const Plan& plan) {
    return can_go_on(plan) ? &plan.decisions[next_++] : nullptr;
  }
  /// True if the next decision can be carried out now.
  bool can_go_on(const Plan& plan) const {
    return !done(plan) &&
           (preempting_ == 0 || std::holds_alternative<PreemptJob>(plan.decisions[next_]));
  }
  /// Returns the start of the job among the decisions that have not been taken, or nullptr.
  const StartJob* start_of(const Plan& plan, JobId job) const {
    for (std::size_t i = next_; i < plan.decisions.size(); ++i)
      if (const auto* start = std::get_if<StartJob>(&plan.decisions[i]); start && start->job == job)
        return start;
    return nullptr;
  }
  bool done(const Plan& plan) const { return next_ >= plan.decisions.size(); }

  void preemption_asked() { ++preempting_; }
  /// Returns true if this was the last outstanding answer.
  bool preemption_answered() { return --preempting_ == 0; }
  /// The victims of this preemptor keep their nodes.
  void note_refused(JobId preemptor) { refused_.push_back(preemptor); }
  bool any_refused() const { return !refused_.empty(); }
  bool refused(JobId preemptor) const {
    return std::find(refused_.begin(), refused_.end(), preemptor) != refused_.end();
  }

 private:
  std::size_t next_ = 0;
  int preempting_ = 0;  // preemptions that have not been answered
  std::vector<JobId> refused_;
};

}  // namespace maui
