#include "sched/priority/priority_weights.h"

#include <algorithm>

namespace maui {

bool some_qos_adds(const Settings& settings, double CredentialSettings::*weight) {
  return std::any_of(settings.qos.begin(), settings.qos.end(),
                     [&](const auto& entry) { return entry.second.*weight != 0; });
}

PrioritySettings weights_in_partition(const Settings& settings,
                                      const std::vector<PartitionWeight>& own) {
  PrioritySettings weights = settings.priority;
  for (const auto& change : own) (weights.*change.of).*change.part = change.value;
  return weights;
}

PriorityWeights::PriorityWeights(const Settings& settings, const PrioritySettings& of) : all(of) {
  for (const auto& info : subcomponents()) {
    if (!maui::counts(settings, all, info)) continue;
    counted.push_back(&info);
    components |= 1U << index_of(info.component);
  }
}

bool counts_in_some_partition(const Settings& settings, const SubcomponentInfo& info) {
  return std::any_of(settings.partition_weights.begin(), settings.partition_weights.end(),
                     [&](const auto& partition) {
                       return counts(settings, weights_in_partition(settings, partition.second),
                                     info);
                     });
}

}  // namespace maui
