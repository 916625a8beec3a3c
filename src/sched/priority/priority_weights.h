// Which weights count in a partition and through a QOS (guide 5.1.2, appendix F).
#pragma once
#include <boost/container/static_vector.hpp>
#include <vector>

#include "sched/priority/priority_components.h"

namespace maui {

/// True if some QOS adds to the weight of the subcomponent (guide 5.1.2.4).
bool qos_adds_weight(const Settings& settings, const SubcomponentInfo& info);

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

/// Weights, and the subcomponents that count by them.
struct PriorityWeights {
  PriorityWeights(const Settings& settings, PrioritySettings of);
  bool counts(Component component) const;

  PrioritySettings all;
  boost::container::static_vector<const SubcomponentInfo*, kSubcomponents> counted;
};

}  // namespace maui
