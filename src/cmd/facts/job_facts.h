// Facts that commands show of a job.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/reply.h"

namespace maui {

/// A waiting job as showq shows it: the hold that keeps it back, or its state.
std::string_view queue_state(const Job& job);
/// The name of a job's QOS; "DEFAULT" where it has none.
std::string qos_of(const Cluster& cluster, const Job& job);
/// Names the partition in which a job runs, or the only one that it may use, or ALL.
std::string partition_of(const Cluster& cluster, const Job& job);
/// May the job use the partition?  An invalid one stands for all.
bool uses_partition(const Cluster& cluster, const Job& job, PartitionId partition);
std::vector<NodeShare> shares_of(const Cluster& cluster, const Placement& placement,
                                 int requirement = -1);
/// How many nodes a request names: its node count, what its tasks per node come to, or a node a
/// task.
std::int64_t nodes_of(const Request& request);
/// When an active job's wallclock limit ends.
Time limit_of(const Cluster& cluster, const Job& job);
/// Seconds that an active job has left, below zero past its limit; -1: it has no limit.
std::int64_t remaining_of(const Cluster& cluster, const Job& job, Time now);
/// How much of the processors that the job has is used, as its record says; 1 where it does not.
double efficiency_of(const Cluster& cluster, const Job& job);

}  // namespace maui
