#include "engine/reports/in_use.h"

#include <algorithm>
#include <string_view>

#include "maui/initiators.h"

namespace maui {

bool classes_in_use(const Cluster& cluster) {
  const auto all = cluster.configured();
  return std::any_of(all.extra().begin(), all.extra().end(),
                     [&](const ResourceTotals::Extra& extra) {
                       return cluster.consumables[extra.first].starts_with(kInitiatorPrefix);
                     });
}

bool partitions_in_use(const Cluster& cluster) {
  for (std::size_t i = 1; i < cluster.partitions.size(); ++i)
    if (!cluster.configured(PartitionId(i)).zero()) return true;
  return false;
}

}  // namespace maui
