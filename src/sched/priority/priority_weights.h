// The weights that count in a partition and through a QOS (guide 5.1.2, appendix F).
#pragma once
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <vector>

#include "sched/priority/priority_components.h"

namespace maui {

/// True if some QOS adds to a weight by this member.
bool some_qos_adds(const Settings& settings, double CredentialSettings::*weight);

/// True if some QOS adds to the weight of the subcomponent (guide 5.1.2.4).
inline bool qos_adds_weight(const Settings& settings, const SubcomponentInfo& info) {
  return info.qos_weight != nullptr && some_qos_adds(settings, info.qos_weight);
}

/// True if the subcomponent counts for some job by these weights.
inline bool counts(const Settings& settings, const PrioritySettings& weights,
                   const SubcomponentInfo& info) {
  if ((weights.*info.weighting).weight == 0 && !qos_adds_weight(settings, info)) return false;
  return weighting_of(weights, info.component).weight != 0 &&
         (info.component != Component::local || !settings.local.priority_program.empty());
}

/// Returns the general weights, overridden by the weights of a partition.
PrioritySettings weights_in_partition(const Settings& settings,
                                      const std::vector<PartitionWeight>& own);

bool counts_in_some_partition(const Settings& settings, const SubcomponentInfo& info);

/// True if a subcomponent counts for any job: it has a weight in general, in some partition or
/// through some QOS.
inline bool counts(const Settings& settings, const SubcomponentInfo& info) {
  return counts(settings, settings.priority, info) ||
         (!settings.partition_weights.empty() && counts_in_some_partition(settings, info));
}

/// Weights, and the subcomponents that count by them.
struct PriorityWeights {
  PriorityWeights(const Settings& settings, const PrioritySettings& of);
  bool counts(Component component) const { return (components >> index_of(component) & 1) != 0; }

  PrioritySettings all;
  boost::container::static_vector<const SubcomponentInfo*, kSubcomponents> counted;
  std::uint32_t components = 0;  // one bit for each that has a counted subcomponent
};

}  // namespace maui
