// The decisions of one scheduling cycle, and why the other jobs wait.
//
// A plan is a value that plan(cluster, settings, now) returns; nothing changes
// until the engine carries the plan out.
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
  hold,                // the job has a hold
  state,               // the state is not idle
  start_date,          // the start date is not reached
  completion_date,     // it could not end by its completion date
  dependency,          // a dependency is not met
  resource_manager,    // the resource manager would not start it now
  policy,              // a policy rejects it
  fairshare_cap,       // a credential has used more than its fairshare target allows
  local_fairness,      // the site's FAIRNESSPROGRAM rejects it
  negative_priority,   // the priority is below zero (REJECTNEGPRIOJOBS)
  idle_procs,          // too few processors are idle
  requirements,        // idle processors do not meet its requirements
  reserved_later,      // its reservation begins later
  reservations_block,  // idle processors are reserved for others before the job could end
  confined,            // it may use only reservations, and none has room for it
  node_set,            // it fits, but not within a node set
  chunk,               // it may not be backfilled past a large waiting job (BFCHUNKSIZE)
  not_reached,         // a job of higher priority could neither start nor be reserved
  backfill_depth,      // beyond BACKFILLDEPTH
  passed_over,         // its user's multi-requirement jobs have used up their share of the cycle
  never,               // the job is not feasible on this cluster
  only_looking,        // it would start, but the scheduler starts nothing (SERVERMODE TEST)
  next_iteration,      // nothing prevents it: the next iteration decides
  nodes_down,          // the nodes that are up could not serve it even if they were empty
};
inline constexpr std::size_t kReasonCount = static_cast<std::size_t>(Reason::nodes_down) + 1;

struct StartJob {
  JobId job;
  Placement placement;
  bool backfilled = false;
  std::size_t alternative = 0;  // index into Job::alternatives, if the job has any
  std::int64_t priority = 0;    // with which it starts
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

/// Changes the nodes, the time frame or the terms of a standing reservation.
struct ChangeReservation {
  ReservationId reservation;
  Reservation wanted;
};

/// Ends a priority reservation that the policy no longer keeps, or a standing reservation that is
/// no longer configured.
struct DropReservation {
  ReservationId reservation;
};

/// Places a hold on a job on the scheduler's own initiative (guide 11.1).
struct HoldJob {
  JobId job;
  Hold hold = Hold::batch;
  HoldReason reason;
};

/// Preempts an active job so that `preemptor` can start, whose start follows in the plan
/// (guide 8.4).
struct PreemptJob {
  JobId job;
  Preemption how = Preemption::requeue;
  JobId preemptor;
};

/// Resumes a suspended job on its nodes.
struct ResumeJob {
  JobId job;
};

using Decision = std::variant<StartJob, ReserveJob, DropReservation, HoldJob, PreemptJob, ResumeJob,
                              MakeReservation, ChangeReservation>;

struct Plan {
  /// In the order in which the engine carries them out: reservations that end, resumptions, starts
  /// and holds, preemptions (each before the start that needs it), new and moved reservations.
  std::vector<Decision> decisions;

  struct Ranked {
    JobId job;
    RequestId request;      // the job's
    std::int64_t priority;  // bounded (guide 5.1.1)
    CredentialsId credentials = {};
    bool special = true, reserved = true;  // as in its queue entry; true if unknown
    bool late = false;  // has waited past its fair wait: goes before others (RunTimes)
  };
  /// The eligible jobs before any start, highest priority first.
  std::vector<Ranked> order;
  /// For each job of `order`, at the same index: why it does not start.
  std::vector<Reason> reasons;
  /// The indexes into `order` of backfilled jobs; each bypassed the jobs before it.
  std::vector<std::uint32_t> backfilled;

  /// The starts of priority reservations, by wallclock limits, that backfill had to respect;
  /// nullopt: there was nothing to backfill, so that the promises of earlier plans remain.
  struct Promise {
    JobId job;
    Time start{0};
  };
  std::optional<std::vector<Promise>> promises;
  bool shorter_starts = false;     // answers RunTimes::shorter
  bool goes_on = false;            // the cycle was full: the next one may start more jobs
  bool displaced = false;          // a start was taken back: what was planned behind it may advance
  Time first_reserved = kForever;  // earliest start of a priority reservation
  JobId stopped_at;                // the job behind which jobs were out of turn; invalid: none

  /// Waiting jobs that accrue no queue time until the next plan (JOBPRIOACCRUALPOLICY).
  std::vector<JobId> stalled;

  std::size_t starts = 0, reserves = 0;
  /// True if the plan showed that no priority reservation can begin earlier.
  bool reservations_earliest = false;
};

}  // namespace maui
