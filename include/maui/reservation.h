// An advance reservation: resources, a time frame and an access list (guide 7.1.1).
//
// A priority reservation belongs to a waiting job of high priority; the others are administrative
// or standing.  An active job has none: its share of its nodes stands in Occupant.  A reservation
// keeps the resources that it lists from every job that its access list does not admit.
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
  slide_forward = 8,   // begins earlier once it can be had earlier
  force = 16,          // takes its nodes whatever runs or is reserved there
  owner_preempt = 32,  // its owner's jobs preempt those of others in it
  time_flex = 64,      // may begin later in its period if it is whole only then
  space_flex = 128,    // may move to other nodes
  best_effort = 256,   // is content with what there is, and lets go of nodes that are down
};

struct Reservation {
  ReservationId id;
  std::uint64_t serial = 0;  // order of creation
  std::string name;
  ReservationKind kind = ReservationKind::administrative;
  JobId job;  // kind job: whose
  AccessList access;
  Time start{0};
  Time end = kForever;
  /// The resources of one task; processors -1: every resource of the node (PROCS=-1).
  Resources per_task{-1};
  Placement nodes;          // for a job with several requirements, per_task is the request's
  std::uint16_t flags = 0;  // bits of ReservationFlag
  std::string owner, charge_account, host_expression;
  std::string resource_manager;  // that keeps it, and alone changes it; empty: none does
  /// Kind standing: of which standing reservation, and the beginning of the period (day, week) that
  /// it stands for.
  std::string standing;
  Time period{0};
  std::int32_t tasks_wanted = 0;  // when it is whole; 0: as it was made
  /// Kind administrative, asked for by a task count: where its nodes may be.
  PartitionId partition;            // invalid: anywhere
  std::vector<FeatureId> features;  // sorted

  bool active_at(Time now) const { return start <= now && now < end; }
};

/// SRCFG[chem] makes chem.0.0 and the like, setres -n chem makes chem.0: chem stands for all of
/// them.
bool goes_by(const Reservation& reservation, std::string_view name);
/// Tells if the reservation admits a job; for kind job nobody.
Admission admission(const Reservation& reservation, const Applicant& applicant);

}  // namespace maui
