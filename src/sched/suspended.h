// When jobs that are suspended go on, and what is kept for them until then (guide 8.4).
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

}  // namespace maui
