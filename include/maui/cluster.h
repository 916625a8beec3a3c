// The cluster's state: nodes, jobs, reservations, credentials.
//
// This class holds every fact once, and its member functions are the only code
// that changes them; each leaves the invariants below standing.  It knows no
// policy, no clock and no resource manager.
//
// Invariants (Cluster::check() tells; tests call it after every step):
//   * free(n) is what n has configured less what its occupants hold and what
//     is withheld; never negative unless the resource manager shrank the node or
//     jobs hold again what they asked for after they had held less
//   * a job stands in waiting() exactly while it is idle, in active() exactly
//     while it is starting or running, in suspended() exactly while it is that,
//     and while it is active in the occupants of exactly the nodes of its placement
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
#include <vector>

#include "maui/change_log.h"
#include "maui/fairshare.h"
#include "maui/flat_queue.h"
#include "maui/job.h"
#include "maui/local_words.h"
#include "maui/names.h"
#include "maui/node.h"
#include "maui/node_changes.h"
#include "maui/range_sums.h"
#include "maui/request.h"
#include "maui/reservation.h"
#include "maui/result.h"
#include "maui/run_map.h"
#include "maui/run_times.h"
#include "maui/server_names.h"
#include "maui/units.h"

namespace maui {

/// One active job's hold on one node.  `access` is the node's own rule (NODECFG) where it has one,
/// else the request's.  It alone tells who else may come: a dedicated or single_task occupant has
/// the whole node, though `amount` is only what its tasks use.
struct Occupant {
  JobId job;
  UserId user;
  NodeAccess access = NodeAccess::shared;
  std::int32_t tasks = 0;
  Resources amount;  // of all its tasks on this node together
  Time ends{0};      // by its wallclock limit
  friend bool operator==(const Occupant&, const Occupant&) = default;
};

/// The state of one node that bears on placing work there now.
struct Occupancy {
  /// Somebody is here who shares the node with no other job.
  bool exclusive() const {
    for (const Occupant& occupant : occupants)
      if (occupant.access == NodeAccess::dedicated || occupant.access == NodeAccess::single_task)
        return true;
    return false;
  }
  /// May take a further job that needs a processor.
  bool open() const { return available && !closed && free.procs() > 0 && !exclusive(); }

  Resources free;  // configured less held and withheld
  /// Resources that no job holds and that yet cannot be given to jobs: load that is not theirs
  /// (guide 10, NODELOADPOLICY, RESOURCEAVAILABILITYPOLICY).
  Resources withheld;
  bool available = false;                   // Node::available()
  bool closed = false;                      // takes no new jobs for now: too much load
  std::vector<Occupant> occupants;          // in order of start
  std::vector<ReservationId> reservations;  // not those of active jobs; in order of creation
  std::uint32_t kind = 0;  // nodes of one kind differ in nothing that a request can ask about
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

/// A line of the queue; small, since a cycle walks over all of them.
struct Waiting {
  Time queued{0};
  std::uint64_t arrival = 0;
  JobId job;
  RequestId request;
  CredentialsId credentials;
  bool held = false;
  bool special = false;    // has a system priority, dates, alternatives or a dependency
  bool reserved = false;   // has a priority reservation
  bool preemptor = false;  // the job itself says so
};

struct Active {
  Time ends{0};
  std::uint64_t arrival = 0;
  JobId job;
  RequestId request;
  CredentialsId credentials;
  std::uint16_t flags = 0;  // the job's own
};

class Cluster {
 public:
  Cluster();

  // --- names ---------------------------------------------------------------
  Names<UserId> users;
  Names<GroupId> groups;
  Names<AccountId> accounts;
  Names<ClassId> classes;
  Names<QosId> qos;
  Names<PartitionId> partitions;  // DEFAULT is always the first
  Names<FeatureId> features;
  Names<ConsumableId> consumables;  // the elementary four first; initiators are "class:NAME"

  ConsumableId initiator(ClassId job_class);  // the consumable that counts a class's initiators
  /// The same if it is known; else an invalid one.
  ConsumableId find_initiator(ClassId job_class) const;
  /// The class, and the consumable that counts its initiators.  Requires that nothing refers to
  /// either.
  void give_up_class(ClassId id);
  /// Grows whenever numbers of names, or of credentials, may come to stand for others: whoever has
  /// worked something out for one begins anew.
  std::uint64_t names_given_up() const { return names_given_up_; }
  void note_names_given_up() { ++names_given_up_; }

  // --- past use ------------------------------------------------------------
  /// As of the last iteration; empty where FSPOLICY is NONE.
  FairshareUse fairshare_use;
  /// As of the last iteration; empty where RUNTIMELEARNING decides nothing.
  RunTimes run_times;

  // --- what the site's programs say ---------------------------------------
  LocalWords local_words;

  // --- nodes ---------------------------------------------------------------
  /// Requires a name that no node has; Node::id is assigned here.
  NodeId add_node(Node node);
  /// A node that is purged loses its name, and the next new node takes its place.  Requires that
  /// nothing refers to it.
  void give_up_node(NodeId id);
  /// Replaces everything that the resource manager says of a node, and keeps what runs on it.
  void update_node(NodeId id, Node node);
  void set_node_state(NodeId id, NodeState reported, Time now);
  /// Withholds `amount`, which load uses, from jobs until the next call.
  void withhold(NodeId id, Resources amount, bool closed);
  /// Makes `amount` the job's hold on the node instead of what its tasks asked for, until it leaves
  /// the node or the next call (RESOURCEAVAILABILITYPOLICY UTILIZED).
  void revise_held(NodeId id, JobId job, Resources amount);
  /// True if revise_held has ever been called.
  bool held_revised() const { return held_revised_; }
  /// Time used until `now`.  Node::use itself is brought up to date only by settle_node_use(), so
  /// that neither time which passes nor jobs that come and go cost anything for each node.
  NodeUse node_use(NodeId id, Time now) const;
  void settle_node_use(Time now);
  void reset_node_use(Time now);

  std::span<const Node> nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[id.index()]; }
  NodeId find_node(std::string_view name) const;
  /// Holds until the next change of the cluster.
  const Occupancy& occupancy(NodeId id) const { return occupancy_[id.raw()]; }
  /// The same for all nodes, which share it with their neighbours where it is equal.
  const RunMap<Occupancy>& occupancies() const { return occupancy_; }
  /// The nodes about this one whose names count up one by one.
  NodeRun series_of(NodeId id) const { return series_.run_of(id.raw()); }
  /// The state as users know it: idle, running or busy follow from what runs on an available node.
  NodeState state(NodeId id) const;
  /// Available nodes with at least one free processor and no exclusive occupant that are not
  /// closed, in the resource manager's order.
  std::span<const NodeId> open_nodes() const;
  /// How many kinds of nodes there are, and one node of a kind.  A kind that no node is of any
  /// longer keeps some other node as its sample.
  std::uint32_t kinds() const { return static_cast<std::uint32_t>(kind_sample_.size()); }
  NodeId sample_of_kind(std::uint32_t kind) const { return kind_sample_[kind]; }
  int nodes_of_kind(std::uint32_t kind) const { return kind_nodes_[kind]; }
  /// Grows whenever a node is added or changes in more than its state.
  std::uint64_t node_changes() const { return node_changes_; }
  /// Everything configured in a partition, or everywhere; only available nodes if asked so.
  Resources configured(PartitionId partition = {}, bool available_only = false) const;
  /// Processors of all nodes and of available ones, those held by active jobs, and nodes with any
  /// occupant: counted as things change.
  struct Counts {
    std::int64_t configured_procs = 0, available_procs = 0, held_procs = 0;
    std::int64_t open_procs = 0;  // free ones of open nodes
    std::int64_t available_nodes = 0, occupied_nodes = 0;
    std::int64_t waiting_proc_seconds = 0;  // asked for by the queue: processors times limit
    std::int64_t special_waiting = 0;       // lines of the queue that are special
    std::int64_t waiting_for_sets = 0;      // jobs in the queue that ask for node sets
    std::int64_t waiting_preemptors = 0;    // lines of the queue that are marked so
    std::array<std::int64_t, kNodeStateCount>
        nodes_reported{};  // by NodeState, as reported; without purged ones
    std::array<std::int64_t, kNodeStateCount> procs_reported{};  // of these
    friend bool operator==(const Counts&, const Counts&) = default;
  };
  const Counts& counts() const { return counts_; }
  /// Some job or node asks for SINGLEUSER access, or a node limits the jobs of a user: it matters
  /// whose jobs are where.
  bool users_matter() const { return single_user_ > 0; }

  // --- jobs ----------------------------------------------------------------
  /// Requires a name that no job has.  Assigns id and arrival; the job's state must be idle or
  /// not_queued.
  JobId add_job(Job job, Request request);
  const Job& job(JobId id) const { return jobs_[id.index()]; }
  JobId find_job(std::string_view name) const;
  /// The only job whose name is that number with a point and its server's name behind it (PBS).
  JobId find_numbered_job(std::string_view number) const;
  /// True if the job of that id is the one that arrived then (Job::arrival).
  bool still(JobId id, std::uint64_t arrival) const {
    return id.index() < jobs_.size() && jobs_[id.index()].id.valid() &&
           jobs_[id.index()].arrival == arrival;
  }
  const Request& request(RequestId id) const { return *requests_[id.index()].request; }
  const Request& request_of(JobId id) const { return request(job(id).request); }
  std::size_t request_slots() const { return requests_.size(); }
  /// Some job asks for this.
  bool request_used(RequestId id) const { return requests_[id.index()].users > 0; }
  /// Tells requests apart that have had the same id one after the other.
  std::uint64_t request_serial(RequestId id) const { return requests_[id.index()].serial; }
  /// The serial of the request that was made last; 0: none was made yet.
  std::uint64_t newest_request() const { return next_request_serial_; }
  /// Equal credentials of jobs that wait or are active, or were so, have one number until it is
  /// given up.
  const Credentials& credentials(CredentialsId id) const { return credentials_[id.index()]; }
  std::size_t credentials_known() const { return credentials_.size(); }
  /// Those of which used[number] is 0.  Requires that no job has them that waits or is active.
  void give_up_credentials(const std::vector<char>& used);
  std::span<const Waiting> waiting() const { return waiting_.view(); }
  /// The lines of the queue with certain credentials: counted as things change.
  struct QueueShare {
    std::int32_t jobs = 0, held = 0;
    friend bool operator==(const QueueShare&, const QueueShare&) = default;
  };
  QueueShare queue_share(CredentialsId id) const {
    return id.index() < queue_shares_.size() ? queue_shares_[id.index()] : QueueShare{};
  }
  std::span<const Active> active() const { return active_.view(); }
  /// Ids of jobs are less than this; they are used again, so it stays near the most jobs ever
  /// known.
  std::size_t job_slots() const { return jobs_.size(); }
  /// All jobs known, in order of arrival: waiting, active, held, and suspended ones.
  std::vector<JobId> jobs() const;

  /// Notes why a waiting job's resource manager cannot start it; empty: it can.
  void set_waits_for(JobId id, std::string what);
  /// Starts an idle job on `placement`, until now + limit.  Requires that it fits.
  /// Its priority reservation, if it has one, ends.
  void start_job(JobId id, Placement placement, Time now, bool backfilled = false);
  /// Ends an active or suspended job and frees its resources, or takes a waiting one out of the
  /// queue and ends its reservation.  It stays known until forget_job(), and keeps the placement
  /// that it had.
  void end_job(JobId id, JobState final_state, Time now);
  /// Puts an active or suspended job back into the queue, its work lost; it keeps its submit time.
  void requeue_job(JobId id, Time now);
  /// The same, but a run of `kept` is not lost: the job's limit shrinks by so much.
  void checkpoint_job(JobId id, Time now, Seconds kept);
  /// Takes an active job off its nodes; it keeps its placement and what is left of its limit.
  void suspend_job(JobId id, Time now);
  /// A suspended job has been so by hand: no plan resumes it.
  void keep_suspended(JobId id);
  /// Puts a suspended job back where it was.  Requires that it fits.
  void resume_job(JobId id, Time now);
  /// In order of suspension.
  std::span<const JobId> suspended() const { return suspended_; }
  /// A job that has been started is starting until it is known to run.
  void set_starting(JobId id);
  /// A starting job runs, since then at the latest: from there its limit counts.
  void set_running(JobId id, Time since);
  /// An active job is elsewhere than it was thought to be.
  void move_job(JobId id, Placement placement, Time now);
  /// Removes a job that is not active.
  void forget_job(JobId id);
  /// An active job goes on past its limit: its end is moved to `until`.
  void extend_job(JobId id, Time until);
  /// Sets how long an active job was suspended before it was known here; its end moves accordingly.
  void set_suspended_time(JobId id, Seconds total);

  void set_holds(JobId id, std::uint8_t holds, HoldReason reason = {});
  /// Takes one hold off, and the reason with it.
  void lift_hold(JobId id, Hold hold);
  void set_holds_reported(JobId id, std::uint8_t holds) {
    jobs_[id.index()].holds_reported = holds;
  }
  void set_failures(JobId id, JobFailures failures) { jobs_[id.index()].failures = failures; }
  /// `over`: it uses more than it asked for.
  void set_use(JobId id, const JobUse& use, bool over, Time now);
  void set_system_priority(JobId id, SystemPriority priority);
  void set_priority(JobId id, std::int64_t priority) { jobs_[id.index()].priority = priority; }
  void set_qos(JobId id, QosId qos);
  /// The job is charged to that account until its resource manager reports another than before.
  void set_account(JobId id, AccountId account);
  /// The job's QOS is what a command said; no access list changes it again.
  void keep_qos(JobId id) { jobs_[id.index()].qos_set = true; }
  void set_queued(JobId id, Time queued);
  void set_dependencies(JobId id, std::vector<Dependency> dependencies);
  /// Those of them that wait count as queued so much later, but not after `latest`.
  void delay_queue(std::span<const JobId> jobs, Seconds by, Time latest);
  /// A waiting job becomes what `reported` says, in all that a resource manager reports of it but
  /// its times of submission; what only the scheduler knows of it stays.
  void revise_job(JobId id, const Job& reported);
  /// Another limit, as Request::limit has it, for a job that has begun to run.
  void set_limit(JobId id, Seconds limit);
  /// Another shape for a job that is not active; a priority reservation of the old shape ends.
  void set_request(JobId id, Request request);
  void set_eligible_since(JobId id, Time when) { jobs_[id.index()].eligible_since = when; }
  void add_bypass(JobId id, std::int32_t times) { bypasses_[id.index()] += times; }
  /// How many times backfill has passed the job.
  std::int32_t bypasses(JobId id) const { return bypasses_[id.index()]; }

  // --- reservations --------------------------------------------------------
  // Active jobs have none of their own here: what they hold, and until when, stands in their
  // occupants and in active().  Job::reservation is a waiting job's priority reservation.

  /// Everything but the reservations of active jobs, in order of creation.
  std::span<const ReservationId> reservations() const { return reservation_order_; }
  const Reservation& reservation(ReservationId id) const { return reservations_[id.index()]; }
  /// How many reservations were ever made: serials count from 0 up to this.
  std::uint64_t reservations_made() const { return next_serial_; }
  ReservationId find_reservation(std::string_view name) const;
  /// Assigns id and serial; nodes are put in order, but for kind job.  For kind job: the waiting
  /// job's priority reservation; it has none yet, and is named after it.  Other kinds need a name
  /// that no other reservation has.
  ReservationId add_reservation(Reservation reservation);
  /// Moves a priority reservation.
  void move_reservation(ReservationId id, Time start, Placement nodes);
  /// Everything of an administrative or standing reservation but its id and order of creation
  /// becomes what `wanted` says.  Requires a name that no other reservation has.
  void change_reservation(ReservationId id, Reservation wanted);
  void release_reservation(ReservationId id);
  /// The standing reservation is not made again for this period (releaseres, SINGLEUSE).
  struct Waiver {
    std::string standing;
    Time period{0};
    friend bool operator==(const Waiver&, const Waiver&) = default;
  };
  void waive(Waiver waiver) { waivers_.push_back(std::move(waiver)); }
  const std::vector<Waiver>& waivers() const { return waivers_; }
  void forget_waivers_before(Time period) {
    std::erase_if(waivers_, [period](const Waiver& waiver) { return waiver.period < period; });
  }
  void forget_waivers_of(std::string_view standing) {
    std::erase_if(waivers_,
                  [standing](const Waiver& waiver) { return waiver.standing == standing; });
  }
  /// The resources that `reservation` takes on a node where it holds `share`.
  Resources reserved_on(const Reservation& reservation, const NodeTasks& share) const;
  /// How long `request` may run there: its limit, or with USEMACHINESPEED what that is on the
  /// slowest of these nodes.
  Seconds limit_on(const Request& request, const Placement& nodes) const;

  // --- what changed ---------------------------------------------------------
  // For those who keep something that they worked out: it need not be worked out anew but for
  // these.

  /// Jobs that came to nodes or left them, or of which it changed until when or for whom they have
  /// these, or whether they run there already.
  const ChangeLog<JobId>& placed_jobs() const { return placed_jobs_; }
  /// Nodes of which anything else changed that bears on planning: their attributes, their state,
  /// what load keeps from jobs or jobs hold other than they asked for, which reservations are
  /// there, but for those of waiting jobs.
  const NodeChanges& changed_nodes() const { return changed_nodes_; }
  /// Grows whenever a reservation is made, changed or released, but for those of waiting jobs.
  std::uint64_t reservation_changes() const { return reservation_changes_; }

  /// Counts every event that can let something start earlier than it was planned to: an early end,
  /// a reservation released or changed, a node back or changed, a hold released.  A priority
  /// reservation that a plan moves is none: the plan knows.
  std::uint64_t releases() const { return releases_; }
  /// Counts every event by which a node may come to have more room, for jobs or reservations: it
  /// is new, other than before or back, a job leaves it, a reservation is off it or moved.
  std::uint64_t room_count() const { return roomier_.revision(); }
  /// The nodes to which that happened.
  const NodeChanges& roomier() const { return roomier_; }
  /// The count of releases() for which the last plan showed that no priority reservation could
  /// begin earlier (Plan::settled_at): until there are more, none needs to be looked at again.
  std::uint64_t settled_at() const { return settled_at_; }
  /// Counts the jobs that left their nodes, early or as planned.
  std::uint64_t departures() const { return departures_; }
  /// That count when the nodes of priority reservations were chosen last.
  std::uint64_t settled_departures() const { return settled_departures_; }
  void set_settled_at(std::uint64_t releases, std::uint64_t departures) {
    settled_at_ = releases;
    settled_departures_ = departures;
  }

  /// Why the invariants do not hold, or nothing.
  std::optional<std::string> check() const;

 private:
  struct Interned {
    std::optional<Request> request;
    std::size_t hash = 0;
    std::uint32_t users = 0;
    std::uint64_t serial = 0;
  };

  RequestId intern(Request request);
  CredentialsId intern(const Credentials& who);
  void drop(RequestId id);
  void enqueue(const Job& job);
  void dequeue(const Job& job);
  void count_line(const Waiting& line, int times);
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
  /// Calls change(run, occupancy) for these nodes, run by run of equal ones, and keeps what is
  /// counted over all of them.
  template <class Change>
  void alter(NodeRun nodes, Change change);
  void make_room(NodeId id) { roomier_.note(id); }
  void make_room(NodeRun nodes) { roomier_.note(nodes); }
  void settle_use(NodeId id, Time now);
  void begin_use(Time now);
  void begin_series(NodeId id);
  NodeId place_for_node();
  void count_node(const Node& node, int times);
  void count(const Occupancy& here, int nodes);
  void post_reservation(const Reservation& reservation);
  void unpost_reservation(const Reservation& reservation);
  void note_posted(const Reservation& reservation);
  std::size_t line_of(const Job& job) const;
  std::size_t row_of(const Job& job) const;
  std::optional<std::string> check_nodes() const;
  std::optional<std::string> check_jobs() const;
  std::optional<std::string> check_reservations() const;

  std::vector<Node> nodes_;
  RunMap<Occupancy> occupancy_;
  std::vector<NodeId> free_nodes_;  // given up
  std::unordered_map<std::string, NodeId> node_names_;
  std::unordered_map<std::string, std::uint32_t> kind_names_;
  std::vector<NodeId> kind_sample_;
  std::vector<int> kind_nodes_;  // by kind: how many nodes are of it
  std::uint32_t last_series_ = 0;
  RunMap<std::uint32_t> series_;  // of names that count up; the numbers only differ
  std::vector<Time> use_since_;   // by node: until when Node::use is, but for jobs
  Time all_counted_from_{0};      // from then on the use of every node is counted
  RangeSums busy_;  // by node: ends less beginnings of the times with jobs that Node::use lacks
  std::vector<ConsumableId> initiators_;  // by class
  std::uint64_t names_given_up_ = 0;
  struct Totals {
    Resources all, available;
  };
  Totals totals_;
  std::vector<Totals> partition_totals_;
  Counts counts_;
  std::uint64_t node_changes_ = 0;
  bool held_revised_ = false;
  std::uint64_t next_request_serial_ = 0;
  std::int64_t single_user_ = 0;  // requests and nodes to which users matter
  mutable std::vector<NodeId> open_nodes_;
  mutable bool open_nodes_stale_ = true;

  std::deque<Job> jobs_;
  std::vector<JobId> free_jobs_;
  std::vector<std::int32_t> bypasses_;  // by job: they change for most of the queue at a time
  std::unordered_map<std::string, JobId> job_names_;
  ServerNames servers_;
  std::uint64_t next_arrival_ = 0;
  std::vector<Interned> requests_;
  std::vector<RequestId> free_requests_;
  std::unordered_multimap<std::size_t, RequestId> request_hashes_;
  std::deque<Credentials> credentials_;
  std::vector<CredentialsId> free_credentials_;
  std::unordered_map<Credentials, CredentialsId, Credentials::Hash> credentials_numbers_;
  FlatQueue<Waiting> waiting_;
  std::vector<QueueShare> queue_shares_;  // by credentials
  FlatQueue<Active> active_;
  std::vector<JobId> suspended_;

  std::deque<Reservation> reservations_;
  std::vector<ReservationId> free_reservations_;
  std::vector<ReservationId> reservation_order_;
  std::unordered_map<std::string, ReservationId> reservation_names_;
  std::vector<Waiver> waivers_;
  std::uint64_t next_serial_ = 0;
  std::uint64_t releases_ = 0;
  NodeChanges roomier_;
  std::uint64_t settled_at_ = ~std::uint64_t{0};
  std::uint64_t departures_ = 0, settled_departures_ = ~std::uint64_t{0};
  ChangeLog<JobId> placed_jobs_;
  NodeChanges changed_nodes_;
  std::uint64_t reservation_changes_ = 0;
};

}  // namespace maui
