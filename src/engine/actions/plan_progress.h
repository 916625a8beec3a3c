// How far a plan has been carried out.  What stands behind preemptions waits until they have been
// answered; what was to start on nodes that were not given up does not start.
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
  /// Takes the next decision that can be carried out now, nullptr if there is none.
  const Decision* take(const Plan& plan) {
    if (done(plan)) return nullptr;
    const Decision& decision = plan.decisions[next_];
    if (preempting_ > 0 && !std::holds_alternative<PreemptJob>(decision)) return nullptr;
    ++next_;
    return &decision;
  }
  bool done(const Plan& plan) const { return next_ >= plan.decisions.size(); }

  void preemption_asked() { ++preempting_; }
  /// Returns true if it was the last one.
  bool preemption_answered() { return --preempting_ == 0; }
  /// The victims of this job stay where they are.
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

/// A job ends between two iterations: the plan shall not name what is no longer known.
void forget_in_plan(Plan& plan, JobId job);

}  // namespace maui
