// The cluster's state: nodes, jobs, reservations, credentials.
//
// This class holds every fact once.  Only its member functions change the facts,
// and each of them preserves the invariants below.  The class depends on no
// policy, no clock and no resource manager.
//
// Invariants (Cluster::check() verifies them; tests call it after every step):
//   * a node's free resources are its configured ones less those that occupants
//     hold and those withheld; negative only if the resource manager shrank the node
//     or jobs hold all that they asked for again after they had held less
//   * the state that a node shows follows from its reported state and its occupancy
//   * a job is in waiting() exactly while it is idle, in active() exactly while it
//     is starting or running, and in suspended() exactly while it is suspended; an
//     active job is an occupant of exactly the nodes of its placement
//   * waiting() is ordered by (queued, arrival), active() by (ends, arrival)
//   * every id stored anywhere names a live object
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/asked_amounts.h"
#include "maui/awaited_jobs.h"
#include "maui/change_log.h"
#include "maui/cluster_counts.h"
#include "maui/cluster_names.h"
#include "maui/credentials_table.h"
#include "maui/fairshare.h"
#include "maui/flat_queue.h"
#include "maui/job.h"
#include "maui/job_lines.h"
#include "maui/local_words.h"
#include "maui/node.h"
#include "maui/node_changes.h"
#include "maui/node_kinds.h"
#include "maui/occupancy.h"
#include "maui/range_sums.h"
#include "maui/request.h"
#include "maui/request_table.h"
#include "maui/reservation.h"
#include "maui/resource_totals.h"
#include "maui/result.h"
#include "maui/run_map.h"
#include "maui/run_times.h"
#include "maui/server_names.h"
#include "maui/unconfirmed_runs.h"
#include "maui/units.h"
#include "maui/waivers.h"

namespace maui {

class Cluster : public ClusterNames {
 public:
  // --- past use ------------------------------------------------------------
  /// As of the last iteration; empty if FSPOLICY is NONE.
  FairshareUse fairshare_use;
  /// As of the last iteration; empty unless RUNTIMELEARNING affects decisions.
  RunTimes run_times;

  // --- answers of the site's programs -------------------------------------
  LocalWords local_words;

  // --- the time before this scheduler --------------------------------------
  /// With several resource managers: jobs that may still be reported.
  AwaitedJobs awaited_jobs;

  // --- nodes ---------------------------------------------------------------
  /// Adds a node and assigns Node::id.  Requires a name that no node has.
  NodeId add_node(Node node);
  /// Frees a purged node's name, and its id for the next new node.  Requires that nothing refers to
  /// the node.
  void give_up_node(NodeId id);
  /// Replaces all data that the resource manager reports about a node; keeps the node's jobs.
  void update_node(NodeId id, Node node, Time now);
  void set_node_state(NodeId id, NodeState reported, Time now);
  /// Withholds `amount`, which other load uses, from jobs until the next call for this node.
  void withhold(NodeId id, Resources amount, bool closed, Time now);
  /// Sets the resources that the job holds on the node, in place of its tasks' request, until it
  /// leaves the node or until the next call (RESOURCEAVAILABILITYPOLICY UTILIZED).
  void revise_held(NodeId id, JobId job, Resources amount, Time now);
  /// True if revise_held has ever been called.
  bool held_revised() const { return held_revised_; }
  /// Returns the node's use until `now`.  Only settle_node_use() brings Node::use itself up to
  /// date, so that neither passing time nor starting and ending jobs incur a cost per node.
  NodeUse node_use(NodeId id, Time now) const;
  void settle_node_use(Time now);
  void reset_node_use(Time now);

  std::span<const Node> nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[id.index()]; }
  NodeId find_node(std::string_view name) const;
  /// The reference is valid until the next change of the cluster.
  const Occupancy& occupancy(NodeId id) const { return occupancy_[id.raw()]; }
  /// The occupancies of all nodes; neighbouring nodes with equal occupancies share one.
  const RunMap<Occupancy>& occupancies() const { return occupancy_; }
  /// The run of nodes around this one whose names are numbered consecutively.
  NodeRun series_of(NodeId id) const { return series_.run_of(id.raw()); }
  /// The state shown to users (shown_state()).
  NodeState state(NodeId id) const { return shown_[id.raw()].state; }
  /// The time from which the node has been in that state.
  Time state_since(NodeId id) const { return shown_[id.raw()].since; }
  /// Available nodes with at least one free processor and no exclusive occupant that are not
  /// closed, in the resource manager's order.
  std::span<const NodeId> open_nodes() const;
  /// The number of kinds of nodes, and an example node of a kind.  A kind that has lost its last
  /// node keeps a node of another kind as its example.
  std::uint32_t kinds() const { return kinds_.size(); }
  NodeId sample_of_kind(std::uint32_t kind) const { return kinds_.sample(kind); }
  int nodes_of_kind(std::uint32_t kind) const { return kinds_.nodes(kind); }
  /// The number of kinds whose attributes are known, with nodes or without.
  std::size_t kinds_known() const { return kinds_.known(); }
  /// Frees the kinds without nodes for reuse.  The caller must note_names_given_up().
  void give_up_kinds() { kinds_.give_up_unused(); }
  /// Grows whenever a node is added or changes in more than its state.
  std::uint64_t node_changes() const { return node_changes_; }
  /// Resources configured in a partition or, by default, everywhere; optionally of available nodes.
  ResourceTotals configured(PartitionId partition = {}, bool available_only = false) const;
  /// The partitions that have nodes, purged nodes aside, in order of id.  Jobs may name others.
  std::span<const PartitionId> partitions_with_nodes() const { return partitions_with_nodes_; }
  /// Running totals, updated with each change.
  const ClusterCounts& counts() const { return counts_; }
  /// True if placement depends on which user's jobs are on a node: some job or node requires
  /// SINGLEUSER access, or some node limits the jobs of a user.
  bool users_matter() const { return single_user_nodes_ > 0 || requests_.users_matter(); }

  // --- jobs ----------------------------------------------------------------
  /// Adds a job and assigns its id and arrival.  Requires a name that no job has, and the state
  /// idle or not_queued.
  JobId add_job(Job job, Request request);
  const Job& job(JobId id) const { return jobs_[id.index()]; }
  JobId find_job(std::string_view name) const;
  /// Returns the job named NUMBER.SERVER (PBS) if only one such job exists.
  JobId find_numbered_job(std::string_view number) const;
  /// True if `id` still identifies the job with that Job::arrival.
  bool still(JobId id, std::uint64_t arrival) const {
    return id.index() < jobs_.size() && jobs_[id.index()].id.valid() &&
           jobs_[id.index()].arrival == arrival;
  }
  /// True if the job is still known and has not been started anew since that run.
  bool is_latest(const RunKey& run) const {
    return still(run.job, run.arrival) && job(run.job).attempts == run.attempt;
  }
  const Request& request(RequestId id) const { return requests_[id]; }
  const Request& request_of(JobId id) const { return request(job(id).request); }
  std::size_t request_slots() const { return requests_.size(); }
  /// True if some job has this request.
  bool request_used(RequestId id) const { return requests_.users(id) > 0; }
  /// A serial that distinguishes successive requests with the same id.
  std::uint64_t request_serial(RequestId id) const { return requests_.serial(id); }
  /// The serial of the newest request; 0 before the first.
  std::uint64_t newest_request() const { return requests_.newest(); }
  /// The amounts that the requests of all jobs ask for.
  const AskedAmounts& asked() const { return requests_.asked(); }
  /// Returns the credentials with this id.  Equal credentials of jobs that are or have been waiting
  /// or active share one id until it is given up.
  const Credentials& credentials(CredentialsId id) const { return credentials_[id]; }
  std::size_t credentials_known() const { return credentials_.size(); }
  /// Frees each id with used[id] == 0.  Requires that no waiting or active job has one of them.
  void give_up_credentials(const std::vector<char>& used) { credentials_.give_up(used); }
  std::span<const Waiting> waiting() const { return waiting_.view(); }
  /// True if the job on this line of waiting() may run in other shapes than that of its request.
  bool has_alternatives(const Waiting& line) const {
    return line.special && !job(line.job).alternatives.empty();
  }
  /// True if some job that is not held may fit on the free processors: it asks for no more, or has
  /// several shapes.
  bool some_job_may_fit() const;
  /// The number of queue entries with equal credentials, updated with each change.
  struct QueueShare {
    std::int32_t jobs = 0, held = 0;
    friend bool operator==(const QueueShare&, const QueueShare&) = default;
  };
  QueueShare queue_share(CredentialsId id) const {
    return id.index() < queue_shares_.size() ? queue_shares_[id.index()] : QueueShare{};
  }
  std::span<const Active> active() const { return active_.view(); }
  /// An upper bound of job ids.  Ids are reused, so the bound stays near the largest number of jobs
  /// ever known at one time.
  std::size_t job_slots() const { return jobs_.size(); }
  /// All jobs known, in order of arrival: waiting, active, held, and suspended ones.
  std::vector<JobId> jobs() const;

  /// Sets why the resource manager cannot start a waiting job; empty: it can.
  void set_waits_for(JobId id, std::string what);
  /// Starts an idle job on `placement`, until now + limit.  Requires that it fits.
  /// Its priority reservation, if it has one, ends.
  void start_job(JobId id, Placement placement, Time now, bool backfilled = false);
  /// Ends an active or suspended job and frees its resources, or removes a waiting job from the
  /// queue and ends its reservation.  The job stays known until forget_job() and keeps its last
  /// placement.
  void end_job(JobId id, JobState final_state, Time now);
  /// Puts an active or suspended job back into the queue, its work lost; it keeps its submit time.
  void requeue_job(JobId id, Time now);
  /// Puts a job back into the queue that, as it turned out, has not started.
  void undo_start(JobId id, Time now);
  /// Requeues an active or suspended job that keeps the work of `kept`; its limit shrinks by that.
  void checkpoint_job(JobId id, Time now, Seconds kept);
  /// Removes an active job from its nodes; the job keeps its placement and its remaining time.
  void suspend_job(JobId id, Time now, SuspensionReason reason = {});
  /// Notes that a suspended job is now suspended by hand, so that no plan resumes it.
  void keep_suspended(JobId id);
  /// Resumes a suspended job on its nodes.  Requires that it fits.
  void resume_job(JobId id, Time now);
  /// Suspended jobs, in order of suspension.
  std::span<const JobId> suspended() const { return suspended_; }
  /// Marks a started job as starting until set_running().
  void set_starting(JobId id);
  /// Marks a starting job as running; its limit counts from `since` if that is after its start.
  void set_running(JobId id, Time since);
  /// Corrects the placement of an active job that runs on other nodes than assumed.
  void move_job(JobId id, Placement placement, Time now);
  /// Removes a job that is not active.
  void forget_job(JobId id);
  /// Moves the end of an active job to `until`, since it overruns or its limit has changed.
  void extend_job(JobId id, Time until);
  /// Shifts the run of an active or suspended job after the clock was set by `by`: by the new
  /// clock, it has run for as long as before.
  void shift_run(JobId id, Seconds by);
  /// Sets the time since the start of an active or suspended job that is no run time, and moves the
  /// end of an active one.
  void set_suspended_time(JobId id, Seconds total);
  /// Sets by how much the clock was set during the run of an active job (Job::clock_set).
  void set_clock_set(JobId id, Seconds by);
  /// Sets by how much the clock of an active job's resource manager is ahead (Job::clock_ahead).
  void set_clock_ahead(JobId id, Seconds by);
  /// Notes that the runs of the job until then are accounted.
  void set_accounted_until(JobId id, Time until) { jobs_[id.index()].accounted_until = until; }

  /// Sets the job's own holds; those that its resource manager reports remain.
  void set_own_holds(JobId id, std::uint8_t holds, HoldReason reason = {});
  /// Removes one of its own holds, and the hold reason.
  void lift_hold(JobId id, Hold hold);
  /// Sets the holds that the resource manager reports; the job's own remain.
  void set_holds_reported(JobId id, std::uint8_t holds);
  void set_failures(JobId id, JobFailures failures) { jobs_[id.index()].failures = failures; }
  /// Records a job's use.  `over`: the job uses more than it asked for.
  void set_use(JobId id, const JobUse& use, bool over, Time now);
  void set_system_priority(JobId id, SystemPriority priority);
  void set_priority(JobId id, std::int64_t priority) { jobs_[id.index()].priority = priority; }
  void set_qos(JobId id, QosId qos);
  /// Charges the job to `account` until the resource manager reports a changed account.
  void set_account(JobId id, AccountId account);
  /// Fixes the job's QOS as set by a command; no access list changes it any more.
  void keep_qos(JobId id) { jobs_[id.index()].qos_set = true; }
  void set_queued(JobId id, Time queued);
  void set_dependencies(JobId id, std::vector<Dependency> dependencies);
  /// Moves the queue times of those jobs that wait later by `by`, but not past `latest`.
  void delay_queue(std::span<const JobId> jobs, Seconds by, Time latest);
  /// Updates a waiting job with everything that its resource manager reports, except submission
  /// times; members that only the scheduler knows keep their values.
  void revise_job(JobId id, const Job& reported);
  /// Changes the limit (see Request::limit) of an active or suspended job, and its end with it.
  void set_limit(JobId id, Seconds limit);
  /// Changes how an active or suspended job shares its nodes with jobs that come later.
  void set_access(JobId id, JobAccess access, Time now);
  /// Changes the request of a job that is not active, and ends its priority reservation.
  void set_request(JobId id, Request request);
  /// Gives all shapes of the job (Job::alternatives) this limit.
  void set_limits_of_shapes(JobId id, Seconds limit);
  /// Notes that what the job asks for is, or is no longer, no reason for a hold.
  void excuse_request(JobId id, bool excused) { jobs_[id.index()].request_excused = excused; }
  void set_eligible_since(JobId id, Time when) { jobs_[id.index()].eligible_since = when; }
  void add_bypass(JobId id, std::int32_t times) { bypasses_[id.index()] += times; }
  /// The number of times that backfill has bypassed the job.
  std::int32_t bypasses(JobId id) const { return bypasses_[id.index()]; }

  /// Runs of jobs that are not known here, since no resource manager has reported them yet.  They
  /// count for limits like active jobs; on nodes they take nothing.
  const UnconfirmedRuns& unconfirmed_runs() const { return unconfirmed_runs_; }
  void set_unconfirmed_runs(UnconfirmedRuns runs) {
    unconfirmed_runs_ = std::move(runs);
    ++releases_;
  }
  /// Notes that the run of the job of that name, if it is unconfirmed, is not any more.
  void forget_unconfirmed_run(std::string_view job);

  // --- reservations --------------------------------------------------------
  Waivers waivers;

  // Active jobs have no reservations here: the nodes' occupants and active() say what they hold
  // and until when.  Job::reservation is a waiting job's priority reservation.

  /// All reservations in order of creation; active jobs have none.
  std::span<const ReservationId> reservations() const { return reservation_order_; }
  const Reservation& reservation(ReservationId id) const { return reservations_[id.index()]; }
  /// The number of reservations ever made; their serials count up from 0.
  std::uint64_t reservations_made() const { return next_serial_; }
  ReservationId find_reservation(std::string_view name) const;
  /// Adds a reservation, assigns its id and serial and, unless it is of kind job, sorts its nodes.
  /// Kind job: the priority reservation of a waiting job that has none yet, named after the job.
  /// Other kinds: requires a name that no other reservation has.
  ReservationId add_reservation(Reservation reservation);
  /// Moves a priority reservation.
  void move_reservation(ReservationId id, Time start, Placement nodes);
  /// Replaces an administrative or standing reservation by `wanted`, except for its id and order
  /// of creation.  Requires a name that no other reservation has.
  void change_reservation(ReservationId id, Reservation wanted);
  void release_reservation(ReservationId id);
  /// Returns the resources that `reservation` claims on a node where it holds `share`.
  Resources reserved_on(const Reservation& reservation, const NodeTasks& share) const;
  /// Returns how long `request` may run on `nodes`: its limit or, with USEMACHINESPEED, the limit
  /// adjusted to the slowest of these nodes.
  Seconds limit_on(const Request& request, const Placement& nodes) const;
  /// Returns the speed at which `request` runs on `nodes`: 1 or, with USEMACHINESPEED, that of the
  /// slowest of them.
  double speed_on(const Request& request, const Placement& nodes) const;
  /// Returns the limit of a job on its own nodes.
  Seconds limit_of(const Job& job) const { return limit_on(request(job.request), job.placement); }
  /// Returns when a job that runs reaches its limit; the time that it was suspended does not count.
  Time limit_end(const Job& job) const { return job.counted_start() + limit_of(job); }

  // --- changes --------------------------------------------------------------
  // Logs and counters of changes, for code that caches results and recomputes only those that a
  // change affects.

  /// Jobs that were placed on nodes or left them, or whose end, owner or state (starting, running)
  /// there changed.
  const ChangeLog<JobId>& placed_jobs() const { return placed_jobs_; }
  /// Nodes with any other change that affects planning: attributes, state, resources withheld by
  /// load, resources that jobs hold other than those they asked for, or reservations (except those
  /// of waiting jobs).
  const NodeChanges& changed_nodes() const { return changed_nodes_; }
  /// Grows whenever a reservation other than a waiting job's is made, changed or released.
  std::uint64_t reservation_changes() const { return reservation_changes_; }

  /// Counts the events that can let a job or reservation start earlier than planned: an early end,
  /// a released or changed reservation, a returned or changed node, a released hold, changed
  /// credentials or settings.  Does not
  /// count a priority reservation that a plan moves, since the plan has allowed for it.
  std::uint64_t releases() const { return releases_; }
  /// Counts the events that can give a node more room for jobs or reservations: the node is new,
  /// changed or back, a job leaves the node, a reservation on it ends or moves.
  std::uint64_t room_count() const { return roomier_.revision(); }
  /// The nodes that the events of room_count() concern.
  const NodeChanges& roomier() const { return roomier_; }
  /// Counts the jobs that left their nodes, early or as planned.
  std::uint64_t departures() const { return departures_; }
  /// Notes that a plan made or confirmed all priority reservations.  `earliest`: it showed that
  /// none of them can begin earlier (Plan::reservations_earliest).
  void note_reservations_planned(bool earliest) {
    reserved_earliest_ = earliest;
    releases_planned_ = releases_;
    departures_planned_ = departures_;
  }
  /// True if some priority reservation may begin earlier: something was released since they were
  /// planned.
  bool reservations_may_advance() const {
    return !reserved_earliest_ || releases_planned_ != releases_;
  }
  /// True if something came free, early or as planned, since nodes for priority reservations were
  /// chosen.
  bool freed_since_reserved() const {
    return reservations_may_advance() || departures_planned_ != departures_;
  }
  /// Counts a release that no other call counts, such as of a limit that settings have raised.
  void note_release() { ++releases_; }

  /// Returns why an invariant does not hold, or nullopt if all hold.
  std::optional<std::string> check() const;

 private:
  /// Gives the job another request.  The caller updates what else depends on it.
  void replace_request(Job& job, Request request);
  void enqueue(const Job& job);
  void dequeue(const Job& job);
  void count_line(const Waiting& line, int times);
  void join_holds(Job& job);
  void count_share(const Waiting& line, int times);
  void refresh_line(const Job& job);
  void activate(const Job& job);
  void deactivate(const Job& job);
  void leave_nodes(const Job& job, Time now);
  void occupy(const Job& job, Time now);
  void count_busy(NodeRun run, Time when, int sign);
  void vacate(const Job& job, Time now);
  void note_owner(const Job& job);
  std::uint32_t classify(NodeId id, std::optional<std::uint32_t> before);
  NodeId next_of_kind(std::uint32_t kind, NodeRun nodes) const;
  /// Calls change(run, occupancy) for each run of equal nodes among `nodes`, and keeps the totals
  /// over all nodes up to date.
  template <class Change>
  void alter(NodeRun nodes, Change change);
  void make_room(NodeId id) { roomier_.note(id); }
  void make_room(NodeRun nodes) { roomier_.note(nodes); }
  void note_states(NodeRun nodes, Time now);
  void note_states(NodeRun equal, const Occupancy& here, Time now);
  void note_state(NodeRun nodes, NodeState state, Time now);
  void settle_use(NodeId id, Time now);
  void begin_use(Time now);
  void begin_series(NodeId id);
  NodeId place_for_node();
  void count_node(const Node& node, int times);
  void count_in_partition(PartitionId id, int nodes);
  void count(const Occupancy& here, int nodes);
  void post_reservation(const Reservation& reservation);
  void unpost_reservation(const Reservation& reservation);
  void note_posted(const Reservation& reservation);
  void put_up(const Reservation& reservation, std::span<const NodeRun> nodes);
  void take_down(const Reservation& reservation, std::span<const NodeRun> nodes);
  std::size_t line_of(const Job& job) const;
  std::size_t row_of(const Job& job) const;
  std::optional<std::string> check_nodes() const;
  std::optional<std::string> check_jobs() const;
  std::optional<std::string> check_reservations() const;

  std::vector<Node> nodes_;
  RunMap<Occupancy> occupancy_;
  struct ShownState {
    NodeState state = NodeState::unknown;
    Time since{0};
    friend bool operator==(const ShownState&, const ShownState&) = default;
  };
  RunMap<ShownState> shown_;        // by node: state()
  std::vector<NodeId> free_nodes_;  // ids that were given up
  std::unordered_map<std::string, NodeId> node_names_;
  NodeKinds kinds_;
  std::uint32_t last_series_ = 0;
  RunMap<std::uint32_t> series_;  // consecutively numbered names share a value
  std::vector<Time> use_since_;   // by node: end of the time in Node::use, except jobs'
  Time all_counted_from_{0};      // the time from which every node's use is counted
  RangeSums busy_;  // by node: ends less starts of the busy times that Node::use lacks
  struct Totals {
    ResourceTotals all, available;
    int nodes = 0;  // without purged nodes
  };
  Totals totals_;
  std::vector<Totals> partition_totals_;
  std::vector<PartitionId> partitions_with_nodes_;
  ClusterCounts counts_;
  std::uint64_t node_changes_ = 0;
  bool held_revised_ = false;
  std::int64_t single_user_nodes_ = 0;  // number of nodes to which users matter
  mutable std::vector<NodeId> open_nodes_;
  mutable bool open_nodes_stale_ = true;

  std::deque<Job> jobs_;
  std::vector<JobId> free_jobs_;
  std::vector<std::int32_t> bypasses_;  // by job; apart, since most of the queue changes at once
  std::unordered_map<std::string, JobId> job_names_;
  ServerNames servers_;
  std::uint64_t next_arrival_ = 0;
  RequestTable requests_;
  CredentialsTable credentials_;
  FlatQueue<Waiting> waiting_;
  std::vector<QueueShare> queue_shares_;  // by credentials
  FlatQueue<Active> active_;
  std::vector<JobId> suspended_;
  UnconfirmedRuns unconfirmed_runs_;

  std::deque<Reservation> reservations_;
  std::vector<ReservationId> free_reservations_;
  std::vector<ReservationId> reservation_order_;
  std::unordered_map<std::string, ReservationId> reservation_names_;
  std::uint64_t next_serial_ = 0;
  std::uint64_t releases_ = 0;
  NodeChanges roomier_;
  std::uint64_t departures_ = 0;
  // When priority reservations were planned last.
  std::uint64_t releases_planned_ = 0, departures_planned_ = 0;
  bool reserved_earliest_ = false;
  ChangeLog<JobId> placed_jobs_;
  NodeChanges changed_nodes_;
  std::uint64_t reservation_changes_ = 0;
};

}  // namespace maui
