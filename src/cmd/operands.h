// Reads what the operands and flags of a command name.
#pragma once
#include <string>
#include <string_view>

#include "cmd/context.h"
#include "sched/limits/throttling.h"

namespace maui {

/// Returns words to stand behind "cannot find": that resource managers have not reported yet, as
/// after the start of the scheduler; empty: they have.
std::string not_reported_yet(const Context& context);
/// True if the job's name is that number with a point and its server's name behind it (PBS).
bool has_number(std::string_view job, std::string_view number);
/// The job of that name, or a refusal.  It may be given as showq shows it, with the mark behind it
/// of one that was backfilled, that may be preempted or that holds a reservation; and as its number
/// alone, where that is one job's.
Result<JobId> job_named(const Context& context, std::string_view name);
/// A name without such a mark.
std::string_view without_mark(std::string_view name);
/// The node, reservation or partition of that name, or a refusal.
Result<NodeId> node_named(const Context& context, std::string_view name);
Result<ReservationId> reservation_named(const Context& context, std::string_view name);
/// An empty name stands for all partitions: an invalid id.
Result<PartitionId> partition_named(const Context& context, std::string_view name);
/// Checks the value of -l; without it SOFT.
Result<std::string> policy_level(const Context& context);
Strictness strictness_of(std::string_view level);

}  // namespace maui
