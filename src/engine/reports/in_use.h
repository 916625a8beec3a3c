// Whether classes and partitions are used on this cluster.
#pragma once
#include "maui/cluster.h"

namespace maui {

/// True if some node configures a class.
bool classes_in_use(const Cluster& cluster);
/// True if some node is in a partition other than DEFAULT.
bool partitions_in_use(const Cluster& cluster);

}  // namespace maui
