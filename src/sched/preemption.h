// Which jobs give up their nodes for others, and when those that are suspended
// go on (guide 8.4).
//
// A preemptor that fits nowhere takes the nodes of preemptees whose priority is
// not above its own: as few jobs as will do, and of these the ones that lose
// least.  Nothing is preempted for a job that cannot start by it at once.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class CycleState;
class Timeline;
struct Pin;

/// A suspended job does not resume earlier, lest jobs be thrown back and forth.
inline constexpr Seconds kLeastSuspension{10};

/// Is there room for a suspended job where it was, as the cluster stands?
bool can_resume(const Cluster& cluster, const Job& job);

/// Resumes suspended jobs, highest priority first, and keeps their nodes for those that cannot
/// resume yet from when they can.  Waiting preemptors of higher priority are served before them.
void resume_jobs(CycleState& state);

/// The same for those who look ahead: keeps in `timeline` what a cycle would keep for suspended
/// jobs from this one.  A preemptor may have it.
void keep_for_suspended(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                        const Job& from);

/// While it lives, what is kept for suspended jobs of no higher priority stands in nobody's way.
class StepAside {
 public:
  StepAside(CycleState& state, std::int64_t priority);
  ~StepAside();
  StepAside(const StepAside&) = delete;
  StepAside& operator=(const StepAside&) = delete;

 private:
  CycleState& state_;
  std::vector<Pin*> moved_;
};

/// Starts preemptors, in order of priority, on the nodes of the jobs that they preempt.
void preempt(CycleState& state);

}  // namespace maui
