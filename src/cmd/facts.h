// The guide's words and plain numbers for what the cluster knows.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/state_names.h"
#include "cmd/context.h"
#include "maui/plan.h"
#include "maui/rm_record.h"
#include "sched/eligibility.h"
#include "sched/limits/throttling.h"
#include "sched/query/explain.h"
#include "sched/query/reason_words.h"

namespace maui {

/// Seconds as replies have them; -1: without limit.
std::int64_t raw(Seconds duration);
/// A time as replies have it; -1: never.
std::int64_t raw(Time when);

std::string_view access_name(NodeAccess access);
/// A waiting job as showq shows it: the hold that keeps it back, or its state.
std::string_view queue_state(const Job& job);
std::string_view reason_words(NodeReason reason);
/// The names of bits of JobFlag.
std::vector<std::string> flag_names(std::uint16_t flags);

AmountBound bound_of(const Bound& bound);
/// The bound on memory or disk: without one "at least none", as in traces and release 3.3.
AmountBound floor_of(const Bound& bound);
/// PROCS, MEM, SWAP, DISK and generic resources of which there are some; no class initiators.
std::vector<ResourceAmount> amounts_of(const Cluster& cluster, const Resources& resources);
std::vector<ClassAmount> classes_of(const Cluster& cluster, const Resources& free,
                                    const Resources& configured);
std::vector<std::string> feature_names(const Cluster& cluster,
                                       const std::vector<FeatureId>& features);
std::string or_none(const std::string& text);

/// The name of a job's QOS; "DEFAULT" where it has none.
std::string qos_of(const Cluster& cluster, const Job& job);
/// Where a job runs, or the only partition that it may use, or ALL.
std::string partition_of(const Cluster& cluster, const Job& job);
/// May the job use the partition?  An invalid one stands for all.
bool uses_partition(const Cluster& cluster, const Job& job, PartitionId partition);
std::vector<NodeShare> shares_of(const Cluster& cluster, const Placement& placement,
                                 int requirement = -1);
/// How many nodes a request names: its node count, what its tasks per node come to, or a node a
/// task.
std::int64_t nodes_of(const Request& request);
std::int64_t procs_of(const Cluster& cluster, const Reservation& reservation);
/// The use that jobs make of a node.  Nobody measures a simulated node: there, resources dedicated
/// to jobs count as used, and their recorded processor time makes the load.
struct Utilisation {
  Resources amount;
  double load = 0;
};
Utilisation utilisation_of(const Context& context, const Node& node);
/// The resource managers that do not answer: what is known of their nodes and jobs is old.
std::vector<RmRecord> silent_managers(const Context& context);
/// Says so of the nodes of one.
std::string old_news(const Context& context, const RmRecord& silent);
/// When an active job's wallclock limit ends.
Time limit_of(const Cluster& cluster, const Job& job);
/// Seconds that an active job has left, below zero past its limit; -1: it has no limit.
std::int64_t remaining_of(const Cluster& cluster, const Job& job, Time now);
/// Says why a node takes no new jobs whatever its state is (Occupancy::closed).
std::string why_closed(const Context& context, const Node& node);
/// How much of the processors that the job has is used, as its record tells; 1 where it does not.
double efficiency_of(const Cluster& cluster, const Job& job);
/// The resources of a node that active jobs hold.
Resources held_on(const Occupancy& here);
/// How much of what is up in a partition is in use.
QueueUse use_of(const Cluster& cluster, PartitionId partition = {});

/// The nodes that people are told of: all but those that are forgotten (NODEPURGETIME).
std::vector<std::reference_wrapper<const Node>> listed_nodes(const Cluster& cluster);

/// Where reservations stand in lists: standing ones in the order of maui.cfg, then the others.
class ListedOrder {
 public:
  explicit ListedOrder(const Settings& settings);
  std::size_t place(const Reservation& reservation) const;

 private:
  std::vector<std::string> names_;
};

/// The job, node, reservation or partition of that name, or a refusal.
Result<JobId> job_named(const Context& context, std::string_view name);
Result<NodeId> node_named(const Context& context, std::string_view name);
Result<ReservationId> reservation_named(const Context& context, std::string_view name);
/// An empty name stands for all partitions: an invalid id.
Result<PartitionId> partition_named(const Context& context, std::string_view name);
/// Checks the value of -l; without it SOFT.
Result<std::string> policy_level(const Context& context);
Strictness strictness_of(std::string_view level);

/// The eligible jobs, highest priority first; those that only a limit keeps out are told in
/// `limited`.
std::vector<Plan::Ranked> eligible_jobs(const Context& context, Strictness level = Strictness::hard,
                                        std::vector<Throttling::Blocked>* limited = nullptr);
/// Jobs that are neither active nor eligible at this level, in order of arrival, and why.
struct BlockedJob {
  JobId job;
  std::string reason;
};
std::vector<BlockedJob> blocked_with_reasons(const Context& context, Strictness level);
/// Jobs that are neither active nor among the eligible ones, in order of arrival.
std::vector<JobId> blocked_jobs(const Context& context, const std::vector<Plan::Ranked>& eligible);

}  // namespace maui
