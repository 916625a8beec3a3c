// The shell of the iteration (guide 3.3.1): poll, apply, plan, carry out, account.
//
// The engine owns the cluster's state and the settings, asks the resource
// manager, has the core plan, carries the plan out and keeps statistics.  It
// knows neither sockets nor files nor whose clock it runs on: the daemon feeds
// it and listens to it, the simulator's clock is the only difference between a
// simulation and the real thing.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/accounts/ended_jobs.h"
#include "engine/accounts/reservation_use.h"
#include "engine/accounts/statistics.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/engine_observer.h"
#include "engine/planner.h"
#include "engine/stop_rule.h"
#include "maui/allocation_manager.h"
#include "maui/clock.h"
#include "maui/cluster.h"
#include "maui/local_policies.h"
#include "maui/node_selector.h"
#include "maui/plan.h"
#include "maui/resource_manager.h"
#include "maui/result.h"
#include "maui/rm_record.h"
#include "maui/settings.h"

namespace maui {

class FeasibleRequests;
struct EngineParts;

class Engine {
 public:
  /// `selector` chooses nodes where the policy is LOCAL; it outlives the engine.
  Engine(Settings settings, std::unique_ptr<ResourceManager> rm, const Clock& clock,
         EngineObserver& observer, Planner planner = {}, NodeSelector* selector = nullptr);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// One whole iteration: `done` is called when the resource manager has answered and the plan is
  /// carried out.  Requires that no iteration is under way.
  void iterate(std::function<void()> done);
  bool iterating() const;

  // --- what commands and the daemon may see ----------------------------------
  Time now() const;
  /// With priorities and node use brought up to date, which takes a walk over queue
  /// and nodes when an iteration lies between: for those who look, not for every iteration.
  const Cluster& cluster() const;
  /// The same without that walk: for its counts.
  const Cluster& counted() const;
  /// The requests of waiting jobs that can ever be served, as found out for those who look.
  FeasibleRequests& feasible_requests() const;
  const Settings& settings() const;
  const Plan& plan() const;                                           // of the last iteration
  ReservationUses::Use use_of(const Reservation& reservation) const;  // until the last accounting
  const Statistics& statistics() const;  // to date, what active jobs have used included
  /// The same without a walk over active jobs: without what these have used.
  const Statistics& statistics_of_ended() const;
  const FairshareHistory& fairshare() const;       // who has used how much
  const std::deque<EndedJob>& ended_jobs() const;  // of late
  std::string_view resource_manager() const;       // what it is called
  std::vector<RmRecord> rm_records() const;        // how it has answered, or each of several
  /// Names those that have reported nothing since the start: their nodes and jobs are not known.
  std::vector<std::string> managers_not_heard() const;
  /// Attributes that the resource manager reports and the scheduler does not go by.
  std::vector<UnusedAttribute> unused_attributes(JobId id) const;
  std::vector<UnusedAttribute> unused_attributes(NodeId id) const;
  std::int64_t iteration() const;  // the last one done; -1 before the first
  Time started_at() const;         // by the scheduler's clock
  bool trace_exhausted() const;    // a simulation has nothing left to submit
  /// Nothing left to submit, nothing active, and nothing waiting but what is held: a simulation may
  /// end (SIMAUTOSHUTDOWN).  Costs nothing, unless only waiting jobs are left.
  bool finished() const;
  /// The next moment at which an iteration has something to do: the resource manager's next event,
  /// a reservation's boundary or a job's start date.
  Time next_event() const;
  /// When time alone changes what is decided, if that is before `before`: sched/changes_ahead.h,
  /// sched/priority/order_ahead.h, and windows of fairshare.
  Time next_change(Time before) const;
  /// No job has come, begun, ended or been held for so long that everything that recurs has done
  /// so, and nothing else is ahead: what waits now waits for ever.
  bool at_rest() const;
  StopRule& stop_rule();
  const StopRule& stop_rule() const;

  // --- what commands may do; each says why not -------------------------------
  void set_settings(Settings settings);  // takes effect at the next iteration
  /// The clock was set by so much since it was asked last, forward or back; not in an iteration.
  void clock_stepped(Seconds by);
  void reset_statistics();
  /// Takes over the use from before this scheduler started; before the first iteration.
  void begin_fairshare(FairshareHistory known);
  /// Learns how long a job ran of which nothing else is known any more; oldest first.
  void learn(const JobTraits& job, Seconds run, Time ended);
  void forget_learned();
  /// Somebody was told when the waiting job is expected to start, and when by limits alone.
  void note_shown_start(JobId job, Time expected, Time by_limits);
  const RunTimeLearning& learning() const;  // what is expected of jobs
  /// Sets the allocation manager, which is asked before a job starts and told what it has cost.  It
  /// outlives the engine.
  void charge_with(AllocationManager& manager);
  /// Sets the site's own policies, which are asked in each iteration.  They outlive the engine.
  void consult_with(LocalPolicies& policies);
  /// Requests that the allocation manager has not taken yet, oldest first; each iteration sends
  /// them again.
  std::vector<AllocationRequest> charges_due() const;
  /// The state from which another scheduler can go on, should this one end now.
  Checkpoint checkpoint() const;
  /// Goes on where it was; before the first iteration.
  /// `clock_set`: by how much the machine's clock was set since.
  void restore(Checkpoint checkpoint, Seconds clock_set = Seconds(0));
  /// A waiting job ends at once, an active one when the resource manager says so.
  Status cancel_job(JobId job);
  /// Starts an idle job now (runjob).  `nodes`: only these; `force`: in spite of policies;
  /// `ignore_reservations`: of reservations, too.
  struct RunOptions {
    std::vector<NodeId> nodes;
    PartitionId partition;
    bool force = false, ignore_reservations = false;
  };
  Status run_job(JobId job, const RunOptions& options);
  /// An active job leaves its nodes; a suspended one may be requeued.
  Status preempt_job(JobId job, Preemption how);
  Status resume_job(JobId job);
  /// Gives a waiting job another wallclock limit.
  Status set_limit(JobId job, Seconds limit);
  /// Takes a node into service (idle), or out of it (drained, down).
  Status set_node_state(NodeId node, NodeState state);
  Status set_holds(JobId job, std::uint8_t holds);
  Status set_system_priority(JobId job, SystemPriority priority);
  Status set_qos(JobId job, QosId qos);
  /// One without a name is called after the first that it is for, else SYSTEM, and a number (guide
  /// G, showres).
  Result<ReservationId> add_reservation(Reservation reservation);
  Status release_reservation(ReservationId reservation);
  // --- what they would do -----------------------------------------------------
  /// A copy, as of now, on which commands can be tried: its clock stands still, what it asks of
  /// resource managers is done at once, and nobody hears of anything.
  std::unique_ptr<Engine> trial() const;
  /// Does what the next iteration does before it plans: jobs that were cancelled have ended,
  /// fairshare, reservations and what is expected of jobs are as the settings have them.  Requires
  /// that this is a trial.
  void settle_trial();
  /// Takes in a job as if its resource manager had reported it, and returns it; an invalid id where
  /// the name is taken.  Requires that this is a trial.
  JobId submit_to_trial(JobReport report);

  /// The id of a credential named by an administrator, known to any job or not.
  Cluster& names();  // for interning only

 private:
  explicit Engine(std::unique_ptr<EngineParts> parts);

  std::unique_ptr<EngineParts> parts_;
};

}  // namespace maui
