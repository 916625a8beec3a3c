// Variants of a request whose possible nodes or duration depend on the nodes: node sets (guide 8.3)
// and limits that depend on speed (USEMACHINESPEED).
//
// Each way to run a request - within one set, on nodes of at least some speed, for the time that it
// may take on the slowest of them - is a variant.  Each variant is a separate question, and the
// best answer wins.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "sched/placement/node_sets.h"

namespace maui {

struct Variant {
  std::vector<KindMask> kinds;  // the kinds of nodes that may serve each requirement
  Seconds stay{1};              // the duration on the slowest of these nodes
};

struct Variants {
  struct Set {
    std::vector<Variant> variants;
    double fastest = 0;
  };
  std::vector<Set> sets;          // node sets, if the request asks for one
  std::vector<Variant> anywhere;  // regardless of the set
};

Variants variants_of(const Cluster& cluster, const Request& request);

/// Returns the request confined to the nodes on which its limit is at most `most`; nullopt if it
/// may use no other nodes.
std::optional<Request> on_fast_nodes(const Cluster& cluster, const Request& request, Seconds most);

/// Returns how long the request may run on the fastest nodes of the cluster.
Seconds shortest_stay(const Cluster& cluster, const Request& request);
/// The same of the job's shortest shape.
Seconds shortest_stay(const Cluster& cluster, const Job& job);

}  // namespace maui
