// Resolves the names in operands and flags of a command.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cmd/context.h"
#include "sched/limits/throttling.h"

namespace maui {

/// Returns words to append to "cannot find": resource managers have not reported yet, as after a
/// start of the scheduler, or scheduling is stopped; empty if neither is the case.
std::string not_reported_yet(const Context& context);
/// Returns since when scheduling is stopped, and by whom, for readers of replies; empty if it is
/// not.
std::string stopped_scheduling(const Engine& engine);
/// True if `job` is `number`, a point and the name of its server (PBS).
bool has_number(std::string_view job, std::string_view number);
/// Returns the job with that name, or a refusal.  The name may have the mark that showq appends to
/// jobs that were backfilled, are preemptible or hold a reservation; the number alone will do if
/// only one job has that number.
Result<JobId> job_named(const Context& context, std::string_view name);
/// Returns a job's name without showq's mark.
std::string_view without_mark(std::string_view name);
/// Return the node, reservation or partition of that name, or a refusal.
Result<NodeId> node_named(const Context& context, std::string_view name);
Result<ReservationId> reservation_named(const Context& context, std::string_view name);
/// Returns the features of "FEATURE:FEATURE", sorted; a refusal if no node has one of them.  Some
/// names contain colons (rm:one): the longest that is known counts.
Result<std::vector<FeatureId>> features_named(const Cluster& cluster, std::string_view list);
/// An empty name stands for all partitions: returns an invalid id.
Result<PartitionId> partition_named(const Context& context, std::string_view name);
/// Returns the checked value of -l; SOFT without -l.
Result<std::string> policy_level(const Context& context);
Strictness strictness_of(std::string_view level);

}  // namespace maui
