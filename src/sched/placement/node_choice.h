// Chooses a job's nodes among the suitable ones (NODEALLOCATIONPOLICY, guide 5.2).
//
// A policy is an order of nodes; tasks are then packed node by node in that order.  Ties are broken
// by the resource manager's order of nodes: from its end for LASTAVAILABLE, MINRESOURCE and
// CPULOAD, from its start for the others. docs/decisions/node-choice.md covers what the guide
// leaves open.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// A node that can take `tasks` of a job from its start to its end.
struct Offer {
  NodeId node;
  int tasks = 0;
  int tasks_now = 0;      // how many of these it could take at once and keep idle until then
  Time since{0};          // the node has had that room since then, at or before the start
  Time until = kForever;  // when something else needs the room
  Affinity affinity = Affinity::neutral;  // of the reservations in which it would start
  double score = 0;                       // MACHINEPRIO, CPULOAD: higher is better
};

/// Sorts the offers by affinity, and by the policy where affinity is equal; only the first `needed`
/// offers need to be in order.
void order_offers(const Cluster& cluster, NodeAllocation policy, std::vector<Offer>& offers,
                  std::size_t needed);

/// True if the policy treats nodes alike that no request can tell apart.
bool chosen_by_kind(NodeAllocation policy);

/// MAXBALANCE: returns the offers in the smallest range of speeds that serves the requirement, the
/// fastest such range, ordered by affinity, then by node; empty if no range serves it.  If all
/// nodes have the same speed, that of their processors counts.  Where affinity differs, the range
/// covers the chosen nodes together with all nodes of better affinity.
std::vector<Offer> most_balanced(const Cluster& cluster, const Requirement& requirement,
                                 const std::vector<Offer>& offers);

/// CONTIGUOUS: puts the smallest unbroken row of nodes that serves the requirement first, then the
/// other rows, largest first, so that a job gets as few rows as possible.  Where affinity differs,
/// rows consist of nodes that serve what nodes of better affinity leave; rows next to those nodes
/// are preferred.
void order_by_blocks(const Requirement& requirement, std::vector<Offer>& offers);

/// Places a requirement on the offers in their order; empty if they do not serve it.
std::optional<Placement> place(const Requirement& requirement, std::uint32_t index,
                               const std::vector<Offer>& offers);

/// Places it such that each of the first `hosts` offers takes a task.
std::optional<Placement> place_on_hosts(const Requirement& requirement, std::uint32_t index,
                                        const std::vector<Offer>& offers, std::size_t hosts);

/// The measure by which MINRESOURCE prefers a node: the fewest configured resources.
struct ConfiguredSize {
  Resources::Quantity memory, procs, disk, swap;
  friend auto operator<=>(const ConfiguredSize&, const ConfiguredSize&) = default;
};
ConfiguredSize configured_size(const Node& node);

/// The speed of a node, then that of its processors (FASTEST).
struct Pace {
  double speed = 0;
  int proc_speed = 0;
  friend auto operator<=>(const Pace&, const Pace&) = default;
};
Pace pace_of(const Node& node);

}  // namespace maui
