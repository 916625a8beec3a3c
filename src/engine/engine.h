// The engine runs iterations (guide 3.3.1): poll, apply, plan, carry out, account.
//
// The engine owns the cluster's state and the settings, polls the resource
// manager, lets the core plan, carries the plan out and keeps statistics.  It
// depends on no sockets, no files and no particular clock: the daemon calls it
// and observes it, and only the clock distinguishes a simulation from
// production.
#pragma once
#include <cstddef>
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
#include "engine/command_result.h"
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
struct PendingRestore;

class Engine {
 public:
  /// `selector` chooses nodes if the policy is LOCAL; it must outlive the engine.
  Engine(Settings settings, std::unique_ptr<ResourceManager> rm, Clock& clock,
         EngineObserver& observer, Planner planner = {}, NodeSelector* selector = nullptr);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Runs one iteration, and calls `done` when the resource manager has answered and the plan has
  /// been carried out.  Requires that no iteration is under way.
  void iterate(std::function<void()> done);
  bool iterating() const;

  // --- queries for commands and the daemon -----------------------------------
  Time now() const;
  /// Returns the cluster with priorities and node use up to date.  The first call after an
  /// iteration walks over queue and nodes; use it for queries, not in every iteration.
  const Cluster& cluster() const;
  /// Returns the cluster without that walk.  Enough for its counts.
  const Cluster& counted() const;
  /// Returns which requests of waiting jobs are feasible, as determined for queries so far.
  FeasibleRequests& feasible_requests() const;
  const Settings& settings() const;
  const Plan& plan() const;                                           // of the last iteration
  ReservationUses::Use use_of(const Reservation& reservation) const;  // until the last accounting
  const Statistics& statistics() const;  // to date, with the use of active jobs
  /// Returns the statistics without a walk over active jobs, and so without their use.
  const Statistics& statistics_of_ended() const;
  const FairshareHistory& fairshare() const;       // use by credential
  std::size_t unreported_fairshare() const;        // as FairshareLedger::unreported()
  const std::deque<EndedJob>& ended_jobs() const;  // recently
  std::string_view resource_manager() const;       // its name
  std::vector<RmRecord> rm_records() const;        // of each resource manager: how it has answered
  /// Returns the resource managers that have not reported since the start: their nodes and jobs are
  /// unknown.
  std::vector<std::string> managers_not_heard() const;
  /// Returns the parts of the checkpoint whose jobs and nodes have not been reported yet.
  const PendingRestore& not_restored_yet() const;
  /// Returns attributes that the resource manager reports and that the scheduler does not use.
  std::vector<UnusedAttribute> unused_attributes(JobId id) const;
  std::vector<UnusedAttribute> unused_attributes(NodeId id) const;
  std::int64_t iteration() const;  // the last completed one; -1 before the first
  Time started_at() const;         // by the scheduler's clock
  /// True if no job will be submitted or is active, and all waiting jobs are held for good, are not
  /// feasible or have unmet dependencies: a simulation may then end (SIMAUTOSHUTDOWN).  Cheap if
  /// any other job is left.
  bool finished() const;
  /// Returns the next time at which an iteration has something to do: the resource manager's next
  /// event, a reservation's boundary or a job's start date.
  Time next_event() const;
  /// Returns when the passage of time alone changes a decision, if that is before `before`:
  /// sched/changes_ahead.h, sched/priority/order_ahead.h, and fairshare windows.
  Time next_change(Time before) const;
  /// True if jobs have neither arrived, started, ended nor been held for longer than any recurring
  /// event takes to recur, and nothing else is ahead: jobs that wait now will wait for ever.
  bool at_rest() const;
  StopRule& stop_rule();
  const StopRule& stop_rule() const;

  // --- changes by commands; each result gives the reason of a failure ---------
  void set_settings(Settings settings);  // takes effect at the next iteration
  /// Applies a step of the clock by `by` since the last call.  Requires that no iteration runs.
  void clock_stepped(Seconds by);
  /// Returns the start of the job's last run by the steady clock (RunSpan); kForever: it has none.
  Time steady_start(const Job& job) const;
  void reset_statistics();
  /// Adopts the use from before this scheduler started.  Call it before the first iteration.
  void begin_fairshare(FairshareHistory known);
  /// Learns the run time of a job of which nothing else is known any more; requires oldest first.
  void learn(const JobTraits& job, Seconds run, Time ended);
  void forget_learned();
  /// Notes the start that a client was shown for a waiting job: as expected, and by limits alone.
  void note_shown_start(JobId job, Time expected, Time by_limits);
  const RunTimeLearning& learning() const;  // expected run times of jobs
  /// Sets the allocation manager, which approves each job before its start and charges for it
  /// afterwards.  It must outlive the engine.
  void charge_with(AllocationManager& manager);
  /// Sets the site's own policies, which each iteration consults.  They must outlive the engine.
  void consult_with(LocalPolicies& policies);
  /// Returns requests that the allocation manager has not taken yet, oldest first; each iteration
  /// sends them again.
  std::vector<AllocationRequest> charges_due() const;
  /// Charges for what chargeable reservations have left idle until now.  Requires that no other
  /// scheduler goes on from here: at the end of a simulation.
  void charge_until_end();
  /// Returns the state from which another scheduler could continue if this one ended now.
  Checkpoint checkpoint() const;
  /// Returns the same without jobs, which it passes to `take_job` one by one.
  using TakeJob = std::function<void(const CheckpointedJob& job)>;
  Checkpoint checkpoint(const TakeJob& take_job) const;
  /// Continues from a checkpoint.  Call it before the first iteration.
  /// `clock_set`: by how much the machine's clock was set since the checkpoint.
  void restore(Checkpoint checkpoint, Seconds clock_set = Seconds(0));
  /// Cancels a job: a waiting one at once, an active one when the resource manager reports its end.
  CommandResult cancel_job(JobId job);
  /// True if some resource manager has not answered a request that a command led to.
  bool awaits_answers() const;
  /// Starts an idle job now (runjob).
  struct RunOptions {
    std::vector<NodeId> nodes = {};    // empty: any
    PartitionId partition = {};        // invalid: any
    bool force = false;                // despite limits, fairshare caps and holds of its own (-f)
    bool ignore_reservations = false;  // and despite reservations and the job's conditions (-x)
  };
  CommandResult run_job(JobId job, const RunOptions& options);
  /// Takes an active job off its nodes as `how` says; also a suspended job, unless `how` is
  /// suspend.
  CommandResult preempt_job(JobId job, Preemption how);
  CommandResult resume_job(JobId job);
  /// Changes the wallclock limit of a job, unless its resource manager refuses.
  CommandResult set_limit(JobId job, Seconds limit);
  /// Takes a node into service (idle), or out of it (drained, down).
  CommandResult set_node_state(NodeId node, NodeState state, const std::string& user = {});
  /// Places and releases holds of the job's own.  Returns a remark if the job was held for what it
  /// asks for and is now free to start without that.  If the resource manager, too, has placed a
  /// hold that is to be released, returns a remark about it, or an error if there is nothing else
  /// to do.
  Result<std::string> change_holds(JobId job, std::uint8_t placed, std::uint8_t released);
  Status set_system_priority(JobId job, SystemPriority priority);
  Status set_qos(JobId job, QosId qos);
  /// Adds a reservation.  If it has no name, it is named after the first entry of its access list,
  /// or else SYSTEM, with a number appended (guide G, showres).
  Result<ReservationId> add_reservation(Reservation reservation);
  Status release_reservation(ReservationId reservation);
  // --- trials of commands -----------------------------------------------------
  /// Returns a copy, as of now, on which commands can be tried: its clock stands still, its
  /// resource manager agrees to every request at once, and nobody is notified.
  std::unique_ptr<Engine> trial() const;
  /// Does what the next iteration does before it plans: ends cancelled jobs, and brings fairshare,
  /// reservations and expected run times up to date with the settings.  Requires that this is a
  /// trial.
  void settle_trial();
  /// Adds a job as if its resource manager had reported it, and returns its id; an invalid id if
  /// the name is taken.  Requires that this is a trial.
  JobId submit_to_trial(JobReport report);

  /// Returns the names of the cluster, to intern those that files and administrators mention.
  ClusterNames& names();

 private:
  explicit Engine(std::unique_ptr<EngineParts> parts);

  std::unique_ptr<EngineParts> parts_;
};

}  // namespace maui
