// Advice on settings that look wrong for this cluster, which is possible once its nodes are known.
#pragma once
#include <string>
#include <vector>

#include "config/configuration.h"
#include "maui/cluster.h"

namespace maui {

/// Returns one sentence per finding: nodes of several processors without a setting that says
/// whether they are shared; nodes, partitions, features and classes that do not exist.  Empty until
/// a node is known.
std::vector<std::string> site_advice(const Configuration& configuration, const Cluster& cluster);

}  // namespace maui
