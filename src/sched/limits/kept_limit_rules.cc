#include "sched/limits/kept_limit_rules.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "model/credentials.h"

namespace maui {
namespace {

// Compares every byte: much faster than limit by limit, and done at each cycle.
bool equal(const ThrottlingSettings::Each& a, const ThrottlingSettings::Each& b) {
  static_assert(std::has_unique_object_representations_v<ThrottlingSettings::Each>);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool limit_alike(const CredentialSettings& a, const CredentialSettings& b) {
  return a.limits == b.limits && a.flags == b.flags;
}

bool limit_alike(const CredentialTable& a, const CredentialTable& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& mine, const auto& its) {
    return mine.first == its.first && limit_alike(mine.second, its.second);
  });
}

/// True if limits and flags are equal, on which alone the rules depend.
bool limit_alike(const Settings& a, const Settings& b) {
  return equal(a.throttling.each_active, b.throttling.each_active) &&
         equal(a.throttling.each_idle, b.throttling.each_idle) && limit_alike(a.system, b.system) &&
         a.partitions == b.partitions &&
         std::all_of(kCredentialKinds.begin(), kCredentialKinds.end(), [&](CredentialKind kind) {
           return limit_alike(table_of(a, kind), table_of(b, kind));
         });
}

Settings limits_of(const Settings& settings) {
  Settings copy;
  copy.throttling = settings.throttling;
  copy.system = settings.system;
  copy.partitions = settings.partitions;
  copy.users = settings.users;
  copy.groups = settings.groups;
  copy.accounts = settings.accounts;
  copy.classes = settings.classes;
  copy.qos = settings.qos;
  return copy;
}

/// Returns the partitions with limits; invalid: no node of the partition is known yet.
std::vector<PartitionId> partitions_with_limits(const Cluster& cluster, const Settings& settings) {
  std::vector<PartitionId> found;
  for (const auto& [name, limits] : settings.partitions)
    found.push_back(cluster.partitions.find(name));
  return found;
}

}  // namespace

bool KeptLimitRules::hold_for(const Cluster& cluster, const Settings& settings) const {
  return rules_ && &cluster == cluster_ && cluster.names_given_up() == names_ &&
         limit_alike(settings, settings_) &&
         partitions_with_limits(cluster, settings) == partitions_;
}

LimitRules& KeptLimitRules::of(const Cluster& cluster, const Settings& settings) {
  if (hold_for(cluster, settings)) return *rules_;
  rules_.reset();
  cluster_ = &cluster;
  names_ = cluster.names_given_up();
  partitions_ = partitions_with_limits(cluster, settings);
  settings_ = limits_of(settings);
  return rules_.emplace(cluster, settings_);
}

}  // namespace maui
