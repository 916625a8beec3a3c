// Scheduling policies that a partition has of its own (guide 7.2):
// BACKFILLPOLICY[NAME] and NODEALLOCATIONPOLICY[NAME].
#pragma once
#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// The partition whose own BACKFILLPOLICY is that of jobs with this request:
/// the only one that they may use.  Invalid: the general policy holds for them.
PartitionId backfills_by(const Cluster& cluster, const Settings& settings, const Request& request);
BackfillPolicy backfill_policy(const Cluster& cluster, const Settings& settings,
                               const Request& request);

/// How nodes of a partition are chosen; of none in particular, by the general
/// policy.
NodeAllocation node_allocation(const Cluster& cluster, const Settings& settings,
                               PartitionId partition);

/// True if any job may start out of its turn.
bool backfills(const Settings& settings);
/// True if the head of the queue may preempt what backfill started, of some of these jobs.
bool preempts_backfilled(const Settings& settings);
/// True if BACKFILLPROGRAM chooses some of these jobs.
bool backfills_locally(const Settings& settings);
/// True if jobs with this backfill policy ever get priority reservations.
bool makes_reservations(const Settings& settings, BackfillPolicy policy);
/// True if some job ever gets one (RESERVATIONPOLICY, BACKFILLPOLICY).
bool makes_reservations(const Settings& settings);
/// True if they are kept from one cycle to the next.
bool keeps_reservations(const Settings& settings);

}  // namespace maui
