// Variants of a request: where and for how long it may run, where that depends on the nodes: node
// sets (guide 8.3) and limits that go by speed (USEMACHINESPEED).
//
// Each way to run it - within one set, on nodes of at least some speed, for the time that it may
// take on the slowest of them - is a variant; each is a question of its own, and the best answer is
// taken.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "sched/placement/node_sets.h"

namespace maui {

struct Variant {
  std::vector<KindMask> kinds;  // where each requirement may be served
  Seconds stay{1};              // on the slowest nodes that serve
};

struct Variants {
  struct Set {
    std::vector<Variant> variants;
    double fastest = 0;
  };
  std::vector<Set> sets;          // of nodes, where the request asks for one
  std::vector<Variant> anywhere;  // whatever the set
};

Variants variants_of(const Cluster& cluster, const Request& request);

/// How long the request may run on the fastest nodes that there are.
Seconds shortest_stay(const Cluster& cluster, const Request& request);

}  // namespace maui
