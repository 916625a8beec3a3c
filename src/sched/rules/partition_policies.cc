#include "sched/rules/partition_policies.h"

#include <algorithm>

namespace maui {
namespace {

const PartitionPolicies* policies_of(const Cluster& cluster, const Settings& settings,
                                     PartitionId partition) {
  if (settings.partition_policies.empty() || !partition.valid()) return nullptr;
  const auto at = settings.partition_policies.find(cluster.partitions[partition]);
  return at == settings.partition_policies.end() ? nullptr : &at->second;
}

/// True if `holds` is true for the general policy or for that of some partition.
template <class Holds>
bool some_backfill(const Settings& settings, Holds holds) {
  return holds(settings.backfill) ||
         std::any_of(settings.partition_policies.begin(), settings.partition_policies.end(),
                     [&](const auto& entry) {
                       return entry.second.backfill && holds(*entry.second.backfill);
                     });
}

}  // namespace

PartitionId backfills_by(const Cluster& cluster, const Settings& settings, const Request& request) {
  if (settings.partition_policies.empty() || request.partitions.size() != 1) return {};
  const auto* own = policies_of(cluster, settings, request.partitions.front());
  return own && own->backfill ? request.partitions.front() : PartitionId();
}

BackfillPolicy backfill_policy(const Cluster& cluster, const Settings& settings,
                               const Request& request) {
  if (settings.partition_policies.empty()) return settings.backfill;
  const auto* own = policies_of(cluster, settings, backfills_by(cluster, settings, request));
  return own ? own->backfill.value_or(settings.backfill) : settings.backfill;
}

NodeAllocation node_allocation(const Cluster& cluster, const Settings& settings,
                               PartitionId partition) {
  const auto* own = policies_of(cluster, settings, partition);
  return own ? own->node_allocation.value_or(settings.node_allocation) : settings.node_allocation;
}

bool allocates(const Settings& settings, NodeAllocation policy) {
  return settings.node_allocation == policy ||
         std::any_of(
             settings.partition_policies.begin(), settings.partition_policies.end(),
             [policy](const auto& entry) { return entry.second.node_allocation == policy; });
}

bool backfills(const Settings& settings) {
  return some_backfill(settings,
                       [](BackfillPolicy policy) { return policy != BackfillPolicy::none; });
}

bool backfills_locally(const Settings& settings) {
  return some_backfill(settings,
                       [](BackfillPolicy policy) { return policy == BackfillPolicy::local; });
}

bool preempts_backfilled(const Settings& settings) {
  return some_backfill(settings,
                       [](BackfillPolicy policy) { return policy == BackfillPolicy::preempt; });
}

bool makes_reservations(const Settings& settings, BackfillPolicy policy) {
  return settings.reservation_policy != ReservationPolicy::never &&
         policy != BackfillPolicy::none && policy != BackfillPolicy::preempt;
}

bool makes_reservations(const Settings& settings) {
  return some_backfill(settings,
                       [&](BackfillPolicy policy) { return makes_reservations(settings, policy); });
}

namespace {

bool reserves_for_several(const Settings& settings) {
  const auto& stacks = settings.reservation_stacks;
  return stacks.size() > 1 ||
         std::any_of(stacks.begin(), stacks.end(),
                     [](const auto& stack) { return stack.depth > 1; }) ||
         std::any_of(settings.partition_policies.begin(), settings.partition_policies.end(),
                     [](const auto& entry) { return entry.second.backfill.has_value(); });
}

}  // namespace

// A promise may delay the next reservation: with several reservations, each must keep its place
// until it finds a better one.
bool keeps_reservations(const Settings& settings) {
  if (!makes_reservations(settings)) return false;
  return settings.reservation_policy == ReservationPolicy::highest ||
         (settings.learning.decides() && reserves_for_several(settings));
}

Seconds retry_time(const Cluster& cluster, const Settings& settings, const Job& job) {
  for (const ReservationStack& stack : settings.reservation_stacks)
    if (stack.serves(cluster.qos[job.credentials.qos])) return stack.retry;
  return Seconds(0);
}

}  // namespace maui
