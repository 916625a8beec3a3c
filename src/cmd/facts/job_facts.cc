#include "cmd/facts/job_facts.h"

#include <algorithm>

#include "base/state_names.h"
#include "cmd/facts/reply_values.h"
#include "model/placement.h"

namespace maui {

std::string_view queue_state(const Job& job) {
  if (job.suspended()) return state_name(job.state);
  for (const HoldName& row : kHoldNames)
    if (has(job.holds, row.hold)) return row.state;
  return state_name(job.state);
}

std::string qos_of(const Cluster& cluster, const Job& job) {
  return job.credentials.qos.valid() ? cluster.qos[job.credentials.qos] : "DEFAULT";
}

namespace {

/// True if the job has nodes, which a suspended one has left for the time being.
bool placed(const Job& job) { return (job.active() || job.suspended()) && !job.placement.empty(); }

}  // namespace

std::string partition_of(const Cluster& cluster, const Job& job) {
  if (placed(job)) return cluster.partitions[partition_of(cluster, job.placement)];
  if (job.reservation.valid() && !cluster.reservation(job.reservation).nodes.empty())
    return cluster.partitions[partition_of(cluster, cluster.reservation(job.reservation).nodes)];
  const auto& may = cluster.request(job.request).partitions;
  return may.size() == 1 ? cluster.partitions[may.front()] : "ALL";
}

bool uses_partition(const Cluster& cluster, const Job& job, PartitionId partition) {
  if (!partition.valid()) return true;
  if (placed(job)) return partition_of(cluster, job.placement) == partition;
  const auto& may = cluster.request(job.request).partitions;
  return may.empty() || std::find(may.begin(), may.end(), partition) != may.end();
}

std::vector<NodeShare> shares_of(const Cluster& cluster, const Placement& placement,
                                 int requirement) {
  std::vector<NodeShare> shares;
  for (const NodeTasks& part : placement) {
    if (requirement >= 0 && part.requirement != static_cast<std::uint32_t>(requirement)) continue;
    shares.push_back({cluster.node(part.node).name, part.tasks});
  }
  return shares;
}

std::int64_t nodes_of(const Request& request) {
  std::int64_t nodes = 0;
  for (const Requirement& requirement : request.requirements) {
    if (requirement.nodes > 0)
      nodes += requirement.nodes;
    else if (requirement.tasks_per_node > 0)
      nodes += (requirement.tasks + requirement.tasks_per_node - 1) / requirement.tasks_per_node;
    else if (requirement.least_nodes > 0)
      nodes += requirement.least_nodes;
    else
      nodes += requirement.tasks;
  }
  return nodes;
}

double efficiency_of(const Cluster& cluster, const Job& job) {
  if (!job.recorded || job.recorded->proc_seconds <= 0) return 1;
  const double dedicated = static_cast<double>(job.recorded->run_time.raw()) *
                           cluster.request(job.request).total_procs();
  return dedicated <= 0 ? 1 : std::min(1.0, job.recorded->proc_seconds / dedicated);
}

std::int64_t remaining_of(const Cluster& cluster, const Job& job, Time now) {
  const Time limit = cluster.limit_end(job);
  if (job.ends >= kForever || limit >= kForever) return -1;
  if (job.state == JobState::starting) return raw(job.ends - now);
  const std::int64_t left = (limit - now).raw();
  return left == -1 ? 0 : left;  // -1 stands for no limit
}

}  // namespace maui
