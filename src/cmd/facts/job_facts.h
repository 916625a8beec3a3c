// Facts about a job that commands show.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/reply.h"

namespace maui {

/// Returns the state of a waiting job in showq: the hold that blocks the job, or its state.
std::string_view queue_state(const Job& job);
/// Returns the name of a job's QOS; "DEFAULT" if it has none.
std::string qos_of(const Cluster& cluster, const Job& job);
/// Returns the partition in which a job runs, or the only one it may use, or ALL.
std::string partition_of(const Cluster& cluster, const Job& job);
/// True if the job may use the partition; an invalid partition stands for all.
bool uses_partition(const Cluster& cluster, const Job& job, PartitionId partition);
std::vector<NodeShare> shares_of(const Cluster& cluster, const Placement& placement,
                                 int requirement = -1);
/// Returns how many nodes a request needs: its node count, the number that follows from its tasks
/// per node, or one node per task.
std::int64_t nodes_of(const Request& request);
/// Returns the seconds left to an active job, negative past its limit; -1: it has no limit.
std::int64_t remaining_of(const Cluster& cluster, const Job& job, Time now);
/// Returns the used share of the job's processors, as recorded; 1 without a record.
double efficiency_of(const Cluster& cluster, const Job& job);

}  // namespace maui
