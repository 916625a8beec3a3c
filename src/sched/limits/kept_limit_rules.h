// Limit rules that are kept from cycle to cycle, with the scopes that they have made.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/limits/limit_rules.h"

namespace maui {

class KeptLimitRules {
 public:
  /// Returns the rules that a cluster and its settings make: those of the last call, if that had
  /// the same cluster and equal limits.  They are valid until the next call.
  LimitRules& of(const Cluster& cluster, const Settings& settings);

 private:
  bool hold_for(const Cluster& cluster, const Settings& settings) const;

  // All that the rules were made from.
  const Cluster* cluster_ = nullptr;
  std::uint64_t names_ = 0;              // Cluster::names_given_up()
  std::vector<PartitionId> partitions_;  // by place in Settings::partitions
  Settings settings_;                    // a copy of those parts of which the rules are made

  std::optional<LimitRules> rules_;  // of the copy
};

}  // namespace maui
