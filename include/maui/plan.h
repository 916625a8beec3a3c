// The decisions of one scheduling cycle, and why the rest waits.
//
// A plan is a value: plan(cluster, settings, now) returns it, nothing is
// changed until the engine carries it out.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "maui/job.h"
#include "maui/reservation.h"
#include "maui/units.h"

namespace maui {

/// Why a job does not start now (guide G, checkjob), for the job as a whole.
enum class Reason : std::uint8_t {
  none,                // it starts
  hold,                // job has hold in place
  state,               // state is not idle
  start_date,          // start date not reached
  completion_date,     // it could not end by its completion date
  dependency,          // dependency is not met
  resource_manager,    // its resource manager would not start it now
  policy,              // rejected by policy
  fairshare_cap,       // a credential has used more than its fairshare target allows
  local_fairness,      // the site's own program keeps it out (FAIRNESSPROGRAM)
  negative_priority,   // priority is below zero (REJECTNEGPRIOJOBS)
  idle_procs,          // insufficient idle procs
  requirements,        // idle procs do not meet requirements
  reserved_later,      // holds a reservation that begins later
  reservations_block,  // idle procs are reserved for others before the job could end
  confined,            // it may use reservations alone, and none has room for it
  node_set,            // it fits, but not within a node set
  chunk,               // it may not be backfilled past a large job that waits (BFCHUNKSIZE)
  not_reached,         // a job of higher priority could neither start nor be reserved
  backfill_depth,      // beyond BACKFILLDEPTH
  passed_over,     // its user's jobs with several requirements have had their share of the cycle
  never,           // the cluster lacks what it asks for
  only_looking,    // it would be started, but the scheduler starts nothing (SERVERMODE TEST)
  next_iteration,  // nothing is in its way: the next iteration decides
};

struct StartJob {
  JobId job;
  Placement placement;
  bool backfilled = false;
  std::size_t alternative = 0;  // index into Job::alternatives, when it has any
};

/// Makes, or moves, the priority reservation of a waiting job.
struct ReserveJob {
  JobId job;
  Time start{0};
  Placement placement;
};

/// Makes a standing reservation for one of its periods.
struct MakeReservation {
  Reservation wanted;  // id and serial are assigned when it is made
};

/// A standing reservation gets other nodes, another time frame or other terms.
struct ChangeReservation {
  ReservationId reservation;
  Reservation wanted;
};

/// Ends a priority reservation that the policy keeps no longer, or a standing one that is
/// configured no longer.
struct DropReservation {
  ReservationId reservation;
};

/// The scheduler itself holds a job back (guide 11.1).
struct HoldJob {
  JobId job;
  Hold hold = Hold::batch;
  HoldReason reason;
};

/// An active job gives up its nodes so that another can start, which stands behind it in the plan
/// (guide 8.4).
struct PreemptJob {
  JobId job;
  Preemption how = Preemption::requeue;
  JobId preemptor;
};

/// A suspended job goes on, on the nodes that it had.
struct ResumeJob {
  JobId job;
};

using Decision = std::variant<StartJob, ReserveJob, DropReservation, HoldJob, PreemptJob, ResumeJob,
                              MakeReservation, ChangeReservation>;

struct Plan {
  /// To be carried out in this order: reservations that end, resumptions, starts and holds,
  /// preemptions, each followed by the start that needs it, reservations that are made or moved.
  std::vector<Decision> decisions;

  struct Ranked {
    JobId job;
    RequestId request;      // the job's
    std::int64_t priority;  // bounded as guide 5.1.1 says
    CredentialsId credentials = {};
    bool special = true, reserved = true;  // as in its line of the queue, or not known
    bool late = false;  // has waited for longer than is fair: goes before others (RunTimes)
  };
  /// The eligible jobs, highest priority first, before anything started.
  std::vector<Ranked> order;
  /// For each of `order`, at the same index: why it does not start.
  std::vector<Reason> reasons;
  /// The indexes into `order` that backfill started: each bypassed what stands before it.
  std::vector<std::uint32_t> backfilled;

  /// The starts of priority reservations, by wallclock limits, that backfill was held to;
  /// nothing: there was nothing to backfill, so that those of earlier plans stand.
  struct Promise {
    JobId job;
    Time start{0};
  };
  std::optional<std::vector<Promise>> promises;
  bool shorter_starts = false;     // the answer to RunTimes::shorter
  Time first_reserved = kForever;  // the earliest start for which a priority reservation stands

  /// Waiting jobs whose queue time does not grow until the next plan (JOBPRIOACCRUALPOLICY).
  std::vector<JobId> stalled;

  std::size_t starts = 0, reserves = 0;
  /// The count of Cluster::releases() for which every priority reservation was shown to be at its
  /// earliest, on nodes chosen since.
  std::uint64_t settled_at = 0;
  static constexpr std::uint64_t kNotSettled = ~std::uint64_t{0};
  /// The count of Cluster::departures() then.
  std::uint64_t settled_departures = 0;
};

}  // namespace maui
