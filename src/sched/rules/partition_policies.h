// Scheduling policies of single partitions (guide 7.2): BACKFILLPOLICY[NAME] and
// NODEALLOCATIONPOLICY[NAME].
#pragma once
#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// Returns the partition whose own BACKFILLPOLICY applies to jobs with this request: the only one
/// that they may use.  Invalid: the general policy applies.
PartitionId backfills_by(const Cluster& cluster, const Settings& settings, const Request& request);
BackfillPolicy backfill_policy(const Cluster& cluster, const Settings& settings,
                               const Request& request);

/// Returns how nodes of a partition are chosen; without a partition, the general
/// policy.
NodeAllocation node_allocation(const Cluster& cluster, const Settings& settings,
                               PartitionId partition);

/// True if nodes of some partition, or of all, are chosen by this policy.
bool allocates(const Settings& settings, NodeAllocation policy);

/// True if any job may start out of its turn.
bool backfills(const Settings& settings);
/// True if, for some jobs, the head of the queue may preempt backfilled jobs.
bool preempts_backfilled(const Settings& settings);
/// True if BACKFILLPROGRAM chooses some of the jobs to backfill.
bool backfills_locally(const Settings& settings);
/// True if jobs with this backfill policy ever get priority reservations.
bool makes_reservations(const Settings& settings, BackfillPolicy policy);
/// True if any job ever gets a priority reservation (RESERVATIONPOLICY, BACKFILLPOLICY).
bool makes_reservations(const Settings& settings);
/// True if priority reservations are kept from one cycle to the next.
bool keeps_reservations(const Settings& settings);
/// Returns RESERVATIONRETRYTIME of the stack that the job's priority reservation belongs to; 0: it
/// belongs to none.
Seconds retry_time(const Cluster& cluster, const Settings& settings, const Job& job);

}  // namespace maui
