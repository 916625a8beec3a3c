// Messages about the amounts that an infeasible request asks for and the cluster does not have.
#pragma once
#include <optional>
#include <string>

#include "maui/cluster.h"

namespace maui {

/// "feature 'fast'", or "host name 'n7'": a host that is no node is asked for by the feature host=.
std::string feature_words(const Cluster& cluster, FeatureId feature);

/// Names the amounts of a task each of which alone rules out all nodes that have the features,
/// class and so on which the task needs: "no node with class 'long' has 9000 MB of memory (at most
/// 8000)".  Empty: there is none.
std::string lacking_amounts(const Cluster& cluster, const Request& request,
                            const Requirement& requirement);

/// Returns what a request asks for in all, and what there is of it: "the job asks for 20 procs, of
/// which the cluster has 16".  nullopt if there is enough for each of its requirements by itself.
std::optional<std::string> excess_of(const Cluster& cluster, const Request& request);

}  // namespace maui
