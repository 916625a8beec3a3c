// Why a job does not run, where it could, and when it will: the answers of
// checkjob, showstart, showbf and setres, from the same functions that plan.
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

struct NodeVerdict {
  NodeId node;
  NodeReason reason = NodeReason::none;
  int tasks = 0;  // how many tasks it can take now
};

struct ExplainOptions {
  bool nodes = false;                   // fill Explanation::nodes
  NodeId only_node;                     // judge this node alone
  Strictness level = Strictness::hard;  // of the limits that count
};

struct Explanation {
  Reason reason = Reason::none;
  std::optional<Violation> limit;  // Reason::policy: which
  /// Reason::confined, node_set, chunk, policy, never: what is open to it, which set, which job,
  /// which job it would harm, what the cluster lacks.
  std::string blocker;
  int idle_procs = 0;      // free processors on available nodes
  int feasible_procs = 0;  // of these, on nodes that the job may use and for long enough
  int needed_procs = 0;
  std::vector<NodeVerdict> nodes;                      // in the resource manager's order
  std::vector<std::pair<NodeReason, int>> rejections;  // how many nodes for each reason
};

/// Judges a job that does not run.  For an active job the reason is Reason::state.
Explanation explain(const Cluster& cluster, const Settings& settings, Time now, JobId job,
                    const ExplainOptions& options = {});

struct Forecast {
  Time start{0};
  Placement placement;
  PartitionId partition;
};

/// The earliest start of a waiting job as if it had the highest priority and nothing else started
/// before it: once hard limits of active jobs allow it, and with the nodes of suspended jobs kept
/// for them.  Its own reservation's start if it has one.  Nothing if it can never start.
std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       JobId job);
/// The same for a request that is no job yet.
std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       const Request& request, const Credentials& who);
/// The same of one state again and again, which costs but once what is to be known of the nodes.
class StartFinder {
 public:
  /// All of it outlives the finder, and stays as it is.  `from`: the job that asks, of which it
  /// matters whose suspended jobs it goes before.
  StartFinder(const Cluster& cluster, const Settings& settings, Time now, const Job& from);
  ~StartFinder();
  StartFinder(const StartFinder&) = delete;
  StartFinder& operator=(const StartFinder&) = delete;
  std::optional<Forecast> first(const Job& job, const Request& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
/// Nodes on which it fits at once, whatever limits and suspended jobs want (runjob).
/// `keep_reserved`: not on what is kept for waiting jobs.
std::optional<Placement> place_now(const Cluster& cluster, const Settings& settings, Time now,
                                   const Request& request, const Credentials& who,
                                   bool keep_reserved);

/// Which resources showbf asks about.
struct WindowQuery {
  Credentials who;
  bool everything = false;  // -A: as a user who may use every reservation
  Requirement requirement;  // constraints; tasks and task definition as asked for
  Seconds at_least{0};      // -d: only windows that last so long
  PartitionId partition;    // -p
};

/// Processors that are free on some nodes for some time.
struct BackfillWindow {
  PartitionId partition;
  int procs = 0;
  int nodes = 0;
  Seconds duration = kUnlimited;
};

/// The backfill windows open now, widest first, partition by partition.
std::vector<BackfillWindow> backfill_windows(const Cluster& cluster, const Settings& settings,
                                             Time now, const WindowQuery& query);

struct WindowNode {
  NodeId node;
  NodeReason reason = NodeReason::none;
  int procs = 0;             // free now
  Seconds duration{0};       // for how long
  ReservationId blocked_by;  // the reservation that ends the window, if one does
};
/// Node by node what the windows are made of (showbf -v).
std::vector<WindowNode> window_nodes(const Cluster& cluster, const Settings& settings, Time now,
                                     const WindowQuery& query);

/// Nodes for a reservation of `requirement` in [start, end), free of everybody else's claims for
/// all of that time (setres TASKS).  Says how many tasks there would be if there are too few.
Result<Placement> select_for_reservation(const Cluster& cluster, const Settings& settings, Time now,
                                         const Requirement& requirement, PartitionId partition,
                                         Time start, Time end);

/// The next time after `now` at which a reservation, or one of that kind, begins or ends, or lasts
/// for no longer than a job may use it by its time limit; kForever if there is none.
Time next_reservation_boundary(const Cluster& cluster, Time now,
                               std::optional<ReservationKind> kind = {});

}  // namespace maui
