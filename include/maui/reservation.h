// An advance reservation: resources, a time frame and an access list (guide 7.1.1).
//
// A priority reservation belongs to a waiting job of high priority; other reservations are
// administrative or standing.  An active job has no reservation: Occupant records its use of nodes.
// A reservation withholds its resources from every job that its access list does not admit.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/access_list.h"
#include "maui/job.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

enum class ReservationKind : std::uint8_t { job, administrative, standing };

/// Special attributes (seed 7.1.5.1.4), as bits of Reservation::flags.
enum class ReservationFlag : std::uint16_t {
  single_use = 1,      // ends with the first job that used it
  by_name = 2,         // admits only jobs that ask for it by name
  preemptee = 4,       // jobs that may preempt may use it as a last resort
  slide_forward = 8,   // begins earlier once that becomes possible
  force = 16,          // takes its nodes in spite of jobs and reservations there
  owner_preempt = 32,  // its owner's jobs preempt other jobs in it
  time_flex = 64,      // may begin later in its period to be whole
  space_flex = 128,    // may move to other nodes
  best_effort = 256,   // takes the nodes that are available, and drops nodes that are down
};

struct Reservation {
  ReservationId id;
  std::uint64_t serial = 0;  // order of creation
  std::string name;
  ReservationKind kind = ReservationKind::administrative;
  JobId job;  // kind job: the job
  AccessList access;
  Time start{0};
  Time end = kForever;
  /// The resources of one task; processors -1: every resource of the node (PROCS=-1).
  Resources per_task{-1};
  Placement nodes;          // with several requirements of a job, per_task is the request's
  std::uint16_t flags = 0;  // bits of ReservationFlag
  std::string owner, charge_account, host_expression;
  std::string made_by;           // the user who made it; empty: its owner, or the scheduler
  std::string resource_manager;  // the one that keeps and changes it; empty: none
  /// Kind standing: the standing reservation, and the beginning of the period (day, week) that this
  /// reservation is for.
  std::string standing;
  Time period{0};
  std::int32_t tasks_wanted = 0;  // tasks of the whole reservation; 0: as made
  /// Kind administrative, requested by a task count: the nodes that it may use.
  PartitionId partition;            // invalid: any
  std::vector<FeatureId> features;  // sorted

  bool active_at(Time now) const { return start <= now && now < end; }
};

/// True if `name` is the reservation's name or the part of it before a point: chem stands for all
/// reservations of SRCFG[chem], such as chem.0.0, and for chem.0 of setres -n chem.
bool goes_by(const Reservation& reservation, std::string_view name);
/// Returns Job, User, Group, Account or System: that of the job, or the first of these kinds that
/// the access list names (guide G, showres).
std::string_view type_of(const Reservation& reservation);
/// Returns the user who made the reservation, as it is or before it was made over; empty: no user
/// did.
std::string_view user_who_made(const Reservation& reservation);
/// True for a user without a name, who is known by a number.  A person may have thousands of these.
bool is_nameless(std::string_view user);
/// Returns whether the reservation admits a job; kind job admits no job.
Admission admission(const Reservation& reservation, const Applicant& applicant);

}  // namespace maui
