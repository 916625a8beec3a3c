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
  const auto partitions = cluster.partitions_with_nodes();
  return std::any_of(partitions.begin(), partitions.end(), [&](PartitionId id) {
    return id != PartitionId(0U) && !cluster.configured(id).zero();
  });
}

}  // namespace maui
