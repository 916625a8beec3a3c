// Explains why a job does not run, where it could run, and when it will.  These are the answers of
// checkjob, showstart, showbf and setres, computed by the functions that plan.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/result.h"
#include "maui/settings.h"
#include "sched/limits/throttling.h"
#include "sched/placement/node_reason.h"

namespace maui {

class Timeline;

struct NodeVerdict {
  NodeId node;
  NodeReason reason = NodeReason::none;
  int tasks = 0;  // the tasks that the node can take now
};

struct ExplainOptions {
  bool nodes = false;                   // fill Explanation::nodes
  NodeId only_node;                     // judge only this node
  Strictness level = Strictness::hard;  // of the limits to apply
};

struct Explanation {
  Reason reason = Reason::none;
  std::optional<Violation> limit;  // for Reason::policy: the limit
  /// For Reason::confined, node_set, chunk, policy, never and nodes_down: the reservations, the
  /// node set, the larger job, the job that would be harmed, what the cluster lacks, and how many
  /// nodes are down, respectively.
  std::string blocker;
  int idle_procs = 0;      // free processors on available nodes
  int feasible_procs = 0;  // of these, usable by the job for long enough
  int needed_procs = 0;
  std::vector<NodeVerdict> nodes;                      // in the resource manager's order
  std::vector<std::pair<NodeReason, int>> rejections;  // the number of nodes for each reason
};

/// Explains why a job does not run.  For an active job the reason is Reason::state.
Explanation explain(const Cluster& cluster, const Settings& settings, Time now, JobId job,
                    const ExplainOptions& options = {});

struct Forecast {
  Time start{0};
  Placement placement;
  PartitionId partition;
};

/// Returns the earliest start of a waiting job as if it had the highest priority and nothing else
/// started before it: when hard limits of active jobs allow it, without the nodes kept for
/// suspended jobs.  For a reserved job, the start of its reservation.  Empty if it can never start.
std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       JobId job);
/// Returns the earliest start of a request that is not a job yet.
std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       const Request& request, const Credentials& who);
/// Answers several such queries about one state; data about the nodes is prepared only once.
class StartFinder {
 public:
  /// Requires that the arguments outlive the finder and do not change.  `from` is the job that
  /// asks: its flags decide whether the nodes of suspended jobs are open to it.
  StartFinder(const Cluster& cluster, const Settings& settings, Time now, const Job& from);
  /// Uses a timeline of others, which must outlive the finder and is its own as long as it exists.
  StartFinder(Timeline& timeline, const Cluster& cluster, const Settings& settings, Time now,
              const Job& from);
  ~StartFinder();
  StartFinder(const StartFinder&) = delete;
  StartFinder& operator=(const StartFinder&) = delete;
  std::optional<Forecast> first(const Job& job, const Request& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
/// Returns nodes on which the job fits at once with this request, ignoring limits and suspended
/// jobs (runjob). `keep_reserved`: leave alone what is reserved for waiting jobs.
std::optional<Placement> place_now(const Cluster& cluster, const Settings& settings, Time now,
                                   const Job& job, const Request& request, bool keep_reserved);

/// The resources that showbf asks about.
struct WindowQuery {
  Credentials who;
  /// Kinds of credentials of which the job may have any one that a reservation admits.
  std::vector<CredentialKind> any;
  bool everything = false;  // -A: as a user with access to every reservation
  Requirement requirement;  // constraints; tasks and task definition as requested
  Seconds at_least{0};      // -d: the least duration of a window
  PartitionId partition;    // -p
};

/// Says why a job that may run only inside reservations finds none: "'jupiter' does not admit it".
/// Empty if the job may run elsewhere.
std::string reservations_for(const Cluster& cluster, const Settings& settings, const Job& job,
                             const Request& request, Time now);

/// Says which nodes that the job needs are down or drained, and when they are assumed to be back:
/// "4 of 4 nodes are down, ...".  Empty if the job could do without them.
std::string missing_nodes(const Cluster& cluster, const Settings& settings, const Job& job);

/// Says which reservations without an end keep a waiting job from its nodes: "reservation 'r',
/// which has no end, does not admit it".  Empty if the job could not start without them either.
std::string endless_reservations(const Cluster& cluster, const Settings& settings, Time now,
                                 const Job& job);

/// Processors that are free on a set of nodes for the same time.
struct BackfillWindow {
  PartitionId partition;
  int procs = 0;
  int nodes = 0;
  Seconds duration = kUnlimited;
};

/// Returns the backfill windows that are open now, widest first, partition by partition.  Nodes of
/// different resource managers make no window together.
std::vector<BackfillWindow> backfill_windows(const Cluster& cluster, const Settings& settings,
                                             Time now, const WindowQuery& query);

struct WindowNode {
  NodeId node;
  NodeReason reason = NodeReason::none;
  int procs = 0;             // free now
  Seconds duration{0};       // for how long
  Resources free;            // now
  ReservationId blocked_by;  // the reservation that ends the window, if any
};
/// Returns the nodes that make up the windows (showbf -v).
std::vector<WindowNode> window_nodes(const Cluster& cluster, const Settings& settings, Time now,
                                     const WindowQuery& query);

/// Asks several of these questions about one state; data about the nodes, which takes longest on a
/// large machine, is prepared only once.
class Questions {
 public:
  /// Requires that the arguments outlive the questions and do not change.
  Questions(const Cluster& cluster, const Settings& settings, Time now);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  Explanation explain(JobId job, const ExplainOptions& options = {});
  std::optional<Forecast> earliest_start(JobId job);
  /// Returns a finder that shares the data; no other question may be asked while it exists.
  std::unique_ptr<StartFinder> start_finder(const Job& from);
  std::optional<Placement> place_now(const Job& job, const Request& request, bool keep_reserved);
  std::vector<BackfillWindow> backfill_windows(const WindowQuery& query);
  std::vector<WindowNode> window_nodes(const WindowQuery& query);

 private:
  const Cluster& cluster_;
  const Settings& settings_;
  const Time now_;
  const std::unique_ptr<Timeline> timeline_;
};

/// Returns the next time after `now` at which a reservation (of that kind) begins or ends, or at
/// which the time until its end equals a time limit of its access list; kForever if there is none.
Time next_reservation_boundary(const Cluster& cluster, Time now,
                               std::optional<ReservationKind> kind = {});

}  // namespace maui
