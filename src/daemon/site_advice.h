// Advice on a configuration that is odd on this machine, which shows only once its nodes are known.
#pragma once
#include <string>
#include <vector>

#include "config/configuration.h"
#include "maui/cluster.h"

namespace maui {

/// A sentence each: nodes of several processors where nothing says whether they are shared, lines
/// about nodes that nobody reports.  Empty as long as no node is known.
std::vector<std::string> site_advice(const Configuration& configuration, const Cluster& cluster);

}  // namespace maui
