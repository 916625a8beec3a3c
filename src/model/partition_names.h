// Lists of partitions in messages.
#pragma once
#include <span>
#include <string>

#include "maui/cluster.h"

namespace maui {

/// Returns the names of the partitions, as PLIST and PMASK list them: "fast:slow".
inline std::string partition_names(const Cluster& cluster, std::span<const PartitionId> ids) {
  std::string out;
  for (const PartitionId id : ids) out += (out.empty() ? "" : ":") + cluster.partitions[id];
  return out;
}

}  // namespace maui
