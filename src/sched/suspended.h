// When suspended jobs resume, and which resources are kept for them until then (guide 8.4).
//
// Jobs suspended for a preemptor have their nodes back before others get them.  Violators, which
// were suspended because they violated their limits, keep no nodes: all jobs that wait come first.
#pragma once
#include <cstdint>
#include <functional>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class CycleState;
class Timeline;
struct Pin;

/// The shortest suspension; it prevents jobs from being suspended and resumed in quick turns.
inline constexpr Seconds kLeastSuspension{10};

/// Returns the request of a suspended job with what is left of its limit.  It does not ask for
/// attributes of nodes: the job has its nodes.
Request rest_of(const Cluster& cluster, const Job& job);

/// Likewise of an active job.
Request rest_of_active(const Cluster& cluster, const Job& job, Time now);

/// True if the nodes of a suspended job have room for it in the cluster's current state.
bool can_resume(const Cluster& cluster, const Job& job);

/// Resumes jobs that preemptors have suspended, highest priority first.  For those that cannot
/// resume yet, keeps their nodes from the time when they can.  Serves waiting preemptors of higher
/// priority before them.
void resume_jobs(CycleState& state);

/// Resumes violators, highest priority first, where that delays no reservation.  Passes over those
/// of which `saved` is true: their nodes are saved for jobs that wait.
void resume_violators(CycleState& state, const std::function<bool(const Job&)>& saved);

/// The counterpart for forecasts: keeps in `timeline` what a cycle would keep for suspended jobs
/// from the job `from`; nothing if `from` may preempt jobs.
void keep_for_suspended(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                        const Job& from);

/// Returns when a suspended job can resume if no further job starts before; kForever if that cannot
/// be foreseen, or if the job does not resume by itself.  A violator has no nodes that are reserved
/// for waiting jobs.
Time resumption_of(const Cluster& cluster, const Settings& settings, Time now, JobId job);

/// True if a suspended job may have to wait for a priority reservation that is made anew in each
/// cycle: such reservations have what suspended jobs leave.
bool any_behind_reservations(CycleState& state);

/// While the object exists, no job is blocked by what is kept for suspended jobs up to `priority`.
class StepAside {
 public:
  StepAside(CycleState& state, std::int64_t priority);
  /// True if something is kept for suspended jobs up to `priority`.
  static bool frees_any(CycleState& state, std::int64_t priority);
  ~StepAside();
  /// Takes back that the job resumes: it may resume later.
  void wait(Pin& pin);
  /// Keeps its nodes for an active job that the plan suspends, from when it can resume.
  void keep_for(const Job& victim, std::int64_t priority);
  /// Steps aside for that job, too, whatever its priority.
  void free(JobId victim);
  /// Takes back keep_for(): the job goes on.
  void forget(JobId victim);
  StepAside(const StepAside&) = delete;
  StepAside& operator=(const StepAside&) = delete;

 private:
  CycleState& state_;
};

}  // namespace maui
