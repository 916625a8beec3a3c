#include "cmd/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/duration.h"
#include "base/enum_names.h"
#include "base/job_flag_names.h"
#include "base/state_names.h"
#include "engine/node_sync.h"
#include "maui/initiators.h"
#include "model/job_extensions.h"
#include "sched/placement/feasibility.h"
#include "sched/priority/priority.h"
#include "sched/reservations/standing.h"
#include "sched/selection.h"

namespace maui {
namespace {

constexpr EnumName<NodeAccess> kAccess[] = {
    {NodeAccess::shared, "SHARED"},
    {NodeAccess::dedicated, "DEDICATED"},
    {NodeAccess::single_user, "SINGLEUSER"},
    {NodeAccess::single_task, "SINGLETASK"},
};
constexpr EnumName<NodeReason> kNodeReasons[] = {
    {NodeReason::none, ""},
    {NodeReason::job_class, "Class"},
    {NodeReason::cpu, "CPU"},
    {NodeReason::disk, "Disk"},
    {NodeReason::features, "Features"},
    {NodeReason::memory, "Memory"},
    {NodeReason::network, "Network"},
    {NodeReason::state, "State"},
    {NodeReason::swap, "Swap"},
    {NodeReason::architecture, "Arch"},
    {NodeReason::opsys, "Opsys"},
    {NodeReason::partition, "Partition"},
    {NodeReason::host_list, "HostList"},
    {NodeReason::access, "Access"},
    {NodeReason::resources, "Resources"},
    {NodeReason::reserve_time, "ReserveTime"},
};
constexpr EnumName<Comparison> kComparisons[] = {
    {Comparison::any, "NC"},   {Comparison::less, "<"},      {Comparison::at_most, "<="},
    {Comparison::equal, "=="}, {Comparison::at_least, ">="}, {Comparison::more, ">"},
};

template <class E, std::size_t N>
std::string_view spelled(const EnumName<E> (&table)[N], E value) {
  return name_of(std::span<const EnumName<E>>(table), value);
}

}  // namespace

std::int64_t raw(Seconds duration) { return duration >= kUnlimited ? -1 : duration.raw(); }
std::int64_t raw(Time when) { return when >= kForever ? -1 : when.raw(); }

std::string_view access_name(NodeAccess access) { return spelled(kAccess, access); }
std::string_view reason_words(NodeReason reason) { return spelled(kNodeReasons, reason); }

std::string_view queue_state(const Job& job) {
  for (const HoldName& row : kHoldNames)
    if (has(job.holds, row.hold)) return row.state;
  return state_name(job.state);
}

std::vector<std::string> flag_names(std::uint16_t flags) {
  std::vector<std::string> names;
  for (const auto& row : kJobFlagNames)
    if (has(flags, row.value)) names.emplace_back(row.name);
  for (const auto& row : kGrantedFlagNames)
    if (has(flags, row.value) && name_of<JobFlag>(kJobFlagNames, row.value) != row.name)
      names.emplace_back(row.name);
  return names;
}

AmountBound bound_of(const Bound& bound) {
  return {std::string(spelled(kComparisons, bound.compare)), bound.amount};
}

AmountBound floor_of(const Bound& bound) {
  return bound.compare == Comparison::any ? bound_of({Comparison::at_least, 0}) : bound_of(bound);
}

std::vector<ResourceAmount> amounts_of(const Cluster& cluster, const Resources& resources) {
  std::vector<ResourceAmount> amounts;
  const auto add = [&](const std::string& name, Resources::Quantity amount) {
    if (amount != 0) amounts.push_back({name, amount});
  };
  add("PROCS", resources.procs());
  add("MEM", resources.memory());
  add("SWAP", resources.swap());
  add("DISK", resources.disk());
  for (const auto& [id, amount] : resources.extra())
    if (const auto& name = cluster.consumables[id]; !name.starts_with(kInitiatorPrefix))
      add(name, amount);
  return amounts;
}

std::vector<ClassAmount> classes_of(const Cluster& cluster, const Resources& free,
                                    const Resources& configured) {
  std::vector<ClassAmount> classes;
  for (const auto& [id, amount] : configured.extra())
    if (const auto& name = cluster.consumables[id]; name.starts_with(kInitiatorPrefix))
      classes.push_back({name.substr(kInitiatorPrefix.size()), free.get(id), amount});
  const auto place = [&](const ClassAmount& one) { return cluster.classes.find(one.name); };
  std::stable_sort(classes.begin(), classes.end(),
                   [&](const ClassAmount& a, const ClassAmount& b) { return place(a) < place(b); });
  return classes;
}

std::vector<std::string> feature_names(const Cluster& cluster,
                                       const std::vector<FeatureId>& features) {
  std::vector<std::string> names;
  for (const FeatureId id : features) names.push_back(cluster.features[id]);
  return names;
}

std::string or_none(const std::string& text) { return text.empty() ? "[NONE]" : text; }

std::string qos_of(const Cluster& cluster, const Job& job) {
  return job.credentials.qos.valid() ? cluster.qos[job.credentials.qos] : "DEFAULT";
}

std::string partition_of(const Cluster& cluster, const Job& job) {
  if (job.active() && !job.placement.empty())
    return cluster.partitions[cluster.node(job.placement.front().node).partition];
  if (job.reservation.valid() && !cluster.reservation(job.reservation).nodes.empty())
    return cluster.partitions[cluster.node(cluster.reservation(job.reservation).nodes.front().node)
                                  .partition];
  const auto& may = cluster.request(job.request).partitions;
  return may.size() == 1 ? cluster.partitions[may.front()] : "ALL";
}

bool uses_partition(const Cluster& cluster, const Job& job, PartitionId partition) {
  if (!partition.valid()) return true;
  if (job.active() && !job.placement.empty())
    return cluster.node(job.placement.front().node).partition == partition;
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
  for (const Requirement& one : request.requirements) {
    if (one.nodes > 0)
      nodes += one.nodes;
    else if (one.tasks_per_node > 0)
      nodes += (one.tasks + one.tasks_per_node - 1) / one.tasks_per_node;
    else if (one.least_nodes > 0)
      nodes += one.least_nodes;
    else
      nodes += one.tasks;
  }
  return nodes;
}

std::int64_t procs_of(const Cluster& cluster, const Reservation& reservation) {
  std::int64_t procs = 0;
  for (const NodeTasks& share : reservation.nodes)
    procs += cluster.reserved_on(reservation, share).procs();
  return procs;
}

Resources held_on(const Occupancy& here) {
  Resources held;
  for (const Occupant& one : here.occupants) held.add(one.amount);
  return held;
}

double efficiency_of(const Cluster& cluster, const Job& job) {
  if (!job.recorded || job.recorded->proc_seconds <= 0) return 1;
  const double dedicated = static_cast<double>(job.recorded->run_time.raw()) *
                           cluster.request(job.request).total_procs();
  return dedicated <= 0 ? 1 : std::min(1.0, job.recorded->proc_seconds / dedicated);
}

Utilisation utilisation_of(const Context& context, const Node& node) {
  if (context.settings().server.mode != ServerMode::simulation) return {node.utilised, node.load};
  const Cluster& cluster = context.cluster();
  const Occupancy& here = cluster.occupancy(node.id);
  Utilisation used{held_on(here), 0};
  for (const Occupant& one : here.occupants)
    used.load +=
        efficiency_of(cluster, cluster.job(one.job)) * static_cast<double>(one.amount.procs());
  return used;
}

std::vector<RmRecord> silent_managers(const Context& context) {
  auto records = context.engine.rm_records();
  std::erase_if(records, [](const RmRecord& one) { return one.up || one.polls == 0; });
  return records;
}

std::string old_news(const Context& context, const RmRecord& silent) {
  if (silent.answered < Time(0))
    return fmt::format("resource manager '{}' has not answered yet", silent.name);
  return fmt::format("resource manager '{}' does not answer: its nodes are as they were {} ago",
                     silent.name, format_duration(context.now() - silent.answered));
}

Time limit_of(const Cluster& cluster, const Job& job) {
  return job.started + job.suspended_time +
         cluster.limit_on(cluster.request(job.request), job.placement);
}

std::int64_t remaining_of(const Cluster& cluster, const Job& job, Time now) {
  const Time limit = limit_of(cluster, job);
  if (job.ends >= kForever || limit >= kForever) return -1;
  if (job.state == JobState::starting) return raw(job.ends - now);
  const std::int64_t left = (limit - now).raw();
  return left == -1 ? 0 : left;  // -1 stands for no limit
}

std::string why_closed(const Context& context, const Node& node) {
  for (const RmRecord& one : silent_managers(context))
    if (one.name == node.resource_manager)
      return fmt::format("resource manager '{}' does not answer", one.name);
  if (unexpected(context.cluster(), node))
    return fmt::format("it is reported {}, which is not what its jobs make of it",
                       state_name(node.reported));
  return fmt::format("its load is {:.2f}", utilisation_of(context, node).load);
}

std::vector<std::reference_wrapper<const Node>> listed_nodes(const Cluster& cluster) {
  std::vector<std::reference_wrapper<const Node>> nodes;
  for (const Node& node : cluster.nodes())
    if (!node.purged) nodes.emplace_back(node);
  return nodes;
}

QueueUse use_of(const Cluster& cluster, PartitionId partition) {
  QueueUse use;
  for (const Node& node : cluster.nodes()) {
    if (partition.valid() && node.partition != partition) continue;
    const Occupancy& here = cluster.occupancy(node.id);
    const bool active = !here.occupants.empty();
    std::int64_t held = 0;
    for (const Occupant& one : here.occupants) held += one.amount.procs();
    use.nodes_active += active ? 1 : 0;
    use.procs_active += held;
    // A node that takes no more jobs counts with what its jobs hold.
    const std::int64_t offered = node.available() ? node.configured.procs() : 0;
    use.procs_up += std::max(offered, held);
    use.nodes_up += node.available() || active ? 1 : 0;
  }
  return use;
}

ListedOrder::ListedOrder(const Settings& settings) {
  for (const std::string& index : settings.standing_order)
    names_.push_back(standing_name(*settings.standing_reservations.find(index)));
}

// Those that only parameters of release 3.0 tell of (SRNAME and the like) come first.
std::size_t ListedOrder::place(const Reservation& reservation) const {
  if (reservation.kind != ReservationKind::standing) return names_.size() + 1;
  const auto at = std::find(names_.begin(), names_.end(), reservation.standing);
  return at == names_.end() ? 0 : static_cast<std::size_t>(at - names_.begin()) + 1;
}

Result<JobId> job_named(const Context& context, std::string_view name) {
  const JobId id = context.cluster().find_job(name);
  if (!id.valid()) return Error{fmt::format("cannot locate job '{}'", name)};
  return id;
}

Result<NodeId> node_named(const Context& context, std::string_view name) {
  const NodeId id = context.cluster().find_node(name);
  if (!id.valid() || context.cluster().node(id).purged)
    return Error{fmt::format("cannot locate node '{}'", name)};
  return id;
}

Result<ReservationId> reservation_named(const Context& context, std::string_view name) {
  const ReservationId id = context.cluster().find_reservation(name);
  if (!id.valid()) return Error{fmt::format("cannot locate reservation '{}'", name)};
  return id;
}

Result<PartitionId> partition_named(const Context& context, std::string_view name) {
  if (name.empty() || name == "ALL" || name == "[ALL]") return PartitionId();
  const PartitionId id = context.cluster().partitions.find(name);
  if (!id.valid()) return Error{fmt::format("invalid partition, {}, specified", name)};
  return id;
}

Result<std::string> policy_level(const Context& context) {
  const std::string level = context.value("l", "SOFT");
  if (level != "HARD" && level != "SOFT" && level != "OFF")
    return Error{fmt::format("-l: expected HARD, SOFT or OFF, not '{}'", level)};
  return level;
}

Strictness strictness_of(std::string_view level) {
  if (level == "OFF") return Strictness::off;
  return level == "SOFT" ? Strictness::soft : Strictness::hard;
}

std::vector<Plan::Ranked> eligible_jobs(const Context& context, Strictness level,
                                        std::vector<Throttling::Blocked>* limited) {
  return considered(context.cluster(), context.settings(), context.now(), level, limited);
}

std::vector<JobId> blocked_jobs(const Context& context, const std::vector<Plan::Ranked>& eligible) {
  const Cluster& cluster = context.cluster();
  std::unordered_set<JobId> not_blocked;
  for (const auto& ranked : eligible) not_blocked.insert(ranked.job);
  std::vector<JobId> blocked;
  for (const JobId id : cluster.jobs())
    if (!cluster.job(id).active() && !not_blocked.contains(id)) blocked.push_back(id);
  return blocked;
}

std::vector<BlockedJob> blocked_with_reasons(const Context& context, Strictness level) {
  std::vector<Throttling::Blocked> limited;
  const auto eligible = eligible_jobs(context, level, &limited);
  std::unordered_map<JobId, const Violation*> limits;
  for (const auto& one : limited) limits.emplace(one.job, &one.why);
  std::vector<BlockedJob> blocked;
  const Eligibility eligibility(context.cluster(), context.settings(), context.now());
  for (const JobId id : blocked_jobs(context, eligible)) {
    const auto limit = limits.find(id);
    blocked.push_back({id, limit == limits.end()
                               ? blocked_reason(eligibility, context.cluster(), context.settings(),
                                                context.cluster().job(id))
                               : describe(context.cluster(), *limit->second)});
  }
  return blocked;
}

}  // namespace maui
